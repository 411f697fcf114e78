package seeds_test

import (
	"slices"
	"testing"

	"github.com/tabletop-db/tabletop/internal/testutil/race"
	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

func TestRun(t *testing.T) {
	three := 3
	if race.Enabled {
		three = 9 // of which a third is run
	}
	for _, c := range []struct {
		name string
		env  map[string]string
		want []uint64
	}{
		{"default", nil, []uint64{1, 2, 3}},
		{"more", map[string]string{"TABLETOP_SEEDS": "5"}, []uint64{1, 2, 3, 4, 5}},
		{"from another", map[string]string{"TABLETOP_FIRST_SEED": "90"}, []uint64{90, 91, 92}},
		{"twice as many", map[string]string{"TABLETOP_SEED_FACTOR": "2"}, []uint64{1, 2, 3, 4, 5, 6}},
		{"replay", map[string]string{"TABLETOP_SEED": "17", "TABLETOP_SEEDS": "5"}, []uint64{17}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, name := range []string{"TABLETOP_SEED", "TABLETOP_SEEDS", "TABLETOP_SEED_FACTOR", "TABLETOP_FIRST_SEED"} {
				t.Setenv(name, c.env[name])
			}
			var got []uint64
			seeds.Run(t, three, func(_ *testing.T, seed uint64) { got = append(got, seed) })
			if !slices.Equal(got, c.want) {
				t.Errorf("seeds %v, want %v", got, c.want)
			}
		})
	}
}
