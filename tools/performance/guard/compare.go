package guard

import (
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/measure"
	"github.com/tabletop-db/tabletop/tools/performance/server"
	"github.com/tabletop-db/tabletop/tools/performance/workload"
)

// connections is the number of connections that send requests at once.
const connections = 16

// comparison is a workload's CPU time per request on both emulators, window by window.
type comparison struct {
	workload   *workload.Workload
	base, head []time.Duration
	broken     string // why the base cannot be compared; "": it can
}

// ratio returns how much more CPU time the head needs: the mean of the rounds' ratios without the lowest and the
// highest quarter. The two windows of a round follow each other, so that a load on the machine that lasts affects both;
// one that does not is in few rounds.
func (c *comparison) ratio() float64 {
	var ratios []float64
	for i := range c.base {
		ratios = append(ratios, float64(c.head[i])/float64(max(c.base[i], 1)))
	}
	slices.Sort(ratios)
	quarter, sum := len(ratios)/4, 0.0
	middle := ratios[quarter : len(ratios)-quarter]
	for _, r := range middle {
		sum += r
	}
	return sum / float64(max(len(middle), 1))
}

// pair is both emulators of one service, running.
type pair struct{ base, head *server.Server }

// start starts both emulators and makes the tables of the workloads.
func start(base, head *server.Program) (p pair, err error) {
	if p.base, err = base.StartIn(""); err != nil {
		return p, err
	}
	if p.head, err = head.StartIn(""); err != nil {
		p.base.Stop()
		return p, err
	}
	for _, s := range []*server.Server{p.base, p.head} {
		if err := s.SetUp(); err != nil {
			p.stop()
			return p, err
		}
	}
	return p, nil
}

func (p pair) stop() {
	p.base.Stop()
	p.head.Stop()
}

// compare measures workloads for some rounds. Both emulators get the same number of requests with the same keys, so
// that their tables grow equally. Errors: the head does not respond correctly.
func (p pair) compare(workloads []*workload.Workload, rounds int) ([]*comparison, error) {
	var all []*comparison
	for _, w := range workloads {
		c := &comparison{workload: w}
		if err := p.base.Verify(w); err != nil {
			c.broken = err.Error()
		}
		if err := p.head.Verify(w); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	for round := range rounds + 1 { // the first warms up
		for _, c := range all {
			if c.broken != "" {
				continue
			}
			if err := p.round(c, round); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// round measures one window on each emulator, in an order that alternates.
func (p pair) round(c *comparison, round int) error {
	servers := []*server.Server{p.base, p.head}
	if round%2 == 1 {
		slices.Reverse(servers)
	}
	for _, s := range servers {
		window, err := measure.Run(s, c.workload, measure.Load{Connections: connections, Requests: c.workload.Batch,
			Seed: uint64(round)})
		if err != nil {
			return err
		}
		if window.Errors > 0 {
			return &wrongResponse{workload: c.workload.Name, program: s.Program.Name, response: window.FirstError}
		}
		switch {
		case round == 0:
		case s == p.base:
			c.base = append(c.base, window.PerRequest())
		default:
			c.head = append(c.head, window.PerRequest())
		}
	}
	return nil
}

// wrongResponse is an error during a measurement.
type wrongResponse struct{ workload, program, response string }

func (e *wrongResponse) Error() string { return e.workload + " on " + e.program + ": " + e.response }
