package emulator_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

// expiring creates a table with items that expire one second after the other.
func expiring(t *testing.T, e *emulator.Emulator, items int) *dynamodb.Client {
	t.Helper()
	client, ctx := dynamodb.NewFromConfig(e.AWSConfig()), t.Context()
	_, err := client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: aws.String("sessions"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"),
			AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{TableName: aws.String("sessions"),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("ends"),
			Enabled: aws.Bool(true)}}); err != nil {
		t.Fatal(err)
	}
	for first := 0; first < items; first += 25 {
		var puts []types.WriteRequest
		for i := first; i < min(first+25, items); i++ {
			puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: map[string]types.AttributeValue{
				"id":   &types.AttributeValueMemberS{Value: fmt.Sprint(i)},
				"ends": &types.AttributeValueMemberN{Value: fmt.Sprint(e.Now().Unix() + 3600 + int64(i))},
			}}})
		}
		if _, err := client.BatchWriteItem(ctx,
			&dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"sessions": puts}}); err != nil {
			t.Fatal(err)
		}
	}
	return client
}

// TestRequestsAreServedWhileTheClockAdvances reads and writes during an advance with much work, whose client leaves:
// the clock stops between two moments, and continues with the next advance.
func TestRequestsAreServedWhileTheClockAdvances(t *testing.T) {
	t.Parallel()
	const items = 3000
	e := emulator.Run(t, console.Option(), emulator.WithManualClock(time.Unix(1_800_000_000, 0)))
	client := expiring(t, e, items)
	began, end := e.Now(), e.Now().Add(48*time.Hour)
	ctx, leave := context.WithCancel(t.Context())
	var served atomic.Int64
	done := make(chan error, 1)
	go func() {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.DynamoDBURL()+"/_tabletop/clock/advance",
			strings.NewReader(`{"duration":"48h"}`))
		if err != nil {
			done <- err
			return
		}
		r.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(r)
		if err == nil {
			err = res.Body.Close()
		}
		done <- err
	}()
	for e.Now().Sub(began) < 90*time.Minute { // 1,800 items have expired
		if _, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("sessions"),
			Item: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "kept"}}}); err != nil {
			t.Fatal(err)
		}
		served.Add(1)
	}
	leave()
	if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err := e.AdvanceContext(t.Context(), end.Sub(e.Now())); err != nil { // waits for the first one to end
		t.Fatal(err)
	}
	out, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("sessions")})
	if err != nil || len(out.Items) != 1 {
		t.Errorf("%d items are left, %v", len(out.Items), err)
	}
	t.Logf("%d writes were answered meanwhile", served.Load())
}
