package verdict

import (
	"testing"

	"github.com/tabletop-db/tabletop/loadtest/result"
)

// TestMisreportedHotDevices checks that a hot device that is not reported counts, and one that is reported but not hot.
func TestMisreportedHotDevices(t *testing.T) {
	t.Parallel()
	hot := func(ids ...string) (list []result.HotDevice) {
		for _, id := range ids {
			list = append(list, result.HotDevice{HardwareID: id})
		}
		return list
	}
	for name, test := range map[string]struct {
		wrote    []result.HotDevice
		named    []string
		want     float64
		measured bool
	}{
		"the same":  {hot("a", "b"), []string{"b", "a"}, 0, true},
		"nobody":    {nil, []string{}, 0, true},
		"not named": {hot("a", "b"), []string{"a"}, 1, true},
		"another":   {hot("a"), []string{"b"}, 2, true},
		"one more":  {hot("a"), []string{"a", "b"}, 1, true},
		"not read":  {hot("a"), nil, 1, false},
	} {
		got, measured := misreportedHotDevices(&result.Report{Hot: test.wrote, ReportedHot: test.named})
		if got != test.want || measured != test.measured {
			t.Errorf("%s: %v, %v", name, got, measured)
		}
	}
}
