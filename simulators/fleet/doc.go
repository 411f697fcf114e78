// Package fleet simulates the sensors that feed the telemetry backend, including everything that happens to real ones:
// they boot, crash and get new firmware; their clocks are wrong; sensors are missing or fail; they lose the network for
// hours and deliver what they buffered afterwards; and responses are lost, so that they send the same readings again.
//
// What happens to a device is its Plan, a pure function of the fleet's seed and the device's number. Run plays the
// plans of all devices against a backend, with one loop over one heap of events and a bounded number of senders, in
// real time or faster. At the end everything buffered is delivered, all readings are read back through the API, and the
// Result reports whether any was lost, stored twice or changed.
//
// Time: a run that lasts Duration and plays Speed times faster than real time starts at now - Duration +
// Duration/Speed, so that simulated and real time meet at its end and no reading is in the future (except those of
// devices whose clock is fast). A run without Duration starts now; if it is faster than real time, it starts thirty
// days ago and continues in real time when it has caught up.
package fleet
