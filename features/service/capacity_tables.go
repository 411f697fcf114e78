package service

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/internal/model/heatmap"
)

func (w *world) capacityOfTables(sc *godog.ScenarioContext) {
	const units = ` a capacity of (\d+) reads? and (\d+) writes? a second$`
	sc.Step(`^"([^"]*)" has an index "([^"]*)" on "([^"]*)" with`+units, w.addIndex)
	sc.Step(`^the capacity of "([^"]*)" is changed to (\d+) reads and (\d+) writes a second$`, w.setCapacity)
	sc.Step(`^"([^"]*)" is warmed up for (\d+) reads and (\d+) writes a second$`, w.warmUp)
	sc.Step(`^the heat map of "([^"]*)" has (\d+) partitions, one of which throttled requests$`, w.heatOf)
	sc.Step(`^its hottest key is "([^"]*)"$`, w.hottest)
}

func throughput(reads, writes int64) *types.ProvisionedThroughput {
	return &types.ProvisionedThroughput{ReadCapacityUnits: &reads, WriteCapacityUnits: &writes}
}

func (w *world) addIndex(ctx context.Context, table, index, on string, reads, writes int64) error {
	_, err := w.Once.UpdateTable(ctx, &dynamodb.UpdateTableInput{
		TableName:            w.Table(table),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: &on, AttributeType: types.ScalarAttributeTypeS}},
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
			IndexName: &index, KeySchema: []types.KeySchemaElement{{AttributeName: &on, KeyType: types.KeyTypeHash}},
			Projection:            &types.Projection{ProjectionType: types.ProjectionTypeAll},
			ProvisionedThroughput: throughput(reads, writes),
		}}},
	})
	return err
}

func (w *world) setCapacity(ctx context.Context, table string, reads, writes int64) error {
	_, err := w.Once.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: w.Table(table),
		ProvisionedThroughput: throughput(reads, writes)})
	w.Reply = steps.Reply{Err: err}
	return nil
}

func (w *world) warmUp(ctx context.Context, table string, reads, writes int64) error {
	_, err := w.Once.UpdateTable(ctx, &dynamodb.UpdateTableInput{
		TableName: w.Table(table), WarmThroughput: &types.WarmThroughput{ReadUnitsPerSecond: &reads,
			WriteUnitsPerSecond: &writes},
	})
	return err
}

// heatOf reads the heat map as tabletop heat does.
func (w *world) heatOf(ctx context.Context, table string, partitions int) error {
	if err := w.command(ctx, "GET /_tabletop/heat?table="+aws.ToString(w.Table(table)), "", ""); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(w.response.body), &w.heat); err != nil || len(w.heat) != 1 ||
		len(w.heat[0].Minutes) != 1 {
		return fmt.Errorf("the heat map is %s (%v)", w.response.body, err)
	}
	throttled := 0
	for _, p := range w.heat[0].Minutes[0].Partitions {
		if p.Throttled > 0 {
			throttled++
		}
	}
	if got := len(w.heat[0].Partitions); got != partitions || throttled != 1 {
		return fmt.Errorf("there are %d partitions, of which %d throttled requests", got, throttled)
	}
	return nil
}

func (w *world) hottest(key string) error {
	if keys := w.heat[0].Minutes[0].Keys; len(keys) == 0 || keys[0].Key != key {
		return fmt.Errorf("the hottest keys are %v", keys)
	}
	return nil
}

// heatmaps are the heat maps last read from the emulator.
type heatmaps []heatmap.Table
