package brewers

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const month = 28 * 24 * time.Hour

func TestPlanIsAFunctionOfSeedAndNumber(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(NewPlan(1, 42, month), NewPlan(1, 42, month)); diff != "" {
		t.Error("one seed and number gave two lives", diff)
	}
	if cmp.Equal(NewPlan(1, 42, month).Deeds, NewPlan(2, 42, month).Deeds) || cmp.Equal(NewPlan(1, 42, month).Deeds,
		NewPlan(1, 43, month).Deeds) {
		t.Error("two brewers live one life")
	}
}

// For any seed, a plan is in order: the profile comes first, and nothing refers to a batch or a reminder that does not
// exist yet.
func TestPlansAreInOrder(t *testing.T) {
	t.Parallel()
	var seen [kinds]int
	for n := range 300 {
		p := NewPlan(3, n, month)
		begun, set := map[int]bool{}, map[int]bool{}
		for i, d := range p.Deeds {
			seen[d.Kind]++
			switch {
			case i == 0 != (d.Kind == SignUp):
				t.Fatalf("brewer %d: deed %d is %v", n, i, d)
			case i > 0 && d.At < p.Deeds[i-1].At:
				t.Fatalf("brewer %d: %v after %v", n, d, p.Deeds[i-1])
			case d.Kind == Start:
				begun[d.Batch] = true
			case d.Kind == Remind:
				set[d.Reminder] = true
			case aboutBatch(d.Kind) && !begun[d.Batch]:
				t.Fatalf("brewer %d: %v of a batch that is not there", n, d)
			case (d.Kind == Cancel || d.Kind == FallDue) && !set[d.Reminder]:
				t.Fatalf("brewer %d: %v of a reminder that is not set", n, d)
			case (d.At%tick == 0) != (d.Kind == FallDue || d.Kind == Cancel && d.At == d.Due):
				t.Fatalf("brewer %d: %v at the schedulers' moment", n, d)
			}
		}
	}
	for k, n := range seen {
		if n == 0 {
			t.Errorf("no brewer does what is number %d: %q", k, Kind(k).did())
		}
	}
}

func aboutBatch(k Kind) bool {
	switch k {
	case TakeNote, TakePhoto, Bottle, MoveOn, Remind, Cancel, Share, Unshare, LookBack:
		return true
	}
	return false
}
