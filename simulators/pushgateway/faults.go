package pushgateway

import (
	"fmt"
	"slices"
)

// Fault has a service fail: the next Times requests to it are answered by it. A Status is the answer to the whole
// request, in the service's own form; an Expo fault without one is what the tickets of the request's messages say.
type Fault struct {
	Service    string `json:"service"`              // expo, fcm or apns
	Status     int    `json:"status,omitempty"`     // from 400 to 599
	Code       string `json:"code,omitempty"`       // the service's name for it; by the status where it is empty
	RetryAfter int    `json:"retryAfter,omitempty"` // seconds; no header where it is 0
	Times      int    `json:"times"`                // at least 1
}

// maxFaults is how many faults wait for requests at most.
const maxFaults = 10_000

// Fail adds a fault. It is an error when the service cannot fail like that.
func (g *Gateway) Fail(f Fault) error {
	switch {
	case f.Service != Expo && f.Service != FCM && f.Service != APNs:
		return fmt.Errorf("service %q: give expo, fcm or apns", f.Service)
	case f.Times < 1:
		return fmt.Errorf("times %d: give at least 1", f.Times)
	case f.Status == 0 && (f.Service != Expo || f.Code == ""):
		return fmt.Errorf("a fault without a status is of Expo's tickets, and has their code such as MessageRateExceeded")
	case f.Status != 0 && (f.Status < 400 || f.Status > 599):
		return fmt.Errorf("status %d: give one from 400 to 599", f.Status)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.faults) >= maxFaults {
		return fmt.Errorf("%d faults are waiting for requests: send some, or start the gateway again", len(g.faults))
	}
	g.faults = append(g.faults, f)
	return nil
}

// fault takes the oldest fault of a service that is left. REQUIRES: g.mu is held.
func (g *Gateway) fault(service string) (Fault, bool) {
	for i := range g.faults {
		if f := &g.faults[i]; f.Service == service {
			f.Times--
			taken := *f
			if f.Times == 0 {
				g.faults = slices.Delete(g.faults, i, i+1)
			}
			return taken, true
		}
	}
	return Fault{}, false
}
