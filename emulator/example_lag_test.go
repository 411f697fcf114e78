package emulator_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// Code that reads its own write through a global secondary index works locally and fails in the cloud, now and then.
// With Lag and a stopped clock, it fails every time.
func ExampleWithLikeCloud_lag() {
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for name, opts := range map[string][]emulator.Option{
		"strict": nil,
		"lag":    {emulator.WithLikeCloud(emulator.Lag)},
	} {
		e := started(append(opts, emulator.WithManualClock(noon))...)
		defer e.Close()
		db := dynamodb.NewFromConfig(e.AWSConfig())
		newOrders(db)
		placeOrder(db, "7", "ann")
		before := ordersOf(db, "ann")
		if err := e.Advance(5 * time.Second); err != nil { // by then every index has every write
			log.Fatal(err)
		}
		fmt.Printf("%s: %d at once, %d later\n", name, before, ordersOf(db, "ann"))
	}
	// Unordered output:
	// strict: 1 at once, 1 later
	// lag: 0 at once, 1 later
}

// placeOrder is the code under test: it puts an order.
func placeOrder(db *dynamodb.Client, id, customer string) {
	_, err := db.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: aws.String("orders"),
		Item: map[string]types.AttributeValue{
			"id":       &types.AttributeValueMemberS{Value: id},
			"customer": &types.AttributeValueMemberS{Value: customer},
		}})
	if err != nil {
		log.Fatal(err)
	}
}

// ordersOf counts a customer's orders through the index, like code that relies on reading its own writes.
func ordersOf(db *dynamodb.Client, customer string) int32 {
	out, err := db.Query(context.Background(), &dynamodb.QueryInput{
		TableName: aws.String("orders"), IndexName: aws.String("by-customer"),
		KeyConditionExpression:    aws.String("customer = :c"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":c": &types.AttributeValueMemberS{Value: customer}},
	})
	if err != nil {
		log.Fatal(err)
	}
	return out.Count
}

func newOrders(db *dynamodb.Client) {
	_, err := db.CreateTable(context.Background(), &dynamodb.CreateTableInput{
		TableName: aws.String("orders"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("customer"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: aws.String("by-customer"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
			KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("customer"), KeyType: types.KeyTypeHash}},
		}},
	})
	if err != nil {
		log.Fatal(err)
	}
}
