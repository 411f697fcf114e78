package features_test

import (
	"context"
	"os"
	"testing"

	"github.com/tabletop-db/tabletop/features"
	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/suite"
)

// TestFeatures runs every scenario on the embedded emulator, or on the target that TABLETOP_TARGET names.
func TestFeatures(t *testing.T) {
	t.Parallel()
	run, err := features.Run(context.Background(), features.Options{
		Target: os.Getenv("TABLETOP_TARGET"), Selection: report.Selection{Tags: os.Getenv("TABLETOP_TAGS")},
	})
	if err != nil {
		t.Fatal(err)
	}
	suite.RunSubtests(t, run.Run)
}
