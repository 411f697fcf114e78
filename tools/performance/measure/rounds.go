package measure

import (
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/server"
	"github.com/tabletop-db/tabletop/tools/performance/workload"
)

// Plan is how often and how long to measure.
type Plan struct {
	Rounds      int
	Window      time.Duration // of a workload whose requests follow each other
	RateWindow  time.Duration // of a workload with a fixed rate
	Connections int
}

// Result is one workload on one server. Throughput, CPU time and latencies are medians over the windows, except for
// P999, which is of all requests together.
type Result struct {
	Workload, Server string
	Floor            bool // of the bare handler
	Rate             int  // of the workload, if it is fixed
	Throughput       float64
	Spread           float64 // of the throughput: highest without lowest, as a part of the median
	P50, P99, P999   time.Duration
	CPU, ClientCPU   time.Duration // per request
	Requests, Errors int
	Foreign          float64 // median of the CPU that other processes used, as a part of the machine
	Problem          string  // why there are no figures, or the first wrong response
}

// cell is one workload on one server while it is measured.
type cell struct {
	server   *server.Server
	workload *workload.Workload
	windows  []*Window
	problem  string
}

// Interleave measures workloads on servers that are set up and have the same workloads. In each round every workload is
// measured on every server in turn, a different one first each time, so that other load on the machine affects all of
// them. Before a round the tables that get new items are emptied. The results are in the order of the workloads.
func Interleave(servers []*server.Server, names map[string]bool, durable bool, p Plan) ([]Result, error) {
	var groups [][]*cell
	warmUp := 1
	for _, s := range servers {
		warmUp = max(warmUp, s.Program.WarmUp)
	}
	for i, w := range servers[0].Service.Find(names) {
		var group []*cell
		for _, s := range servers {
			group = append(group, newCell(s, s.Service.Find(names)[i]))
		}
		if w.Durable || !durable {
			groups = append(groups, group)
		}
	}
	for round := -warmUp; round < p.Rounds; round++ {
		for _, s := range servers {
			if s.Program.Floor {
				continue // it has no tables
			}
			if err := s.Reset(); err != nil {
				return nil, err
			}
		}
		for _, group := range groups {
			for i := range group {
				if err := group[(i+round+warmUp)%len(group)].measure(round, p); err != nil {
					return nil, err
				}
			}
		}
	}
	var results []Result
	for _, c := range slices.Concat(groups...) {
		results = append(results, c.result())
	}
	return results, nil
}

// newCell checks the server's responses. A server that does not respond correctly is left out of the workload.
func newCell(s *server.Server, w *workload.Workload) *cell {
	c := &cell{server: s, workload: w}
	if !s.Program.Floor {
		if err := s.Verify(w); err != nil {
			c.problem = err.Error()
		}
	}
	return c
}

// measure measures one window. Negative rounds warm up.
func (c *cell) measure(round int, p Plan) error {
	warmsUp := -round <= max(1, c.server.Program.WarmUp)
	if c.problem != "" || round < 0 && (!warmsUp || c.workload.Rate > 0) {
		return nil
	}
	load := Load{Connections: p.Connections, Duration: p.Window, Seed: uint64(round + 100)}
	if c.workload.Rate > 0 {
		load.Duration = p.RateWindow
	}
	window, err := Run(c.server, c.workload, load)
	if err == nil && round >= 0 {
		c.windows = append(c.windows, window)
	}
	return err
}

func (c *cell) result() Result {
	r := Result{Workload: c.workload.Name, Server: c.server.Program.Name, Floor: c.server.Program.Floor,
		Rate: c.workload.Rate, Problem: c.problem}
	var throughput, foreign []float64
	var p50, p99, cpu, client, all []time.Duration
	for _, w := range c.windows {
		throughput, foreign = append(throughput, w.Throughput()), append(foreign, w.Foreign)
		p50, p99 = append(p50, Quantile(w.Latencies, 0.5)), append(p99, Quantile(w.Latencies, 0.99))
		cpu, client = append(cpu, w.PerRequest()), append(client, w.ClientCPU/time.Duration(max(w.Requests, 1)))
		all = append(all, w.Latencies...)
		r.Requests, r.Errors = r.Requests+w.Requests, r.Errors+w.Errors
		r.Problem = max(r.Problem, w.FirstError)
	}
	if len(c.windows) == 0 {
		return r
	}
	slices.Sort(all)
	r.Throughput, r.Foreign, r.CPU, r.ClientCPU = Median(throughput), Median(foreign), Median(cpu), Median(client)
	r.P50, r.P99, r.P999 = Median(p50), Median(p99), Quantile(all, 0.999)
	r.Spread = (slices.Max(throughput) - slices.Min(throughput)) / max(r.Throughput, 1e-9)
	return r
}
