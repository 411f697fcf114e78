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

// maxFaults keeps a report readable.
const maxFaults = 20

// Count is a line of a result.
type Count struct {
	Name  string `json:"name"`
	N     int64  `json:"count"`
	Fault bool   `json:"fault,omitempty"` // any number but 0 is a failure
}

// Ledger counts what was done and what was found. It is safe for concurrent use.
type Ledger struct {
	mu     sync.Mutex
	did    counts
	found  counts
	wrong  counts
	faults []string
}

// NewLedger returns a ledger whose result has these lines, in this order, even where their count is 0: what was done,
// what was found as expected, and the kinds of faults. Other lines follow.
func NewLedger(did, found, wrong []string) *Ledger {
	return &Ledger{did: newCounts(did), found: newCounts(found), wrong: newCounts(wrong)}
}

// Did counts something that was done.
func (l *Ledger) Did(what string) { l.add(&l.did, what) }

// Found counts something that was found at the end as expected.
func (l *Ledger) Found(what string) { l.add(&l.found, what) }

// Fault counts something that is not as expected, and keeps the first few descriptions for the report.
func (l *Ledger) Fault(kind, format string, args ...any) {
	l.add(&l.wrong, kind)
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.faults) < maxFaults {
		l.faults = append(l.faults, kind+": "+fmt.Sprintf(format, args...))
	}
}

func (l *Ledger) add(c *counts, what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c.n[what]++
}

// N returns how often something was done.
func (l *Ledger) N(what string) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.did.n[what]
}

// Write copies the counts and faults to a result.
func (l *Ledger) Write(r *Result) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.Did, r.Found = l.did.list(false), append(l.found.list(false), l.wrong.list(true)...)
	r.Faults = slices.Sorted(slices.Values(l.faults))
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
	Lost    = "lost"
	Twice   = "duplicated"
	Changed = "changed"
	Foreign = "unexpected"
)

// Faults returns the kinds of faults that Compare finds, for NewLedger.
func Faults() []string { return []string{Lost, Twice, Changed, Foreign} }

// Compare compares what was found, objects of a kind such as "batch", with what is expected, by id, and counts each in
// the ledger: as found, such as "batches as expected" with the given plural, or as a fault. Fields that want lacks
// are not compared.
func Compare[W, G any](l *Ledger, kind, plural string, want map[string]W, got []G, id func(G) string) {
	seen := map[string]bool{}
	for _, g := range got {
		w, expected := want[id(g)]
		switch {
		case seen[id(g)]:
			l.Fault(Twice, "%s %s", kind, id(g))
		case !expected:
			l.Fault(Foreign, "%s %s", kind, id(g))
		default:
			if differing := Differences(w, g); len(differing) > 0 {
				l.Fault(Changed, "%s %s: %s", kind, id(g), strings.Join(differing, ", "))
			} else {
				l.Found(plural + " as expected")
			}
		}
		seen[id(g)] = true
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if !seen[key] {
			l.Fault(Lost, "%s %s", kind, key)
		}
	}
}

// Differences returns the JSON fields of want whose value got does not have, with both values; none if all agree. A
// field that want omits is not compared; one that got omits is "", 0 or false.
func Differences(want, got any) []string {
	w, g := fields(want), fields(got)
	var differing []string
	for name, value := range w {
		has, there := g[name]
		if there && !reflect.DeepEqual(has, value) || !there && value != "" && value != 0.0 && value != false {
			differing = append(differing, fmt.Sprintf("%s is %s, not %s", name, shown(has, there), shown(value, true)))
		}
	}
	slices.Sort(differing)
	return differing
}

func shown(value any, there bool) string {
	if !there {
		return "absent"
	}
	if value == "" {
		return `""`
	}
	return fmt.Sprint(value)
}

// fields returns the members of a value's JSON; if it is not an object, the value itself.
func fields(v any) map[string]any {
	b, err := json.Marshal(v)
	if err != nil {
		return map[string]any{"it": err.Error()}
	}
	all := map[string]any{}
	if json.Unmarshal(b, &all) != nil {
		all["it"] = string(b)
	}
	return all
}
