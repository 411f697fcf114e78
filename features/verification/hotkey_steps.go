package verification

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	schema "github.com/tabletop-db/tabletop/backend/verification"
	"github.com/tabletop-db/tabletop/features/steps"
)

// hotKeySteps registers the steps about how much of the table's throughput one key can use (VR-D5). They use large
// cases, so that few requests consume many units. The clock stands still, so all requests between two steps about time
// count in one second.
func (w *world) hotKeySteps(sc *godog.ScenarioContext) {
	sc.Step(`^AuthBridgeTable is warmed up for (\d+) reads and (\d+) writes a second$`, w.warm)
	sc.Step(`^one case of (\d+) write units is written (\d+) times$`, func(ctx context.Context, units, times int) {
		w.Race(ctx, times, func(ctx context.Context, _ int) error { return w.putLarge(ctx, largeCase(1, units)) })
	})
	sc.Step(`^(\d+) cases of (\d+) write units are written$`, func(ctx context.Context, cases, units int) {
		w.Race(ctx, cases, func(ctx context.Context, n int) error { return w.putLarge(ctx, largeCase(n, units)) })
	})
	sc.Step(`^(\d+) cases of (\d+) write units are written that were created on "([^"]*)"$`,
		func(ctx context.Context, cases, units int, day string) {
			w.Race(ctx, cases, func(ctx context.Context, n int) error {
				item := largeCase(n, units)
				// separate cases: moving one would write it twice
				item["PK"] = &types.AttributeValueMemberS{Value: largeKey(n) + day}
				item["GSI2PK"], item["GSI2SK"] = &types.AttributeValueMemberS{Value: "DATE#" + day}, item["PK"]
				return w.putLarge(ctx, item)
			})
		})
	sc.Step(`^one case of \d+ read units is read (\d+) times$`, func(ctx context.Context, times int) {
		w.Race(ctx, times, func(ctx context.Context, _ int) error { return w.getLarge(ctx, 1) })
	})
	sc.Step(`^(\d+) cases of \d+ read units are read (\d+) times each$`, func(ctx context.Context, cases, times int) {
		w.Race(ctx, cases*times, func(ctx context.Context, n int) error { return w.getLarge(ctx, n%cases+1) })
	})
}

// warm recreates the table on the scenario's emulator with the warm throughput of a table that has had such a load.
func (w *world) warm(ctx context.Context, reads, writes int64) error {
	in := *schema.Schema(w.Prefix).Tables[0].Create
	in.WarmThroughput = &types.WarmThroughput{ReadUnitsPerSecond: &reads, WriteUnitsPerSecond: &writes}
	_, err := w.Client.CreateTable(ctx, &in)
	return err
}

// largeCase returns an item of this number of write units, 1 KB each, minus what an index key may add.
func largeCase(n, units int) steps.Item {
	return steps.Item{
		"PK":  &types.AttributeValueMemberS{Value: largeKey(n)},
		"SK":  &types.AttributeValueMemberS{Value: "META"},
		"pad": &types.AttributeValueMemberS{Value: strings.Repeat("x", units*1024-200)},
	}
}

func largeKey(n int) string { return fmt.Sprintf("CASE#ver_%d", n) }

func (w *world) putLarge(ctx context.Context, item steps.Item) error {
	_, err := w.Once.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(w.Prefix + table), Item: item})
	return err
}

func (w *world) getLarge(ctx context.Context, n int) error {
	key := steps.Item{"PK": &types.AttributeValueMemberS{Value: largeKey(n)},
		"SK": &types.AttributeValueMemberS{Value: "META"}}
	_, err := w.Once.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String(w.Prefix + table), Key: key,
		ConsistentRead: aws.Bool(true)})
	return err
}
