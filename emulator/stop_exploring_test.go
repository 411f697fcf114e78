package emulator_test

import (
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/explore"
)

// TestNothingIsExploredAfterStopExploring sends a request to which a mishap would happen.
func TestNothingIsExploredAfterStopExploring(t *testing.T) {
	t.Parallel()
	plan, err := explore.ParsePlan("throttle Scan 2 counters")
	if err != nil {
		t.Fatal(err)
	}
	var recorded atomic.Int32
	e := emulator.Run(t, emulator.WithExploration(plan, func(explore.Request) { recorded.Add(1) }))
	db := dynamodb.NewFromConfig(e.AWSConfig(), func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} })
	scan := func() error {
		_, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("counters")})
		return err
	}
	newTable(db, "counters")
	if err := scan(); err != nil {
		t.Fatal(err)
	}
	before := recorded.Load()
	e.StopExploring()
	if err := scan(); err != nil || recorded.Load() != before {
		t.Errorf("after StopExploring: %v, %d requests recorded, want %d", err, recorded.Load(), before)
	}
}
