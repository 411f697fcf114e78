package phones_test

import (
	"os"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/simulators/phones"
	"github.com/tabletop-db/tabletop/simulators/venue"
)

// TestRun lives through four months, in which devices expire, and finds everything as it must be.
func TestRun(t *testing.T) {
	t.Parallel()
	res, err := phones.Run(t.Context(), phones.Config{Config: venue.Config{Seed: 1, AnswerLost: 0.02}, Users: 6, Duration: 120 * 24 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Err(); err != nil || testing.Verbose() {
		_ = res.WriteText(os.Stdout)
		if err != nil {
			t.Error(err)
		}
	}
}
