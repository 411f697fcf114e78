package expr

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// The hot paths allocate no more than their results. The test is not parallel, because it counts allocations.
func TestAllocations(t *testing.T) {
	it := parseItem(t, counterItem)
	p := counterPlaceholders()
	filter, err := ParseCondition(FilterExpression, "bkt < :max AND NOT contains(firmware, #c)", &p)
	if err != nil {
		t.Fatal(err)
	}
	update, err := ParseUpdate("SET #c = #c + :one", &p)
	if err != nil {
		t.Fatal(err)
	}
	var matched bool
	var after item.Value
	for name, c := range map[string]struct {
		run  func()
		most float64
	}{
		"match a filter": {func() { matched, err = filter.Match(it, nil) }, 0},
		"parse a condition": {func() {
			filter, err = ParseCondition(FilterExpression, "attribute_exists(pk) AND #c < :max", &p)
		}, 1},
		"parse an update": {func() { update, err = ParseUpdate("SET #c = #c + :one", &p) }, 1},
		"apply an update": {func() { after, err = update.Apply(it, nil) }, 3},
	} {
		if n := testing.AllocsPerRun(100, c.run); n > c.most {
			t.Errorf("%s: %v allocations, %v at most", name, n, c.most)
		}
	}
	if !matched || after.Len() != it.Len() || err != nil {
		t.Error(matched, after, err)
	}
}
