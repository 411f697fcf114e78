package devicetoken

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
)

const activeDevices = "ActiveDevicesIndex"

func (w *world) activeIndexes(sc *godog.ScenarioContext) {
	sc.Step(`^a table is created with the documented index, on platform and the Boolean isActive$`,
		w.createWithBooleanIndex)
	sc.Step(`^the documented index is added to the table$`, w.addBooleanIndex)
	sc.Step(`^the index of active phones is added$`, func(ctx context.Context) error {
		if err := w.AddIndex(ctx, table, activeDevices, "platform", "activeAt"); err != nil {
			return err
		}
		return w.AwaitIndex(ctx, table, activeDevices, true)
	})
	sc.Step(`^the service records since when phones are active$`, func() error {
		w.withActiveIndex = true
		return w.start(w.RecordedConfig())
	})
	sc.Step(`^the active (ios|android) phones are "([^"]*)"$`, w.activePhones)
}

// documentedIndex returns the index that the document plans for the future, exactly as documented, and its key
// attributes.
func documentedIndex() (types.GlobalSecondaryIndex, []types.AttributeDefinition) {
	index := types.GlobalSecondaryIndex{
		IndexName: aws.String("PlatformIsActiveIndex"),
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("platform"), KeyType: types.KeyTypeHash}, {AttributeName: aws.String("isActive"),
				KeyType: types.KeyTypeRange},
		},
		Projection: &types.Projection{ProjectionType: types.ProjectionTypeInclude,
			NonKeyAttributes: []string{"expoPushToken"}},
	}
	return index, []types.AttributeDefinition{
		{AttributeName: aws.String("platform"), AttributeType: types.ScalarAttributeTypeS},
		{AttributeName: aws.String("isActive"), AttributeType: "BOOL"},
	}
}

func (w *world) createWithBooleanIndex(ctx context.Context) {
	index, keys := documentedIndex()
	for _, name := range []string{"userId", "deviceId"} {
		keys = append(keys, types.AttributeDefinition{AttributeName: aws.String(name),
			AttributeType: types.ScalarAttributeTypeS})
	}
	_, w.Err = w.Client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: w.Table("documented"), AttributeDefinitions: keys, BillingMode: types.BillingModePayPerRequest,
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("userId"), KeyType: types.KeyTypeHash}, {AttributeName: aws.String("deviceId"),
				KeyType: types.KeyTypeRange},
		},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{index},
	})
}

func (w *world) addBooleanIndex(ctx context.Context) {
	index, keys := documentedIndex()
	_, w.Err = w.Client.UpdateTable(ctx, &dynamodb.UpdateTableInput{
		TableName: w.Table(table), AttributeDefinitions: keys,
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
			IndexName: index.IndexName, KeySchema: index.KeySchema, Projection: index.Projection,
		}}},
	})
}

// activePhones queries the index until it has the expected phones, because the service's indexes lag.
func (w *world) activePhones(ctx context.Context, platform, want string) error {
	var last error
	err := steps.Await(ctx, steps.ResponseTimeout, func() (bool, error) {
		out, err := w.Client.Query(ctx, &dynamodb.QueryInput{
			TableName: w.Table(table), IndexName: aws.String(activeDevices), KeyConditionExpression: aws.String("platform = :p"),
			ExpressionAttributeValues: steps.Item{":p": text(platform)},
		})
		if err != nil {
			return false, err
		}
		w.found = out.Items
		last = w.finds(want)
		return last == nil, nil
	})
	if err != nil {
		return fmt.Errorf("%w: %w", err, last)
	}
	return nil
}
