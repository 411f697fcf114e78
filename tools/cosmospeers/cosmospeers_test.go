package main

import (
	"strings"
	"testing"
)

// TestTargets checks what is printed for targets that are reached and missed.
func TestTargets(t *testing.T) {
	t.Parallel()
	r := &report{}
	r.compare("point read", []*peer{{name: "tabletop"}, {name: "other"}, {name: "bare", bare: true}}, map[string]result{
		"tabletop": {perSecond: 600}, "other": {perSecond: 300}, "bare": {perSecond: 1000},
	})
	r.atMost("ms", 1, 2)
	if got := strings.Join(r.failures(), "\n"); got != "point read relative to the fastest peer: 2.00, want at least 3" {
		t.Error(got)
	}
	if len(r.targets) != 3 {
		t.Error(r)
	}
}

func TestItemsHaveOneKilobyte(t *testing.T) {
	t.Parallel()
	if n := len(item("i00000", "p0", 0)); n < 950 || n > 1050 {
		t.Errorf("an item has %d bytes", n)
	}
}
