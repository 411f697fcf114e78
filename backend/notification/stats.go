package notification

import (
	"maps"
	"math"
	"sync"
	"sync/atomic"
)

// counters count since the service started.
type counters struct {
	requests, enqueued, completed, failed, limited, deduplicated, pushed atomic.Int64

	mu    sync.Mutex // guards costs
	costs map[string]Cost
}

// Cost is the total cost of the calls of one pattern.
type Cost struct {
	Calls int64   `json:"calls"`
	RU    float64 `json:"ru" doc:"Total request units of all calls"`
}

// Names of patterns in Stats.
const (
	patternEnqueue     = "enqueue"
	patternProcess     = "process"
	patternFind        = "find work"
	patternFeed        = "read changes"
	patternList        = "list"
	patternUnread      = "unread"
	patternMark        = "mark"
	patternPreferences = "preferences"
	patternSet         = "set preferences"
	patternRegister    = "register"
	patternRefresh     = "refresh"
	patternDevices     = "devices"
	patternReadAll     = "read all"
	patternErase       = "delete user"
)

func (c *counters) cost(pattern string, ru float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.costs == nil {
		c.costs = map[string]Cost{}
	}
	sum := c.costs[pattern]
	sum.Calls++
	sum.RU = math.Round((sum.RU+ru)*100) / 100 // the precision of the responses
	c.costs[pattern] = sum
}

// Stats are the service's counters since it started.
type Stats struct {
	Requests     int64           `json:"requests" doc:"HTTP requests handled"`
	Enqueued     int64           `json:"enqueued" doc:"Events enqueued"`
	Completed    int64           `json:"completed" doc:"Events that ended as COMPLETED"`
	Failed       int64           `json:"failed" doc:"Failed attempts"`
	RateLimited  int64           `json:"rateLimited" doc:"Events that ended as RATE_LIMITED"`
	Deduplicated int64           `json:"deduplicated" doc:"Events that ended as DEDUPLICATED"`
	Pushed       int64           `json:"pushed" doc:"Messages that a push service accepted"`
	Costs        map[string]Cost `json:"costs" doc:"Request units by pattern"`
}

// Stats returns the counters. Each is exact; together they are not a snapshot.
func (s *Service) Stats() Stats {
	s.stats.mu.Lock()
	costs := maps.Clone(s.stats.costs)
	s.stats.mu.Unlock()
	if costs == nil {
		costs = map[string]Cost{}
	}
	return Stats{
		Requests: s.stats.requests.Load(), Enqueued: s.stats.enqueued.Load(), Completed: s.stats.completed.Load(),
		Failed: s.stats.failed.Load(), RateLimited: s.stats.limited.Load(), Deduplicated: s.stats.deduplicated.Load(),
		Pushed: s.stats.pushed.Load(), Costs: costs,
	}
}
