package lag_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/emulator/internal/lag"
)

// TestHistories writes at random to a table of four items and to its index by city, where an item is in one city or in
// none, and reads after each step. Every replica, and the index, shows for each item a state that once was, and never
// an older one than before; an item is in at most one city; a range shows what its keys show; and after the longest
// delay all show the current state.
func TestHistories(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		h := &history{world: newWorld(t, true), seen: map[string]int{}}
		for i := range items {
			h.states[i] = []string{""}
		}
		steps := rapid.IntRange(1, 40).Draw(r, "steps")
		for range steps {
			switch rapid.IntRange(0, 3).Draw(r, "step") {
			case 0:
				d := rapid.SampledFrom([]time.Duration{0, time.Millisecond, 5 * time.Millisecond, 30 * time.Millisecond,
					time.Second}).Draw(r, "pass")
				h.advance(r, d)
			default:
				h.put(r, rapid.IntRange(0, items-1).Draw(r, "item"),
					rapid.SampledFrom([]string{"", "bonn", "cork", "turin"}).Draw(r, "city"))
			}
			h.check(r)
		}
		h.advance(r, lag.MaxDelay)
		h.checkCurrent(r)
	})
}

const items = 4

// history records all states of the items: state n of an item is stored as n and its city.
type history struct {
	*world
	states [items][]string // cities
	seen   map[string]int  // by reader and item: the state that was shown last
}

func itemKey(item int) string               { return fmt.Sprintf("i%d", item) }
func entryKey(item int, city string) string { return fmt.Sprintf("x%s/%d", city, item) }

func (h *history) put(t failer, item int, city string) {
	states := h.states[item]
	state, former := len(states), states[len(states)-1]
	value := fmt.Sprintf("%d %s", state, city)
	if city == "" {
		value = ""
	}
	h.write(t, lag.Table, "", change{itemKey(item), value})
	var changes []change
	if former != "" && former != city {
		changes = append(changes, change{entryKey(item, former), ""})
	}
	if city != "" {
		changes = append(changes, change{entryKey(item, city), value})
	}
	if changes != nil {
		h.write(t, lag.Index, "index of "+itemKey(item), changes...)
	}
	h.states[item] = append(states, city)
}

func (h *history) check(t failer) {
	for _, as := range []lag.Replica{lag.Leader, lag.Second, lag.Third, lag.Oldest} {
		for item := range items {
			h.look(t, fmt.Sprintf("replica %d at item %d", as, item), item, h.get(t, as, itemKey(item)))
		}
	}
	forward, backward := h.all(t, lag.Second, "x", "y", false), h.all(t, lag.Second, "x", "y", true)
	slices.Reverse(backward)
	if !slices.Equal(forward, backward) {
		t.Fatalf("forward %v, backward %v", forward, backward)
	}
	shown := [items]string{}
	for _, entry := range forward {
		item := int(entry.key[len(entry.key)-1] - '0')
		if shown[item] != "" {
			t.Fatalf("item %d is in two cities: %v", item, forward)
		}
		shown[item] = entry.value
		if got := h.get(t, lag.Second, entry.key); got != entry.value {
			t.Fatalf("%s is %q in the range and %q alone", entry.key, entry.value, got)
		}
	}
	for item, value := range shown {
		h.look(t, fmt.Sprintf("the index at item %d", item), item, value)
	}
	for i := 1; i < len(forward); i++ {
		if forward[i-1].key >= forward[i].key {
			t.Fatalf("out of order: %v", forward)
		}
	}
}

// look returns the state that a value shows, which must not be older than the one seen before.
func (h *history) look(t failer, who string, item int, value string) {
	for state := h.seen[who]; state < len(h.states[item]); state++ {
		city := h.states[item][state]
		if value == "" && city == "" || city != "" && value == fmt.Sprintf("%d %s", state, city) {
			h.seen[who] = state
			return
		}
	}
	t.Fatalf("%s shows %q, which is none of %q from %d on", who, value, h.states[item], h.seen[who])
}

func (h *history) checkCurrent(t failer) {
	for _, as := range []lag.Replica{lag.Second, lag.Third, lag.Oldest} {
		if got, want := h.all(t, as, "", "", false), h.all(t, lag.Leader, "", "", false); !slices.Equal(got, want) {
			t.Fatalf("replica %d shows %v when all has arrived, and the leader %v", as, got, want)
		}
	}
}

func TestDelaysAreAsDocumented(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind  lag.Kind
		share float64
		want  time.Duration
	}{
		{lag.Table, 0.5, 4 * time.Millisecond}, {lag.Table, 0.9, 10 * time.Millisecond},
		{lag.Table, 0.99, 50 * time.Millisecond},
		{lag.Table, 0.999, 200 * time.Millisecond}, {lag.Table, 1, time.Second},
		{lag.Index, 0.5, 20 * time.Millisecond}, {lag.Index, 0.9, 100 * time.Millisecond},
		{lag.Index, 0.99, 500 * time.Millisecond},
		{lag.Index, 0.999, 2 * time.Second}, {lag.Index, 1, lag.MaxDelay},
	} {
		if got := time.Duration(lag.Delay(c.kind, c.share)); got.Round(time.Microsecond) != c.want {
			t.Errorf("kind %d, %v of all: %v, want %v", c.kind, c.share, got, c.want)
		}
	}
}
