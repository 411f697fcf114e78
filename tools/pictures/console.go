package main

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/chromedp/chromedp"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
)

// now is what the emulator's clock shows.
var now = time.Date(2026, 3, 24, 9, 30, 0, 0, time.UTC)

// durations are what differs between two runs: numbers in a column of their own.
var durations = regexp.MustCompile(`(?m)^[0-9.]+$`)

// consoleShots makes the console's demo data, and takes a query of its items and the requests of other clients.
func consoleShots(ctx context.Context, b *browser) ([]shot, error) {
	e, err := emulator.Start(emulator.WithManualClock(now), emulator.WithSeed(1), console.Option())
	if err != nil {
		return nil, err
	}
	defer e.Close()
	at := e.DynamoDBURL() + "/_tabletop/console"
	b.visit(at + "/")
	b.click("Create demo data")
	b.sees("demo-shop", "demo / orders")
	b.visit(at + "/dynamodb/tables/demo-shop")
	b.sees("Last page")
	items := b.picture("console-items", regexp.MustCompile(`$^`))
	b.visit(at + "/live")
	b.call(func() error { return untilLive(b, e) })
	b.click("Clear")
	b.sees("Waiting for requests")
	b.call(func() error { return traffic(ctx, e) })
	b.sees("ConditionalCheckFailedException", "TransactWriteItems", "DeleteItem")
	return []shot{items, b.picture("console-live", durations)}, b.err
}

// untilLive sends requests until the page of live requests shows the last one: its stream is open, and has no others.
func untilLive(b *browser, e *emulator.Emulator) error {
	client := dynamodb.NewFromConfig(e.AWSConfig())
	for n := 0; ; n++ {
		table := fmt.Sprintf("probe-%d", n)
		_, _ = client.DescribeTable(b.ctx, &dynamodb.DescribeTableInput{TableName: &table}) // fails: there is no such table
		ctx, cancel := context.WithTimeout(b.ctx, time.Second)
		shown, err := chromedp.Run(ctx, chromedp.Evaluate[bool](
			fmt.Sprintf("tabletop.until(() => tabletop.sees(%q))", table), awaitPromise))
		cancel()
		if shown || err != nil && (n == 60 || b.ctx.Err() != nil) {
			return err
		}
	}
}

// traffic is what other clients do while the page of live requests is open. Its last request is a DeleteItem.
func traffic(ctx context.Context, e *emulator.Emulator) error {
	client := dynamodb.NewFromConfig(e.AWSConfig())
	key := func(pk, sk string) map[string]types.AttributeValue {
		return map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: pk},
			"sk": &types.AttributeValueMemberS{Value: sk}}
	}
	table := aws.String("demo-shop")
	ana := map[string]types.AttributeValue{":pk": &types.AttributeValueMemberS{Value: "CUSTOMER#ana"}}
	profile := key("CUSTOMER#ana", "PROFILE")
	for _, request := range []func() error{
		func() error {
			_, err := client.Query(ctx, &dynamodb.QueryInput{TableName: table,
				KeyConditionExpression: aws.String("pk = :pk"), ExpressionAttributeValues: ana})
			return err
		},
		func() error {
			_, _ = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: table, Item: profile,
				ConditionExpression: aws.String("attribute_not_exists(pk)")}) // fails: the item exists
			return nil
		},
		func() error { return cosmosTraffic(ctx, e) },
		func() error {
			_, err := client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
				{Put: &types.Put{TableName: table, Item: key("ORDER#1013", "LINE#1")}},
				{Put: &types.Put{TableName: table, Item: key("CUSTOMER#ana", "ORDER#1013")}}}})
			return err
		},
		func() error {
			_, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: profile})
			return err
		},
		func() error {
			_, err := client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: table, Key: key("ORDER#1013", "LINE#1")})
			return err
		},
	} {
		if err := request(); err != nil {
			return err
		}
	}
	return nil
}

// cosmosTraffic queries the orders of a customer, and writes one.
func cosmosTraffic(ctx context.Context, e *emulator.Emulator) error {
	client, err := cosmosclient.New(e, nil)
	if err != nil {
		return err
	}
	orders, err := client.NewContainer("demo", "orders")
	if err != nil {
		return err
	}
	ben := azcosmos.NewPartitionKeyString("ben")
	pages := orders.NewQueryItemsPager("SELECT * FROM c WHERE c.state = 'OPEN'", ben, nil)
	if _, err := pages.NextPage(ctx); err != nil {
		return err
	}
	_, err = orders.UpsertItem(ctx, ben, []byte(`{"id":"1014","customer":"ben","state":"OPEN"}`), nil)
	return err
}
