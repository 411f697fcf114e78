package sim

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Count is a line of a result.
type Count struct {
	Name  string `json:"name"`
	N     int64  `json:"count"`
	Fault bool   `json:"fault,omitempty"` // any number but 0 is a failure
}

// Ledger counts what was done and what was found. It is safe for concurrent use.
type Ledger struct {
	mu          sync.Mutex
	actions     counts
	matches     counts
	faultCounts counts
	faultTexts  []string
}

// NewLedger returns a ledger whose result has these lines, in this order, even where their count is 0: what was done,
// what was found as expected, and the kinds of faults. Other lines follow.
func NewLedger(actions, matches, faults []string) *Ledger {
	return &Ledger{actions: newCounts(actions), matches: newCounts(matches), faultCounts: newCounts(faults)}
}

// CountAction counts something that was done.
func (l *Ledger) CountAction(what string) { l.add(&l.actions, what) }

// CountMatch counts something that was found at the end as expected.
func (l *Ledger) CountMatch(what string) { l.add(&l.matches, what) }

// ReportFault counts something that is not as expected, and keeps the first few descriptions for the report.
func (l *Ledger) ReportFault(kind, format string, args ...any) {
	l.add(&l.faultCounts, kind)
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.faultTexts) < MaxFaults {
		l.faultTexts = append(l.faultTexts, kind+": "+fmt.Sprintf(format, args...))
	}
}

func (l *Ledger) add(c *counts, what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c.n[what]++
}

// ActionCount returns how often something was done.
func (l *Ledger) ActionCount(what string) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.actions.n[what]
}

// CopyTo copies the counts and faults to a result.
func (l *Ledger) CopyTo(r *Result) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.Actions, r.Checks = l.actions.list(false), append(l.matches.list(false), l.faultCounts.list(true)...)
	r.Faults = slices.Sorted(slices.Values(l.faultTexts))
}

// counts are numbers by name, the declared names first.
type counts struct {
	order []string
	n     map[string]int64
}

func newCounts(order []string) counts { return counts{order: order, n: map[string]int64{}} }

func (c counts) list(fault bool) []Count {
	var all []Count
	for _, name := range c.order {
		all = append(all, Count{Name: name, N: c.n[name], Fault: fault})
	}
	for _, name := range slices.Sorted(maps.Keys(c.n)) {
		if !slices.Contains(c.order, name) {
			all = append(all, Count{Name: name, N: c.n[name], Fault: fault})
		}
	}
	return all
}

// The kinds of faults that Compare finds.
const (
	Lost       = "lost"
	Duplicated = "duplicated"
	Changed    = "changed"
	Unexpected = "unexpected"
)

// CompareFaults returns the kinds of faults that Compare finds, for NewLedger.
func CompareFaults() []string { return []string{Lost, Duplicated, Changed, Unexpected} }

// Compare compares what was found, objects of a kind such as "batch", with what is expected, by id, and counts each in
// the ledger: as found, such as "batches as expected" with the given plural, or as a fault. Fields that want lacks
// are not compared.
func Compare[W, G any](l *Ledger, kind, plural string, want map[string]W, got []G, id func(G) string) {
	seen := map[string]bool{}
	for _, g := range got {
		w, expected := want[id(g)]
		switch {
		case seen[id(g)]:
			l.ReportFault(Duplicated, "%s %s", kind, id(g))
		case !expected:
			l.ReportFault(Unexpected, "%s %s", kind, id(g))
		default:
			if differing := Differences(w, g); len(differing) > 0 {
				l.ReportFault(Changed, "%s %s: %s", kind, id(g), strings.Join(differing, ", "))
			} else {
				l.CountMatch(plural + " as expected")
			}
		}
		seen[id(g)] = true
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if !seen[key] {
			l.ReportFault(Lost, "%s %s", kind, key)
		}
	}
}

// Differences returns the JSON fields of want whose value got does not have, with both values; none if all agree. A
// field that want omits is not compared; one that got omits is "", 0 or false.
func Differences(want, got any) []string {
	w, g := jsonFields(want), jsonFields(got)
	var differing []string
	for name, value := range w {
		actual, present := g[name]
		if present && !reflect.DeepEqual(actual, value) || !present && value != "" && value != 0.0 && value != false {
			differing = append(differing, fmt.Sprintf("%s is %s, not %s", name, formatValue(actual, present),
				formatValue(value, true)))
		}
	}
	slices.Sort(differing)
	return differing
}

func formatValue(value any, present bool) string {
	if !present {
		return "absent"
	}
	if value == "" {
		return `""`
	}
	return fmt.Sprint(value)
}

// jsonFields returns the members of a value's JSON; if it is not an object, the value itself.
func jsonFields(v any) map[string]any {
	b, err := json.Marshal(v)
	if err != nil {
		return map[string]any{"it": err.Error()}
	}
	fields := map[string]any{}
	if json.Unmarshal(b, &fields) != nil {
		fields["it"] = string(b)
	}
	return fields
}
