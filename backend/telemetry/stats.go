package telemetry

import "sync/atomic"

// counters count since the service started.
type counters struct {
	requests, stored, duplicate, rejected, retries atomic.Int64
}

// Stats are the service's counters since it started.
type Stats struct {
	Requests  int64 `json:"requests" doc:"HTTP requests handled"`
	Stored    int64 `json:"stored" doc:"Readings stored"`
	Duplicate int64 `json:"duplicate" doc:"Readings that were already stored"`
	Rejected  int64 `json:"rejected" doc:"Readings rejected"`
	Retries   int64 `json:"retries" doc:"Retries after a conflict or throttling"`
}

// Stats returns the counters. Each is exact; together they are not a snapshot.
func (s *Service) Stats() Stats {
	return Stats{
		Requests: s.stats.requests.Load(), Stored: s.stats.stored.Load(), Duplicate: s.stats.duplicate.Load(),
		Rejected: s.stats.rejected.Load(), Retries: s.stats.retries.Load(),
	}
}

// count adds up the results, in the response and in the counters. It ignores results without an outcome, which only a
// failed request has.
func (s *Service) count(r *Results) {
	for i := range r.Results {
		switch r.Results[i].Status {
		case Stored:
			r.Stored++
		case Duplicate:
			r.Duplicate++
		case Rejected:
			r.Rejected++
		}
	}
	s.stats.stored.Add(int64(r.Stored))
	s.stats.duplicate.Add(int64(r.Duplicate))
	s.stats.rejected.Add(int64(r.Rejected))
}
