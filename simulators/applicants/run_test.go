package applicants_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/simulators/applicants"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// testConfig returns the configuration of a few applicants with many lost responses.
func testConfig(n int) applicants.Config {
	return applicants.Config{Config: simenv.Config{Seed: 4, ResponseLossRate: 0.15}, Applicants: n, Clients: 2}
}

func TestEveryCaseEndsExactlyOnce(t *testing.T) {
	t.Parallel()
	res, err := applicants.Run(t.Context(), testConfig(14))
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Err(); err != nil {
		t.Error(err, res.Faults)
	}
	for _, c := range append(res.Actions, res.Checks...) {
		if c.N == 0 && !c.Fault {
			t.Errorf("there are no %s", c.Name)
		}
	}
	if res.ResponsesLost == 0 {
		t.Error("no answers were lost")
	}
}

func TestRunIsRepeatable(t *testing.T) {
	t.Parallel()
	var results [2]sim.Result
	for i := range results {
		res, err := applicants.Run(t.Context(), testConfig(3))
		if err != nil {
			t.Fatal(err)
		}
		results[i] = res
	}
	if diff := cmp.Diff(results[0].Actions, results[1].Actions); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(results[0].Checks, results[1].Checks); diff != "" {
		t.Error(diff)
	}
}
