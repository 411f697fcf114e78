package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/verdict"
)

// Text writes one report for a terminal: the figures, then one line per verdict.
func Text(w io.Writer, r *result.Report) error {
	l := r.Latency
	fmt.Fprintf(w, "%s  %s, on %s\n", r.Profile.ID, r.Profile.Title, r.Target)
	fmt.Fprintf(w, "  %s\n", r.Profile.Figure)
	if r.NotApplied != "" {
		fmt.Fprintf(w, "  without %s\n", r.NotApplied)
	}
	if r.Quick != "" {
		fmt.Fprintf(w, "  shortened: %s\n", r.Quick)
	}
	for i, missed := range r.Earlier {
		fmt.Fprintf(w, "  try %d missed: %s\n", i+1, listed(missed))
	}
	fmt.Fprintf(w, "  %d requests in %v, %.1f/s answered, %d errors\n", r.Requests, seconds(r.Seconds), r.Throughput, r.Errors)
	fmt.Fprintf(w, "  latency ms: p50 %.1f  p90 %.1f  p99 %.1f  p99.9 %.1f  max %.1f; from sending p50 %.1f  p99 %.1f\n", l.P50, l.P90, l.P99, l.P999, l.Max, r.Service.P50, r.Service.P99)
	writeStages(w, r.Stages)
	if a := r.Readings; a != nil {
		fmt.Fprintf(w, "  readings: %d stored, %d duplicate, %d rejected\n", a.Stored, a.Duplicate, a.Rejected)
	}
	for _, c := range r.Consumed {
		fmt.Fprintf(w, "  units: %s  %.0f read, %.0f written (%.1f and %.1f a second)\n", place(c), c.ReadUnits, c.WriteUnits, c.ReadsPerSecond, c.WritesPerSecond)
	}
	for _, u := range r.RequestUnits {
		fmt.Fprintf(w, "  request units: %s  %.2f in the mean of %d%s\n", u.Operation, u.RU, u.Calls, about(u))
	}
	if r.Throttled != nil {
		fmt.Fprintf(w, "  throttled: %d tries of the backend's client\n", *r.Throttled)
	}
	if c := r.Cost; c != nil {
		fmt.Fprintf(w, "  cost: $%s for the run, $%s a month at its rate (on demand in %s, prices of %s, without storage)%s\n", c.Run.Text(6), c.Month.Text(2), c.Region, c.Prices, stated(c))
	}
	for _, s := range r.Sizes {
		fmt.Fprintf(w, "  size: %s  %d items, %.0f bytes in the mean, %d to %d\n", s.Of, s.Items, s.Mean, s.Least, s.Most)
	}
	if verdict.AboutHeat(r) {
		for _, h := range r.Heat {
			fmt.Fprintf(w, "  heat: %s  %.1f%% of a partition at most, of %d; hottest key %s with %.1f%% of the units; %d throttled\n", h.Resource, 100*h.Use, h.Partitions, h.HottestKey, 100*h.KeyShare, h.Throttled)
		}
	}
	for _, d := range r.Documents {
		fmt.Fprintf(w, "  %s: stated $%s a month, by its own quantities $%s, measured $%s, at today's prices $%s\n", d.ID, d.Stated.Text(4), d.Computed.Text(4), d.Measured.Text(4), d.Today.Text(4))
	}
	if a := r.Added; a != nil {
		fmt.Fprintf(w, "  the backend adds ms: p50 %.2f  p90 %.2f  p99 %.2f  max %.2f\n", a.P50, a.P90, a.P99, a.Max)
	}
	for _, h := range r.Hot {
		fmt.Fprintf(w, "  hot device: %s\n", h.Advice)
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, v := range r.Verdicts {
		fmt.Fprintf(tw, "  %s\t%s\t%s\t%s\t%s\n", mark(v.State), v.ID, v.Metric, v.Measured, v.Limit)
	}
	return tw.Flush()
}

// writeStages writes one line per stage if there are several.
func writeStages(w io.Writer, stages []result.StageStats) {
	if len(stages) < 2 {
		return
	}
	for i, s := range stages {
		given := ""
		if u := s.RequestUnitsPerSecond; u != nil {
			given = fmt.Sprintf("; %.0f RU/s of the busiest container", *u)
		}
		fmt.Fprintf(w, "  stage %d: %.1f of %.1f requests/s sent, latency ms: p50 %.1f  p99 %.1f  max %.1f%s\n", i+1, s.Sent, s.Planned, s.Latency.P50, s.Latency.P99, s.Latency.Max, given)
	}
}

// listed returns the missed limits of a try as one line.
func listed(missed []result.Verdict) string {
	texts := make([]string, len(missed))
	for i, v := range missed {
		texts[i] = fmt.Sprintf("%s %s %s, %s", v.ID, v.Metric, v.Measured, v.Limit)
	}
	return strings.Join(texts, "; ")
}

func mark(s result.State) string {
	return map[result.State]string{result.Held: "held", result.Missed: "MISSED", result.Unmeasured: "?"}[s]
}

// about returns what the document states for an operation, as the end of a sentence.
func about(u result.UnitCost) string {
	if u.Documented == 0 {
		return ""
	}
	return fmt.Sprintf("; the document says about %g", u.Documented)
}

// place returns the name of what was charged: a table, or an index of it.
func place(c result.Consumed) string {
	if c.Index == "" {
		return c.Table
	}
	return c.Table + "/" + c.Index
}

func seconds(s float64) time.Duration {
	return time.Duration(s * float64(time.Second)).Round(100 * time.Millisecond)
}

// stated returns the cost that the document states, as the end of a sentence.
func stated(c *result.Cost) string {
	if c.Stated == "" {
		return ""
	}
	return "; the document states " + c.Stated
}
