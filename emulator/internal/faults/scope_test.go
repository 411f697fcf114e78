package faults_test

import (
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
)

// TestInvalidRulesAreRefused sets rules over two services: Get and Put of one can be held, List of the other
// cannot.
func TestInvalidRulesAreRefused(t *testing.T) {
	t.Parallel()
	i := faults.New(clock.Manual(noon), 1, func() func() { return func() {} },
		faults.Scope{Operations: []string{"Get", "Put", "Describe"},
			Only: map[faults.Action][]string{faults.Hold: {"Get", "Put"}}},
		faults.Scope{Operations: []string{"List", "PutAll"}, Only: map[faults.Action][]string{faults.Hold: nil}})
	for _, c := range []struct {
		operations []string
		do         faults.Action
		problem    string
	}{
		{nil, faults.Hold, ""},
		{[]string{"Put*"}, faults.Hold, ""},
		{[]string{"List", "Get"}, faults.Hold, ""},
		{[]string{"Unknown"}, faults.Hold, ""},
		{[]string{"List"}, faults.Delay, ""},
		{[]string{"List"}, faults.Hold, "do: hold does not apply to the operations List: use Get, Put"},
		{[]string{"L*", "D*"}, faults.Hold, "do: hold does not apply to the operations L*, D*: use Get, Put"},
		{[]string{"PutAll"}, faults.Hold, "do: hold does not apply to the operations PutAll: use Get, Put"},
	} {
		_, err := i.Add(faults.Rule{Operations: c.operations, Do: c.do, Latency: time.Second})
		if (err == nil) != (c.problem == "") || err != nil && err.Error() != c.problem {
			t.Errorf("%s of %v: %v, not %q", c.do, c.operations, err, c.problem)
		}
	}
}
