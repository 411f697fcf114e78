package devicetoken

import "sync/atomic"

// counters count since the service started.
type counters struct {
	requests, registered, refreshed, sent, failed, deactivated atomic.Int64
}

// Stats are the service's counters since it started.
type Stats struct {
	Requests    int64 `json:"requests" doc:"HTTP requests handled"`
	Registered  int64 `json:"registered" doc:"Devices registered for the first time"`
	Refreshed   int64 `json:"refreshed" doc:"Registrations and refreshes of existing devices"`
	Sent        int64 `json:"sent" doc:"Pushes that the push service accepted"`
	Failed      int64 `json:"failed" doc:"Pushes that the push service did not accept"`
	Deactivated int64 `json:"deactivated" doc:"Devices deactivated because the push service reported their tokens as unregistered"`
}

// Stats returns the counters. Each is exact; together they are not a snapshot.
func (s *Service) Stats() Stats {
	return Stats{
		Requests: s.stats.requests.Load(), Registered: s.stats.registered.Load(), Refreshed: s.stats.refreshed.Load(),
		Sent: s.stats.sent.Load(), Failed: s.stats.failed.Load(), Deactivated: s.stats.deactivated.Load(),
	}
}
