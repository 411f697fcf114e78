package main

import (
	"fmt"
	"strings"
)

// report holds the measurements, and which targets were reached.
type report struct {
	rows    []string
	targets []string
	failed  []string
}

func (r *report) addRow(measure, server string, value float64, unit string) {
	r.rows = append(r.rows, fmt.Sprintf("%-28s %-10s %12.2f %s", measure, server, value, unit))
}

func (r *report) addError(server string, err error) {
	r.rows = append(r.rows, fmt.Sprintf("%-28s %-10s %.160s", "not measured", server, err))
}

// compare prints the servers' rates, and requires tabletop's to be at least three times the fastest peer's and half of
// the bare handler's.
func (r *report) compare(measure string, peers []*peer, results map[string]result) {
	fastest := 0.0
	for _, p := range peers {
		got := results[p.name]
		r.rows = append(r.rows, fmt.Sprintf("%-28s %-10s %12.0f requests/s %8.1f µs of CPU each", measure, p.name,
			got.perSecond, float64(got.cpu.Nanoseconds())/1000))
		if p.name != "tabletop" && !p.bare {
			fastest = max(fastest, got.perSecond)
		}
	}
	tabletop := results["tabletop"].perSecond
	if fastest > 0 {
		r.atLeast(measure+" relative to the fastest peer", tabletop/fastest, 3)
	}
	r.atLeast(measure+" relative to a bare handler", tabletop/results["bare"].perSecond, 0.5)
}

// atLeast requires a figure to be at least least.
func (r *report) atLeast(what string, got, minimum float64) {
	r.check(what, got, "at least", minimum, got >= minimum)
}

// atMost requires a figure to be at most most.
func (r *report) atMost(what string, got, maximum float64) {
	r.check(what, got, "at most", maximum, got <= maximum)
}

func (r *report) check(what string, got float64, relation string, bound float64, passed bool) {
	line := fmt.Sprintf("%s: %.2f, want %s %g", what, got, relation, bound)
	r.targets = append(r.targets, line)
	if !passed {
		r.failed = append(r.failed, line)
	}
}

func (r *report) failures() []string { return r.failed }

func (r *report) String() string {
	return strings.Join(append(append(r.rows, ""), r.targets...), "\n") + "\n"
}
