package features_test

import (
	"context"
	"os"
	"testing"

	"github.com/tabletop-db/tabletop/features"
	"github.com/tabletop-db/tabletop/features/report"
)

// TestFeatures runs every scenario on the embedded emulator, or on the target that TABLETOP_TARGET names.
func TestFeatures(t *testing.T) {
	t.Parallel()
	run, err := features.Run(context.Background(), features.Options{
		Target: os.Getenv("TABLETOP_TARGET"), Tags: os.Getenv("TABLETOP_TAGS"),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range run.Scenarios {
		t.Run(s.File+"/"+s.Name, func(t *testing.T) {
			switch s.Outcome {
			case report.Failed:
				t.Error(s.Reason)
			case report.NotApplicable, report.KnownFailure:
				t.Skip(s.Outcome, ": ", s.Reason)
			}
		})
	}
}
