package applicants_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/simulators/applicants"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/venue"
)

// queue returns the configuration of a few applicants with many lost responses.
func queue(n int) applicants.Config {
	return applicants.Config{Config: venue.Config{Seed: 4, AnswerLost: 0.15}, Applicants: n, Clients: 2}
}

func TestEveryCaseComesToItsEndOnce(t *testing.T) {
	t.Parallel()
	res, err := applicants.Run(t.Context(), queue(14))
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Err(); err != nil {
		t.Error(err, res.Faults)
	}
	for _, c := range append(res.Did, res.Found...) {
		if c.N == 0 && !c.Fault {
			t.Errorf("there are no %s", c.Name)
		}
	}
	if res.AnswersLost == 0 {
		t.Error("no answers were lost")
	}
}

func TestRunIsRepeatable(t *testing.T) {
	t.Parallel()
	var results [2]sim.Result
	for i := range results {
		res, err := applicants.Run(t.Context(), queue(3))
		if err != nil {
			t.Fatal(err)
		}
		results[i] = res
	}
	if diff := cmp.Diff(results[0].Did, results[1].Did); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(results[0].Found, results[1].Found); diff != "" {
		t.Error(diff)
	}
}
