package phones_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/simulators/phones"
)

const duration = 120 * 24 * time.Hour

// TestPlanDependsOnlyOnSeedAndNumber checks that equal seeds give equal plans, and different seeds different ones.
func TestPlanDependsOnlyOnSeedAndNumber(t *testing.T) {
	t.Parallel()
	days := func(seed uint64, number int) (all [][]phones.Event) {
		plan := phones.NewPlan(seed, number, duration)
		for n := range 30 {
			all = append(all, plan.Day(n))
		}
		return all
	}
	if !reflect.DeepEqual(days(1, 3), days(1, 3)) || reflect.DeepEqual(days(1, 3), days(2, 3)) ||
		reflect.DeepEqual(days(1, 3), days(1, 4)) {
		t.Error("a plan does not follow from seed and number alone")
	}
}

// TestDaysAreInOrder checks that days are in order of time, one after another, and that no phone does two things at
// once; phones act in even minutes, and the deletion of everything has an odd minute of its own.
func TestDaysAreInOrder(t *testing.T) {
	t.Parallel()
	kinds := map[phones.Kind]int{}
	morning := map[int]int{} // launches by the hour of the user's day
	for number := range 200 {
		plan := phones.NewPlan(1, number, duration)
		last := time.Duration(-1)
		for n := range 120 {
			busy := map[int]time.Duration{}
			for _, e := range plan.Day(n) {
				if e.At < last || e.At%time.Minute != 0 || e.At < 0 {
					t.Fatalf("user %d, day %d: %v after %v", number, n, e.At, last)
				}
				last = e.At
				kinds[e.Kind]++
				minute := int(e.At/time.Minute) % 4
				switch {
				case e.Kind < phones.Job && minute%2 != 0, e.Kind == phones.Delete && minute != 3,
					e.Kind == phones.Job && minute == 3:
					t.Errorf("user %d: kind %d in minute %v", number, e.Kind, e.At)
				case e.Kind < phones.Job:
					if at, twice := busy[e.Phone]; twice && at == e.At {
						t.Errorf("user %d: phone %d does two things at %v", number, e.Phone, at)
					}
					busy[e.Phone] = e.At
				}
				if e.Kind == phones.Open {
					morning[int((e.At+plan.Zone)%(24*time.Hour)/time.Hour)]++
				}
			}
		}
	}
	for kind := phones.Open; kind <= phones.Delete; kind++ {
		if kinds[kind] == 0 {
			t.Errorf("nothing of kind %d ever happens", kind)
		}
	}
	if morning[6] == 0 || morning[7] == 0 || morning[12] > 0 {
		t.Errorf("launches by the hour: %v", morning)
	}
}
