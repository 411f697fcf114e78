package service

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
)

// soon is how long what comes by itself may take, of the machine's time.
const soon = 30 * time.Second

func (w *world) clocks(sc *godog.ScenarioContext) {
	sc.Step(`^items of "([^"]*)" end at their "([^"]*)"$`, w.endAt)
	sc.Step(`^an item of "([^"]*)" with the id "([^"]*)" that ends in (\d+) days$`, w.putEnding)
	sc.Step(`^it has the id "([^"]*)"$`, w.hasID)
	sc.Step(`^the item (\{.*\}) of "([^"]*)" is soon gone$`, w.soonGone)
	sc.Step(`^the clock shows the same time twice$`, w.standsStill)
	sc.Step(`^the clock soon shows another time$`, w.goesOn)
}

// endAt turns the table's TTL on.
func (w *world) endAt(ctx context.Context, table, attribute string) error {
	_, err := w.client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName:               w.table(table),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: &attribute, Enabled: aws.Bool(true)},
	})
	return err
}

func (w *world) putEnding(ctx context.Context, table, id string, days int) error {
	until := w.emulator.Now().Add(steps.Span(days, "day")).Unix()
	_, err := w.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: w.table(table), Item: item{
		"id": &types.AttributeValueMemberS{Value: id}, "until": &types.AttributeValueMemberN{Value: strconv.FormatInt(until, 10)},
	}})
	return err
}

func (w *world) hasID(id string) error {
	got, ok := w.last.item["id"].(*types.AttributeValueMemberS)
	if w.last.err != nil || !ok || got.Value != id {
		return fmt.Errorf("the answer is %v, %v", w.last.item, w.last.err)
	}
	return nil
}

func (w *world) soonGone(ctx context.Context, key, table string) error {
	return steps.Await(ctx, soon, func() (bool, error) {
		err := w.get(ctx, key, table, true)
		return err == nil && w.last.err == nil && w.last.item == nil, err
	})
}

func (w *world) standsStill() error {
	if first, second := w.emulator.Now(), w.emulator.Now(); !first.Equal(second) {
		return fmt.Errorf("it shows %v, and then %v", first, second)
	}
	return nil
}

func (w *world) goesOn(ctx context.Context) error {
	first := w.emulator.Now()
	return steps.Await(ctx, soon, func() (bool, error) { return w.emulator.Now().After(first), nil })
}
