package kefir

import "sync/atomic"

// counters count since the service started.
type counters struct {
	requests, batches, transitions, events, reminders, cancelled, exports atomic.Int64
}

// Stats are the service's counters since it started.
type Stats struct {
	Requests    int64 `json:"requests" doc:"HTTP requests handled"`
	Batches     int64 `json:"batches" doc:"Batches created"`
	Transitions int64 `json:"transitions" doc:"Changes of status or stage"`
	Events      int64 `json:"events" doc:"Photos and notes added"`
	Reminders   int64 `json:"reminders" doc:"Reminders created"`
	Cancelled   int64 `json:"cancelled" doc:"Reminders cancelled"`
	Exports     int64 `json:"exports" doc:"Exports completed"`
}

// Stats returns the counters. Each is exact; together they are not a snapshot.
func (s *Service) Stats() Stats {
	return Stats{
		Requests: s.stats.requests.Load(), Batches: s.stats.batches.Load(), Transitions: s.stats.transitions.Load(),
		Events: s.stats.events.Load(), Reminders: s.stats.reminders.Load(), Cancelled: s.stats.cancelled.Load(),
		Exports: s.stats.exports.Load(),
	}
}
