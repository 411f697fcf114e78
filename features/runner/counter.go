package runner

import (
	"sync"

	"github.com/tabletop-db/tabletop/features/report"
)

// counter counts the scenarios of a run and reports its progress. It is safe for concurrent use.
type counter struct {
	total  int
	report func(Progress) // may be nil

	mu           sync.Mutex
	done, failed int
}

// add counts a scenario that has ended.
func (c *counter) add(s report.Scenario) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done++
	if s.Outcome == report.Failed {
		c.failed++
	}
	if c.report != nil {
		c.report(Progress{Scenario: s, Done: c.done, Failed: c.failed, Total: c.total})
	}
}
