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

// reading is what many reads of one item showed.
type reading struct {
	found  int            // items, of the last query
	states map[string]int // how often each was shown
}

func (w *world) staleness(sc *godog.ScenarioContext) {
	sc.Step(`^a table "([^"]*)" with the key "([^"]*)" and the index "([^"]*)" on "([^"]*)"$`, w.createIndexed)
	sc.Step(`^the index "([^"]*)" of "([^"]*)" is asked for "([^"]*)"$`, w.askIndex)
	sc.Step(`^(no|\d+) items? (?:is|are) found$`, func(count string) error {
		if want := steps.Count(count); w.read.found != want {
			return fmt.Errorf("%d are found", w.read.found)
		}
		return nil
	})
	sc.Step(`^the item (\{.*\}) of "([^"]*)" is read in a transaction$`, w.getInTransaction)
	sc.Step(`^the item (\{.*\}) of "([^"]*)" is read (\d+) times$`, w.getOften)
	sc.Step(`^some reads show the state "([^"]*)", and the others the state "([^"]*)"$`, func(a, b string) error { return w.statesAre(a, b) })
	sc.Step(`^all reads show the state "([^"]*)"$`, func(state string) error { return w.statesAre(state) })
}

func (w *world) createIndexed(ctx context.Context, table, key, index, attribute string) error {
	in := tableOf(w.Prefix+table, key, "")
	in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: &attribute, AttributeType: types.ScalarAttributeTypeS})
	in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{{
		IndexName: &index, Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		KeySchema: []types.KeySchemaElement{{AttributeName: &attribute, KeyType: types.KeyTypeHash}},
	}}
	return w.create(ctx, in)
}

// askIndex queries an index by its partition key, whichever attribute that is.
func (w *world) askIndex(ctx context.Context, index, table, value string) error {
	described, err := w.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: w.table(table)})
	if err != nil {
		return err
	}
	key := ""
	for _, g := range described.Table.GlobalSecondaryIndexes {
		if *g.IndexName == index {
			key = *g.KeySchema[0].AttributeName
		}
	}
	out, err := w.client.Query(ctx, &dynamodb.QueryInput{
		TableName: w.table(table), IndexName: &index, KeyConditionExpression: aws.String("#k = :v"),
		ExpressionAttributeNames:  map[string]string{"#k": key},
		ExpressionAttributeValues: item{":v": &types.AttributeValueMemberS{Value: value}},
	})
	if err == nil {
		w.read.found = len(out.Items)
	}
	return err
}

func (w *world) getInTransaction(ctx context.Context, text, table string) error {
	key, err := itemOf(text)
	if err != nil {
		return err
	}
	out, err := w.client.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{{Get: &types.Get{TableName: w.table(table), Key: key}}}})
	if w.last = (reply{err: err}); err == nil {
		w.last.item = out.Responses[0].Item
	}
	return nil
}

func (w *world) getOften(ctx context.Context, text, table string, times int) error {
	w.read.states = map[string]int{}
	for range times {
		if err := w.get(ctx, text, table, false); err != nil {
			return err
		}
		if w.last.err != nil {
			return w.last.err
		}
		state, _ := w.last.item["state"].(*types.AttributeValueMemberS)
		if state == nil {
			return fmt.Errorf("a read shows %v", w.last.item)
		}
		w.read.states[state.Value]++
	}
	return nil
}

// statesAre holds that the reads showed these states, each at least once, and no other.
func (w *world) statesAre(want ...string) error {
	for _, state := range want {
		if w.read.states[state] == 0 || len(w.read.states) != len(want) {
			return fmt.Errorf("they show %v", w.read.states)
		}
	}
	return nil
}
