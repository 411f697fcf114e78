package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	watched "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	schema "github.com/tabletop-db/tabletop/backend/telemetry"
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/features/steps"
)

func (w *world) cloud(sc *godog.ScenarioContext) {
	sc.Step(`^the service on an emulator with the cloud behaviour (\w+)$`, w.onCloud)
	sc.Step(`^the service on an emulator with the cloud behaviour (\w+), whose clock runs while the service waits$`,
		func(ctx context.Context, piece string) error {
			w.wait = func(_ context.Context, d time.Duration) error { return w.AdvanceClock(d) }
			return w.onCloud(ctx, piece)
		})
	sc.Step(`^the index still shows the key "([^"]*)" as active$`, w.indexShowsActive)
	sc.Step(`^(\d+) devices register within one second$`, w.manyAtOnce)
	sc.Step(`^none of them was refused$`, func() error {
		var errs []error
		for _, a := range w.Responses {
			errs = append(errs, a.Succeeded())
		}
		return errors.Join(errs...)
	})
	sc.Step(`^(no|some) writes of "([^"]*)" were throttled$`, w.throttled)
	sc.Step(`^(\d+) devices are written into the listing within one second$`, w.fillListing)
	sc.Step(`^the addition of the index "([^"]*)" on "(\w+), (\w+)" to "([^"]*)" is started$`, w.StartAddingIndex)
	sc.Step(`^the removal of the index "([^"]*)" of "([^"]*)" is started$`,
		func(ctx context.Context, index, table string) error {
			return w.StartRemovingIndex(ctx, table, index)
		})
	sc.Step(`^"([^"]*)" delivers (\d+) more readings$`, func(ctx context.Context, name string, n int) error {
		return w.deliver(ctx, w.next(w.device(name), n))
	})
	sc.Step(`^the index "([^"]*)" of "([^"]*)" cannot be queried yet$`, w.indexRefuses)
}

// onCloud starts the service on an emulator with a cloud behaviour, once its tables are ready.
func (w *world) onCloud(ctx context.Context, piece string) error {
	if err := w.Restart(emulator.WithLikeCloud(emulator.Piece(piece))); err != nil {
		return err
	}
	w.lags = piece == string(emulator.Lag)
	for _, t := range schema.Schema(w.Prefix).Tables {
		if _, err := w.Once.CreateTable(ctx, t.Create); err != nil {
			return err
		}
	}
	const made = 15 * time.Second // tables take 2 to 10 seconds if creation takes time
	return errors.Join(w.AdvanceClock(made), w.start())
}

func (w *world) indexShowsActive(ctx context.Context, name string) error {
	out, err := w.Once.Query(ctx, &dynamodb.QueryInput{
		TableName: w.Table("api_keys"), IndexName: aws.String("api_key_hash_index"),
		KeyConditionExpression:    aws.String("api_key_hash = :h"),
		ExpressionAttributeValues: steps.Item{":h": text(w.hash(w.keys[name].raw))},
	})
	if err != nil {
		return err
	}
	if len(out.Items) != 1 || !out.Items[0]["is_active"].(*types.AttributeValueMemberBOOL).Value {
		return fmt.Errorf("it shows %v", out.Items)
	}
	return nil
}

// manyAtOnce registers devices while the clock stands still.
func (w *world) manyAtOnce(ctx context.Context, n int) error {
	key, err := w.fleetKey(ctx)
	if err != nil {
		return err
	}
	w.Responses = nil
	for i := range n {
		w.Responses = append(w.Responses, w.Send(ctx, key, http.MethodPost, "/devices",
			w.device(fmt.Sprintf("device %02d", i+1)).registration()))
	}
	return nil
}

// throttled checks whether writes of a table and its indexes were throttled since the scenario began, according to
// CloudWatch.
func (w *world) throttled(ctx context.Context, want, table string) error {
	if err := w.AdvanceClock(time.Minute); err != nil {
		return err
	}
	got := 0.0
	dimensions := []watched.Dimension{{Name: aws.String("TableName"), Value: w.Table(table)}}
	for _, d := range [][]watched.Dimension{dimensions,
		append(dimensions, watched.Dimension{Name: aws.String("GlobalSecondaryIndexName"), Value: aws.String("gsi1")})} {
		out, err := w.CloudWatch().GetMetricStatistics(ctx, &cloudwatch.GetMetricStatisticsInput{
			Namespace: aws.String("AWS/DynamoDB"), MetricName: aws.String("WriteThrottleEvents"), Dimensions: d,
			Period:    aws.Int32(60),
			StartTime: aws.Time(w.Clock.Now().Add(-time.Hour)), EndTime: aws.Time(w.Clock.Now()),
			Statistics: []watched.Statistic{watched.StatisticSum},
		})
		if err != nil {
			return err
		}
		for _, point := range out.Datapoints {
			got += *point.Sum
		}
	}
	if (got > 0) != (want == "some") {
		return fmt.Errorf("%v were", got)
	}
	return nil
}

// fillListing writes items to the listing's partition without the service, while the clock stands still. Together they
// consume what the partition allows in a second.
func (w *world) fillListing(ctx context.Context, n int) error {
	var puts []types.WriteRequest
	for i := range n {
		puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: steps.Item{
			"hardware_id": text(fmt.Sprintf("00:00:00:00:%02X:%02X", i/256, i%256)), "gsi1pk": text("devices"),
			"gsi1sk": text(fmt.Sprint(i)),
		}}})
	}
	const most = 25 // items per batch
	for batch := range slices.Chunk(puts, most) {
		if err := w.PutBatch(ctx, map[string][]types.WriteRequest{*w.Table("devices"): batch}); err != nil {
			return err
		}
	}
	return nil
}

// indexRefuses checks that an index that is being created cannot be read.
func (w *world) indexRefuses(ctx context.Context, index, table string) error {
	_, err := w.Once.Scan(ctx, &dynamodb.ScanInput{TableName: w.Table(table), IndexName: &index})
	if err == nil || !strings.Contains(err.Error(), "ValidationException") && !strings.Contains(err.Error(),
		"ResourceNotFoundException") {
		return fmt.Errorf("it answers %w", err)
	}
	return nil
}
