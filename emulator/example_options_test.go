package emulator_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net/url"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

func ExampleEmulator_Close() {
	e := started()
	db := dynamodb.NewFromConfig(e.AWSConfig())
	if err := e.Close(); err != nil {
		log.Fatal(err)
	}
	_, err := db.ListTables(context.Background(), &dynamodb.ListTablesInput{}, func(o *dynamodb.Options) {
		o.Retryer = aws.NopRetryer{}
	})
	fmt.Println(err != nil, e.Close()) // Close may be called twice
	// Output: true <nil>
}

// Items expire when the test moves the clock, and not before.
func ExampleWithManualClock() {
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	e := started(emulator.WithManualClock(noon))
	defer e.Close()
	ctx, db := context.Background(), dynamodb.NewFromConfig(e.AWSConfig())
	newTable(db, "sessions")
	_, err := db.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName:               aws.String("sessions"),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("until"), Enabled: aws.Bool(true)},
	})
	if err != nil {
		log.Fatal(err)
	}
	_, err = db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("sessions"),
		Item: map[string]types.AttributeValue{
			"id":    &types.AttributeValueMemberS{Value: "ann"},
			"until": &types.AttributeValueMemberN{Value: fmt.Sprint(noon.Add(time.Hour).Unix())},
		}})
	if err != nil {
		log.Fatal(err)
	}
	for range 2 {
		sessions, err := db.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("sessions")})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Now().Format(time.TimeOnly), sessions.Count)
		if err := e.Advance(time.Hour + time.Second); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// 12:00:00 1
	// 13:00:01 0
}

func ExampleWithIsolation() {
	e := started(emulator.WithIsolation())
	defer e.Close()
	as := func(accessKey string) *dynamodb.Client {
		cfg := e.AWSConfig()
		cfg.Credentials = credentials.NewStaticCredentialsProvider(accessKey, "any secret", "")
		return dynamodb.NewFromConfig(cfg)
	}
	newTable(as("ann"), "orders")
	fmt.Println(listTables(as("ann")), listTables(as("bob")))
	// Output: [orders] []
}

// Programs whose endpoint cannot be configured need a fixed port, such as 127.0.0.1:8000; port 0 means a free one.
func ExampleWithDynamoDBAddr() {
	e := started(emulator.WithDynamoDBAddr("127.0.0.1:0"))
	defer e.Close()
	u, err := url.Parse(e.DynamoDBURL())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(u.Hostname(), u.Port() != "0")
	// Output: 127.0.0.1 true
}

// The emulator logs its own failures at level error; a program that runs it in a terminal should show them.
func ExampleWithLogger() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{Level: slog.LevelError}))
	e := started(emulator.WithLogger(logger))
	defer e.Close()
	fmt.Println(listTables(dynamodb.NewFromConfig(e.AWSConfig())))
	// Output: []
}

// Two emulators with the same seed and the same requests create the same ids.
func ExampleWithSeed() {
	tableID := func(seed int64) string {
		e := started(emulator.WithSeed(seed))
		defer e.Close()
		db := dynamodb.NewFromConfig(e.AWSConfig())
		newTable(db, "orders")
		described, err := db.DescribeTable(context.Background(),
			&dynamodb.DescribeTableInput{TableName: aws.String("orders")})
		if err != nil {
			log.Fatal(err)
		}
		return *described.Table.TableId
	}
	first, again, other := tableID(7), tableID(7), tableID(8)
	fmt.Println(first == again, first == other)
	// Output: true false
}

// A test of how a program handles throttling enables only that piece of the cloud's behaviour.
func ExampleWithLikeCloud() {
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	e := started(emulator.WithManualClock(noon), emulator.WithLikeCloud(emulator.Throttling))
	defer e.Close()
	ctx, db := context.Background(), dynamodb.NewFromConfig(e.AWSConfig(), func(o *dynamodb.Options) {
		o.Retryer = aws.NopRetryer{}
	})
	newTable(db, "orders")
	_, err := db.UpdateTable(ctx, &dynamodb.UpdateTableInput{
		TableName: aws.String("orders"), BillingMode: types.BillingModeProvisioned,
		ProvisionedThroughput: &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(1),
			WriteCapacityUnits: aws.Int64(1)},
	})
	if err != nil {
		log.Fatal(err)
	}
	for range 2 {
		_, err = db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("orders"),
			Item: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "7"}}})
	}
	var throttled *types.ProvisionedThroughputExceededException
	fmt.Println(errors.As(err, &throttled))
	fmt.Println(*throttled.ThrottlingReasons[0].Reason)
	// Output:
	// true
	// TableWriteProvisionedThroughputExceeded
}
