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
		t.Error("one seed and number gave two plans", diff)
	}
	if cmp.Equal(NewPlan(1, 42, month).Actions, NewPlan(2, 42, month).Actions) || cmp.Equal(NewPlan(1, 42, month).Actions,
		NewPlan(1, 43, month).Actions) {
		t.Error("two brewers have the same plan")
	}
}

// For any seed, a plan is in order: the profile comes first, and nothing refers to a batch or a reminder that does not
// exist yet.
func TestPlansAreInOrder(t *testing.T) {
	t.Parallel()
	var seen [kindCount]int
	for n := range 300 {
		p := NewPlan(3, n, month)
		started, set := map[int]bool{}, map[int]bool{}
		for i, d := range p.Actions {
			seen[d.Kind]++
			switch {
			case i == 0 != (d.Kind == SignUp):
				t.Fatalf("brewer %d: action %d is %v", n, i, d)
			case i > 0 && d.At < p.Actions[i-1].At:
				t.Fatalf("brewer %d: %v after %v", n, d, p.Actions[i-1])
			case d.Kind == StartBatch:
				started[d.Batch] = true
			case d.Kind == SetReminder:
				set[d.Reminder] = true
			case aboutBatch(d.Kind) && !started[d.Batch]:
				t.Fatalf("brewer %d: %v of a batch that does not exist", n, d)
			case (d.Kind == CancelReminder || d.Kind == ReminderDue) && !set[d.Reminder]:
				t.Fatalf("brewer %d: %v of a reminder that is not set", n, d)
			case (d.At%tick == 0) != (d.Kind == ReminderDue || d.Kind == CancelReminder && d.At == d.Due):
				t.Fatalf("brewer %d: %v at the schedulers' moment", n, d)
			}
		}
	}
	for k, n := range seen {
		if n == 0 {
			t.Errorf("no brewer does what is number %d: %q", k, Kind(k).label())
		}
	}
}

func aboutBatch(k Kind) bool {
	switch k {
	case AddNote, AddPhoto, Bottle, ChangeStatus, SetReminder, CancelReminder, Share, Unshare, ReadTimeline:
		return true
	}
	return false
}
