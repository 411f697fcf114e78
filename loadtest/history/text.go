package history

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// WriteText writes how each metric changed from the first commit to the last, one line per figure with a bar for each
// commit.
func (t Trend) WriteText(w io.Writer) error {
	first, last := t.Commits[0], t.Commits[len(t.Commits)-1]
	all := 0
	for _, c := range t.Commits {
		all += len(c.Runs)
	}
	_, err := fmt.Fprintf(w, "%s on %s, %v at rate scale %g; %s\n  %s, %s: %s to %s\n", t.Profile, t.Setting.Target,
		time.Duration(t.Setting.Duration), t.Setting.Scale, t.Setting.Machine, commits(len(t.Commits)), runs(all),
		first.ID, last.ID)
	if err != nil {
		return err
	}
	if err := t.writeMetrics(w, first, last); err != nil {
		return err
	}
	if !last.passed() {
		_, _ = fmt.Fprintf(w, "  FAIL  %s: %s\n", last.ID, last.failed())
	}
	for _, line := range t.NotCompared() {
		if _, err := fmt.Fprintf(w, "  %s\n", line); err != nil {
			return err
		}
	}
	return nil
}

// writeMetrics writes one line for each metric of the last commit.
func (t Trend) writeMetrics(w io.Writer, first, last Commit) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "  metric\ttrend\tfirst\tlast\tchange")
	for _, f := range metrics() {
		now, has := last.spread(f)
		if !has {
			continue
		}
		before, change := "-", "new"
		if was, had := first.spread(f); had {
			before, change = was.String(), f.change(was, now, 0).describe()
		}
		_, _ = fmt.Fprintf(table, "  %s\t%s\t%s\t%s\t%s\n", f.name, t.bars(f), before, now, change)
	}
	return table.Flush()
}

func commits(n int) string {
	if n == 1 {
		return "1 commit"
	}
	return thousands.Sprintf("%d commits", n)
}

// bars returns the medians of a metric as bars, scaled from zero to the highest. A dot is a commit without the metric.
// Only the last 40 commits are shown.
func (t Trend) bars(f metric) string {
	const blocks, most = "▁▂▃▄▅▆▇█", 40
	shown := t.Commits[max(0, len(t.Commits)-most):]
	highest := 0.0
	for _, c := range shown {
		s, _ := c.spread(f)
		highest = max(highest, s.Median)
	}
	levels := []rune(blocks)
	text := ""
	for _, c := range shown {
		s, has := c.spread(f)
		switch {
		case !has:
			text += "·"
		case highest == 0:
			text += string(levels[0])
		default:
			text += string(levels[int(math.Round(s.Median/highest*float64(len(levels)-1)))])
		}
	}
	return text
}

// String returns the median, with the minimum and the maximum if they differ.
func (s Spread) String() string {
	if s.Min == s.Max {
		return number(s.Median)
	}
	return fmt.Sprintf("%s (%s–%s)", number(s.Median), number(s.Min), number(s.Max))
}

func number(v float64) string {
	return thousands.Significant(v, 3)
}

// String returns the change as one line.
func (c Change) String() string {
	text := fmt.Sprintf("%s %s, was %s: %s", c.Metric, c.Now, c.Before, c.describe())
	if c.Noise {
		text += " (noise: the runs overlap)"
	}
	return text
}

// describe returns how much better or worse the median is.
func (c Change) describe() string {
	switch {
	case c.Worsening == 1:
		return "unchanged"
	case math.IsInf(c.Worsening, 1):
		return "worse, from 0"
	case c.Worsening == 0:
		return "better, now 0"
	case c.Worsening > 1:
		return fmt.Sprintf("%.2f× worse", c.Worsening)
	}
	return fmt.Sprintf("%.2f× better", 1/c.Worsening)
}
