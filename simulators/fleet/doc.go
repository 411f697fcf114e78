// Package fleet simulates sensors that feed the telemetry backend, with everything that happens to real ones: they
// boot, crash and get new firmware, their clocks are wrong, sensors are missing or fail, they lose the network for
// hours and deliver what they buffered on return, and answers get lost so that they send the same readings again.
//
// What will happen to a device is its Plan, a pure function of the fleet's seed and the device's number. Run plays the
// plans of all devices against a backend with one loop over one heap of events and a bounded number of senders, in real
// time or faster. At the end everything buffered is delivered, all readings are read back through the API, and the
// Result says whether any was lost, stored twice or changed.
//
// Time: a run that lasts Duration and plays Speed times faster than real time starts at now - Duration +
// Duration/Speed, so that simulated and real time meet at its end and no reading lies in the future (but for devices
// whose clock is fast). A run without Duration starts now; when faster than real time it starts thirty days ago, and
// goes on in real time when it has caught up.
package fleet
