package explore

import (
	"cmp"
	"fmt"
	"strings"
)

// A story shows some requests before the first mishap of a run, and after the last.
const (
	shownBefore = 3
	shownAfter  = 8
)

// Story tells in a few lines what happened in the run of a finding: the mishaps, the requests around them, how the
// program reacted, and how it ended. The same plan has the same story, unless the program prints what changes from run
// to run.
func (f *Finding) Story() string {
	var b strings.Builder
	for _, m := range f.Plan {
		fmt.Fprintf(&b, "%s\n", m)
	}
	if len(f.Also) > 0 {
		fmt.Fprintf(&b, "(also at the %s)\n", ordinals(f.Also))
	}
	b.WriteString("Requests:\n")
	f.Outcome.writeRequests(&b)
	f.Outcome.writeBreak(&b)
	fmt.Fprintf(&b, "Result: %s\n", f.Outcome.Reason)
	for line := range strings.Lines(strings.TrimSpace(f.Outcome.Output)) {
		b.WriteString("    " + strings.TrimRight(line, "\n") + "\n")
	}
	return b.String()
}

// writeRequests writes a line for each request around the mishaps.
func (o *Outcome) writeRequests(b *strings.Builder) {
	first, last := len(o.Requests), -1
	for i := range o.Requests {
		if o.Requests[i].Mishap != "" || o.Requests[i].Breaks {
			first, last = min(first, i), i
		}
	}
	from, to := max(0, first-shownBefore), min(len(o.Requests), last+1+shownAfter)
	if from > 0 {
		fmt.Fprintf(b, "    … %d requests\n", from)
	}
	by := sendersOf(o.Requests[from:to])
	for i := from; i < to; i++ {
		fmt.Fprintf(b, "  %3d%s  %s\n", i+1, by.mark(&o.Requests[i]), strings.TrimRight(o.line(i), " "))
	}
	if to < len(o.Requests) {
		fmt.Fprintf(b, "    … %d requests\n", len(o.Requests)-to)
	}
	by.write(b)
}

// writeBreak writes which request broke an invariant, who sent it, and the items before and after it.
func (o *Outcome) writeBreak(b *strings.Builder) {
	for i := range o.Requests {
		r := &o.Requests[i]
		if !r.Breaks || len(r.Changed) == 0 {
			continue
		}
		fmt.Fprintf(b, "Broken by: request %d, %s", i+1, r.Operation)
		if r.Client != "" {
			fmt.Fprintf(b, ", sent by %s", r.Client)
		}
		b.WriteString("\n")
		for _, c := range r.Changed {
			fmt.Fprintf(b, "    %s\n        before  %s\n        after   %s\n", c.Item, cmp.Or(c.Before, "none"),
				cmp.Or(c.After, "none"))
		}
	}
}

// line describes a request: operation, tables, key, and what happened to it or how it follows from what happened.
func (o *Outcome) line(i int) string {
	r := &o.Requests[i]
	note := ""
	switch {
	case r.Mishap != "":
		note = "← " + r.Mishap.short()
	case o.repeatsDisturbed(i):
		note = "the same request again"
	}
	if r.Breaks {
		note = strings.TrimPrefix(note+", ", ", ") + "after which an invariant is broken"
	}
	return fmt.Sprintf("%-18s %-16s %-20s %s", r.Operation, strings.Join(r.Tables, ", "), r.Key, note)
}

// repeatsDisturbed reports whether a request is an earlier, disturbed one that the client sends again.
func (o *Outcome) repeatsDisturbed(i int) bool {
	r := &o.Requests[i]
	for j := range i {
		earlier := &o.Requests[j]
		if earlier.Mishap != "" && earlier.Operation == r.Operation && earlier.Digest == r.Digest {
			return true
		}
	}
	return false
}
