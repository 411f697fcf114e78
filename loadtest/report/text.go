package report

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/verdict"
)

// Text writes one report for a terminal: the figures, then one line per verdict.
func Text(w io.Writer, r *result.Report) error {
	fmt.Fprintf(w, "%s  %s, on %s\n", r.Profile.ID, r.Profile.Title, r.Target)
	fmt.Fprintf(w, "  %s\n", r.Profile.Figure)
	if r.NotApplied != "" {
		fmt.Fprintf(w, "  not enabled: %s\n", r.NotApplied)
	}
	if r.Shortened != "" {
		fmt.Fprintf(w, "  shortened: %s\n", r.Shortened)
	}
	for i, failed := range r.Earlier {
		thousands.Fprintf(w, "  attempt %d failed: %s\n", i+1, failedLimits(failed))
	}
	thousands.Fprintf(w, "  %s requests in %v, throughput %.1f/s, %s errors\n", figure(r.Requests), seconds(r.Seconds),
		r.Throughput, figure(r.Errors))
	l := r.Latency
	thousands.Fprintf(w,
		"  latency (ms): p50 %.1f, p90 %.1f, p99 %.1f, p99.9 %.1f, max %.1f; service time: p50 %.1f, p99 %.1f\n",
		l.P50, l.P90, l.P99, l.P999, l.Max, r.ServiceTime.P50, r.ServiceTime.P99)
	writeStages(w, r.Stages)
	if a := r.Overhead; a != nil {
		thousands.Fprintf(w, "  backend overhead (ms): p50 %.2f, p90 %.2f, p99 %.2f, max %.2f\n", a.P50, a.P90, a.P99, a.Max)
	}
	if a := r.Readings; a != nil {
		fmt.Fprintf(w, "  readings: %s stored, %s duplicate, %s rejected\n", figure(a.Stored), figure(a.Duplicate),
			figure(a.Rejected))
	}
	writeUnits(w, r)
	writeCosts(w, r)
	for _, s := range r.Sizes {
		fmt.Fprintf(w, "  item size: %s: %s items, avg %s B (%s–%s)\n",
			s.Kind, figure(s.Items), figure(math.Round(s.Mean)), figure(s.Min), figure(s.Max))
	}
	if verdict.NeedsHeat(r) {
		for _, h := range r.Heat {
			thousands.Fprintf(w, "  heat: %s: busiest of %d partitions at %.1f%% of its capacity; %s; %s throttled\n",
				h.Resource, h.Partitions, 100*h.Utilization, hottestKey(h), figure(h.Throttled))
		}
	}
	for _, h := range r.Hot {
		fmt.Fprintf(w, "  hot device: %s\n", h.Advice)
	}
	for _, b := range r.Broken {
		fmt.Fprintf(w, "  %s\n", strings.ReplaceAll(b.String(), "\n", "\n  "))
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, v := range r.Verdicts {
		fmt.Fprintf(tw, "  %s\t%s\t%s\t%s\t%s\n", v.State.Label(), v.ID, v.Name(), v.Limit, v.Explained())
	}
	return tw.Flush()
}

// hottestKey describes the hottest key of a table or an index.
func hottestKey(h result.Heat) string {
	if h.HottestKey == "" {
		return "hottest key unknown"
	}
	return thousands.Sprintf("hottest key %s with %.1f%% of the units", h.HottestKey, 100*h.KeyShare)
}

// writeUnits writes the capacity units and request units, one line per table, index or operation.
func writeUnits(w io.Writer, r *result.Report) {
	for _, c := range r.Consumed {
		thousands.Fprintf(w, "  capacity units: %s: %s read (%.1f/s), %s write (%.1f/s)\n", resourceName(c),
			figure(math.Round(c.ReadUnits)),
			c.ReadsPerSecond, figure(math.Round(c.WriteUnits)), c.WritesPerSecond)
	}
	for _, u := range r.RequestUnits {
		thousands.Fprintf(w, "  request units: %s: avg %.2f RU over %s calls%s\n", u.Operation, u.RU,
			figure(u.Calls), documented(u))
	}
	if r.Throttled != nil {
		fmt.Fprintf(w, "  throttled: %s attempts of the backend's client\n", figure(*r.Throttled))
	}
}

// writeCosts writes the cost of the units, and each documented cost next to the measured one.
func writeCosts(w io.Writer, r *result.Report) {
	if c := r.Cost; c != nil {
		thousands.Fprintf(w,
			"  cost: %s for the run, %s per month at this rate (on-demand, %s, prices as of %s, storage excluded)%s\n",
			c.Run.Dollars(), c.Month.Dollars(), c.Region, c.Prices, stated(c))
	}
	for _, d := range r.Documents {
		fmt.Fprintf(w, "  cost %s: documented %s per month, recalculated %s, measured %s, at current prices %s\n",
			d.ID, d.Stated.Dollars(), d.Computed.Dollars(), d.Measured.Dollars(), d.Today.Dollars())
	}
}

// writeStages writes one line per stage if there are several.
func writeStages(w io.Writer, stages []result.StageStats) {
	if len(stages) < 2 {
		return
	}
	for i, s := range stages {
		units := ""
		if u := s.RequestUnitsPerSecond; u != nil {
			units = thousands.Sprintf("; busiest container %.0f RU/s", *u)
		}
		thousands.Fprintf(w, "  stage %d: %.1f of %.1f requests/s sent, latency (ms): p50 %.1f, p99 %.1f, max %.1f%s\n",
			i+1, s.Sent, s.Planned, s.Latency.P50, s.Latency.P99, s.Latency.Max, units)
	}
}

// failedLimits returns the failed limits of an attempt as one line.
func failedLimits(failed []result.Verdict) string {
	texts := make([]string, len(failed))
	for i, v := range failed {
		texts[i] = fmt.Sprintf("%s %s %s, %s", v.ID, v.Name(), v.Measured, v.Limit)
	}
	return strings.Join(texts, "; ")
}

// documented returns what the document states for an operation, as the end of a line.
func documented(u result.UnitCost) string {
	if u.Documented == 0 {
		return ""
	}
	return fmt.Sprintf(" (documented: about %g)", u.Documented)
}

// resourceName returns the name of the charged resource: a table, or an index of it.
func resourceName(c result.Consumed) string {
	if c.Index == "" {
		return c.Table
	}
	return c.Table + "/" + c.Index
}

func seconds(s float64) time.Duration {
	return time.Duration(s * float64(time.Second)).Round(100 * time.Millisecond)
}

// stated returns the documented cost, as the end of a line.
func stated(c *result.Cost) string {
	if c.Stated == "" {
		return ""
	}
	return "; documented: " + c.Stated
}
