package people

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlanIsAFunctionOfSeedAndNumber(t *testing.T) {
	t.Parallel()
	plan := func(seed uint64, number int) Plan { return NewPlan(seed, number, 50, DefaultDuration) }
	if diff := cmp.Diff(plan(1, 42), plan(1, 42)); diff != "" {
		t.Error("one seed and number gave two plans", diff)
	}
	if cmp.Equal(plan(1, 42), plan(2, 42)) || cmp.Equal(plan(1, 42), plan(1, 43)) {
		t.Error("two people have the same plan")
	}
}

// For any seed, a plan is in order, ends in time, and refers only to what exists.
func TestPlansAreInOrder(t *testing.T) {
	t.Parallel()
	var seen [kindCount]int
	for n := range 200 {
		p := NewPlan(3, n, 200, DefaultDuration)
		keys := map[int]Action{}
		for i, d := range p.Actions {
			seen[d.Kind]++
			switch first, again := keys[d.DedupeNumber]; {
			case d.At > DefaultDuration || i > 0 && d.At < p.Actions[i-1].At:
				t.Fatalf("person %d: action %d is at %v", n, i, d.At)
			case d.Phone >= p.Phones || p.Phones > maxPhones:
				t.Fatalf("person %d: %v of %d phones", n, d, p.Phones)
			case d.Kind == Notify && (d.To < 0 || d.To >= 200 || d.Count < 1 || d.Type == ""):
				t.Fatalf("person %d: %+v", n, d)
			case d.DedupeNumber > 0 && again && (first.To != d.To || first.Type != d.Type):
				t.Fatalf("person %d: one key for %+v and %+v", n, first, d)
			}
			if d.DedupeNumber > 0 {
				keys[d.DedupeNumber] = d
			}
		}
	}
	for k, n := range seen {
		if n == 0 {
			t.Errorf("nobody does what is number %d: %q", k, Kind(k).label())
		}
	}
}
