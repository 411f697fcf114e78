package pushgateway

import (
	"fmt"
	"slices"
)

// Fault makes a service fail: it is the response to the next Times requests. A Status fails the whole request, in the
// service's own format; an Expo fault without a Status sets the tickets of the request's messages.
type Fault struct {
	Service    string `json:"service"`              // expo, fcm or apns
	Status     int    `json:"status,omitempty"`     // 400 to 599
	Code       string `json:"code,omitempty"`       // the service's error code; derived from the status when empty
	RetryAfter int    `json:"retryAfter,omitempty"` // seconds; 0: no header
	Times      int    `json:"times"`                // at least 1
}

// maxFaults is the maximum number of faults that wait for requests.
const maxFaults = 10_000

// Fail adds a fault. Errors: the service cannot fail like this.
func (g *Gateway) Fail(f Fault) error {
	switch {
	case f.Service != Expo && f.Service != FCM && f.Service != APNs:
		return fmt.Errorf("service %q: use expo, fcm or apns", f.Service)
	case f.Times < 1:
		return fmt.Errorf("times %d: use at least 1", f.Times)
	case f.Status == 0 && (f.Service != Expo || f.Code == ""):
		return fmt.Errorf("a fault without a status needs service expo and a ticket error code such as MessageRateExceeded")
	case f.Status != 0 && (f.Status < 400 || f.Status > 599):
		return fmt.Errorf("status %d: use 400 to 599", f.Status)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.faults) >= maxFaults {
		return fmt.Errorf("%d faults are pending, the maximum: send requests or restart the gateway", len(g.faults))
	}
	g.faults = append(g.faults, f)
	return nil
}

// takeFault consumes the oldest remaining fault of a service. REQUIRES: g.mu is held.
func (g *Gateway) takeFault(service string) (Fault, bool) {
	for i := range g.faults {
		if f := &g.faults[i]; f.Service == service {
			f.Times--
			fault := *f
			if f.Times == 0 {
				g.faults = slices.Delete(g.faults, i, i+1)
			}
			return fault, true
		}
	}
	return Fault{}, false
}
