package fleet

import "time"

// FailureRates holds the probabilities of failures.
type FailureRates struct {
	Outage       float64 // a device loses the network once in half a simulated day
	Reboot       float64 // a device reboots once in half a simulated day
	Crash        float64 // a reboot is a crash that forgets the last acknowledgement, so that its readings are sent again
	Update       float64 // a device gets new firmware once in half a simulated day, and reboots for it
	ResponseLoss float64 // the backend commits a request, and its response never reaches the device
	BadClock     float64 // a device's clock is wrong by up to ten minutes instead of two seconds
	SensorFault  float64 // a sensor of a device fails for an hour

	MaxOutage time.Duration // simulated time, at most 12 hours
}

// DefaultFailureRates returns the failures of a fleet on poor Wi-Fi.
func DefaultFailureRates() FailureRates {
	return FailureRates{Outage: 0.3, Reboot: 0.15, Crash: 0.5, Update: 0.05, ResponseLoss: 0.01, BadClock: 0.1,
		SensorFault: 0.01,
		MaxOutage:   11 * time.Hour}
}
