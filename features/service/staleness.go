package service

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
)

// readResults is the result of many reads of one item.
type readResults struct {
	states map[string]int // how often each was returned
}

func (w *world) staleness(sc *godog.ScenarioContext) {
	sc.Step(`^the index "([^"]*)" of "([^"]*)" is queried for "([^"]*)"$`, w.queryIndex)
	sc.Step(`^the item (\{.*\}) of "([^"]*)" is read (\d+) times$`, w.readTimes)
	sc.Step(`^some reads show the state "([^"]*)", and the others the state "([^"]*)"$`, func(a, b string) error {
		return w.readsShow(a, b)
	})
	sc.Step(`^all reads show the state "([^"]*)"$`, func(state string) error { return w.readsShow(state) })
}

// queryIndex queries an index by its partition key, whatever its name.
func (w *world) queryIndex(ctx context.Context, index, table, value string) error {
	described, err := w.Once.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: w.Table(table)})
	if err != nil {
		return err
	}
	key := ""
	for _, g := range described.Table.GlobalSecondaryIndexes {
		if *g.IndexName == index {
			key = *g.KeySchema[0].AttributeName
		}
	}
	out, err := w.Once.Query(ctx, &dynamodb.QueryInput{
		TableName: w.Table(table), IndexName: &index, KeyConditionExpression: aws.String("#k = :v"),
		ExpressionAttributeNames:  map[string]string{"#k": key},
		ExpressionAttributeValues: steps.Item{":v": &types.AttributeValueMemberS{Value: value}},
	})
	if err == nil {
		w.Reply = steps.Reply{Found: out.Items}
	}
	return err
}

func (w *world) readTimes(ctx context.Context, text, table string, times int) error {
	w.read.states = map[string]int{}
	for range times {
		if err := w.Read(ctx, text, table, false); err != nil {
			return err
		}
		if w.Err != nil {
			return w.Err
		}
		state, _ := w.Item()["state"].(*types.AttributeValueMemberS)
		if state == nil {
			return fmt.Errorf("a read shows %v", w.Item())
		}
		w.read.states[state.Value]++
	}
	return nil
}

// readsShow checks that the reads returned exactly these states, each at least once.
func (w *world) readsShow(want ...string) error {
	for _, state := range want {
		if w.read.states[state] == 0 || len(w.read.states) != len(want) {
			return fmt.Errorf("they show %v", w.read.states)
		}
	}
	return nil
}
