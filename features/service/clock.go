package service

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
)

func (w *world) clocks(sc *godog.ScenarioContext) {
	sc.Step(`^an item of "([^"]*)" with the id "([^"]*)", which expires in (\d+) days?, is put$`, w.putExpiringIn)
	sc.Step(`^the clock stands still$`, w.clockStandsStill)
	sc.Step(`^the clock advances$`, w.clockAdvances)
	sc.Step(`^the clock advances more slowly than real time$`, w.clockIsSlow)
}

func (w *world) putExpiringIn(ctx context.Context, table, id string, days int) error {
	until := w.Target.Emulator.Now().Add(steps.DurationOf(days, "day")).Unix()
	_, err := w.Once.PutItem(ctx, &dynamodb.PutItemInput{TableName: w.Table(table), Item: steps.Item{
		"id":    &types.AttributeValueMemberS{Value: id},
		"until": &types.AttributeValueMemberN{Value: strconv.FormatInt(until, 10)},
	}})
	return err
}

// observed is how long, in real time, a step observes the clock. A clock of normal speed advances in it.
const observed = 20 * time.Millisecond

func (w *world) clockStandsStill(ctx context.Context) error {
	began, first := time.Now(), w.Target.Emulator.Now()
	return steps.Await(ctx, steps.ResponseTimeout, func() (bool, error) {
		if now := w.Target.Emulator.Now(); !now.Equal(first) {
			return false, fmt.Errorf("it showed %v, and then %v", first, now)
		}
		return time.Since(began) > observed, nil
	})
}

// clockIsSlow measures the real time between two readings of the clock, so that a clock of normal speed advances by at
// least as much.
func (w *world) clockIsSlow(ctx context.Context) error {
	first, began := w.Target.Emulator.Now(), time.Now()
	return steps.Await(ctx, steps.ResponseTimeout, func() (bool, error) {
		passed := time.Since(began)
		advanced := w.Target.Emulator.Now().Sub(first)
		if passed > observed && advanced >= passed {
			return false, fmt.Errorf("it advanced by %v in %v", advanced, passed)
		}
		return passed > observed && advanced > 0, nil
	})
}

func (w *world) clockAdvances(ctx context.Context) error {
	first := w.Target.Emulator.Now()
	return steps.Await(ctx, steps.ResponseTimeout, func() (bool, error) {
		return w.Target.Emulator.Now().After(first), nil
	})
}
