package verification

import "sync/atomic"

// counters count since the service started.
type counters struct{ requests, cases, transitions, retries atomic.Int64 }

// Stats are the service's counters since it started.
type Stats struct {
	Requests    int64 `json:"requests" doc:"HTTP requests handled"`
	Cases       int64 `json:"cases" doc:"Cases created"`
	Transitions int64 `json:"moves" doc:"Status changes of cases, except by documents"`
	Retries     int64 `json:"retries" doc:"Retries after a conflicting write"`
}

// Stats returns the counters. Each is exact; together they are not a snapshot.
func (s *Service) Stats() Stats {
	return Stats{Requests: s.stats.requests.Load(), Cases: s.stats.cases.Load(), Transitions: s.stats.transitions.Load(),
		Retries: s.stats.retries.Load()}
}
