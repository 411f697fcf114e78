package service

import (
	"context"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
)

func (w *world) clocks(sc *godog.ScenarioContext) {
	sc.Step(`^an item of "([^"]*)" with the id "([^"]*)" that expires in (\d+) days?$`, w.putExpiringIn)
	sc.Step(`^the clock stands still$`, w.clockStandsStill)
	sc.Step(`^the clock advances$`, w.clockAdvances)
}

func (w *world) putExpiringIn(ctx context.Context, table, id string, days int) error {
	until := w.Target.Emulator.Now().Add(steps.DurationOf(days, "day")).Unix()
	_, err := w.Once.PutItem(ctx, &dynamodb.PutItemInput{TableName: w.Table(table), Item: steps.Item{
		"id":    &types.AttributeValueMemberS{Value: id},
		"until": &types.AttributeValueMemberN{Value: strconv.FormatInt(until, 10)},
	}})
	return err
}

func (w *world) clockStandsStill() error {
	if first, second := w.Target.Emulator.Now(), w.Target.Emulator.Now(); !first.Equal(second) {
		return fmt.Errorf("it shows %v, and then %v", first, second)
	}
	return nil
}

func (w *world) clockAdvances(ctx context.Context) error {
	first := w.Target.Emulator.Now()
	return steps.Await(ctx, steps.ResponseTimeout, func() (bool, error) {
		return w.Target.Emulator.Now().After(first), nil
	})
}
