package emulator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
	"github.com/tabletop-db/tabletop/internal/model/cost"
)

// headers records the cost headers of a client's responses.
type headers struct {
	http.RoundTripper
	last string
}

func (h *headers) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := h.RoundTripper.RoundTrip(r)
	if err == nil {
		h.last = answer.Header.Get(emulator.CostHeader)
	}
	return answer, err
}

func TestCostIsShownPerRequestAndPerRun(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option(), emulator.WithShowCost(""), emulator.WithManualClock(time.Date(2026, 1, 1, 0, 0,
		0, 0, time.UTC)))
	seen := &headers{RoundTripper: http.DefaultTransport}
	client := dynamodb.NewFromConfig(e.AWSConfig(), func(o *dynamodb.Options) {
		o.HTTPClient = &http.Client{Transport: seen}
	})
	create(t, client, "orders")
	_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("orders"),
		Item: map[string]types.AttributeValue{
			"id":   &types.AttributeValueMemberS{Value: "1"},
			"note": &types.AttributeValueMemberS{Value: strings.Repeat("x", 1500)},
		}})
	if err != nil || seen.last != "usd=0.00000125, reads=0, writes=2" {
		t.Errorf("%v: header %q", err, seen.last)
	}
	if err := e.Advance(time.Hour); err != nil {
		t.Fatal(err)
	}
	var run, month cost.Bill
	get(t, e.DynamoDBURL()+"/_tabletop/cost?gross=true", &run)
	get(t, e.DynamoDBURL()+"/_tabletop/cost?gross=true&monthly=true&region=eu-west-1", &month)
	if len(run.Lines) != 3 || run.Lines[0].Amount.String() != "0.00000125" || run.Lines[1].Kind != cost.Storage ||
		run.Lines[2].Kind != cost.TransferOut {
		t.Errorf("%+v", run)
	}
	if got := month.Lines[0].Amount.String(); month.Region != "eu-west-1" || got != "0.001031855" {
		t.Errorf("730 hours of two units at $0.70675 a million are %s", got)
	}
	if err := e.Reset(); err != nil {
		t.Fatal(err)
	}
	get(t, e.DynamoDBURL()+"/_tabletop/cost?gross=true", &run)
	if run.Total.Sign() != 0 {
		t.Errorf("after a reset %+v", run)
	}
}

// create creates an on-demand table with the key id.
func create(t *testing.T, client *dynamodb.Client, name string) {
	t.Helper()
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: &name, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"),
			AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, url string, into any) {
	t.Helper()
	r, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(into); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v", url, answer.StatusCode, err)
	}
}

func TestCostByOtherPrices(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	post := func(body any) *http.Response {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.Post(e.DynamoDBURL()+"/_tabletop/cost", "application/json", bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		return answer
	}
	good := "date: 2026-01-01\nsources: {s: {url: x, date: 2026-01-01}}\nregions: {us-east-1: {prices: {write-request-units: {usd: 1, source: s}}}}\n"
	if got := post(map[string]string{"prices": good}).StatusCode; got != http.StatusOK {
		t.Errorf("status %d", got)
	}
	if got := post(map[string]string{"prices": "regions: gold"}).StatusCode; got != http.StatusUnprocessableEntity {
		t.Errorf("status %d", got)
	}
}

func TestShowCostRefusesUnknownRegions(t *testing.T) {
	t.Parallel()
	if _, err := emulator.Start(emulator.WithShowCost("moon-1")); err == nil || !strings.Contains(err.Error(),
		"use one of") {
		t.Errorf("%v", err)
	}
}
