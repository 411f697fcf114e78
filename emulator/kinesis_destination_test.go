package emulator_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// kinesisChange is a change of an item in a record of Kinesis.
type kinesisChange struct {
	EventName string
	Dynamodb  struct {
		ApproximateCreationDateTime int64
		Keys, NewImage, OldImage    map[string]map[string]string
	}
}

func changeOf(t testing.TB, r kinesisRecord) (c kinesisChange) {
	t.Helper()
	if err := json.Unmarshal(r.Data, &c); err != nil {
		t.Fatalf("%s: %v", r.Data, err)
	}
	return c
}

// kinesisNoon is when the tests begin: 1795262400 seconds after 1970.
var kinesisNoon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// streamingTable is a table "customer" that streams to the Kinesis stream "changes".
type streamingTable struct {
	emulator *emulator.Emulator
	client   *dynamodb.Client
}

func newStreamingTable(t testing.TB, options ...emulator.Option) streamingTable {
	t.Helper()
	e := emulator.Run(t, append(options, emulator.WithManualClock(kinesisNoon))...)
	s := streamingTable{e, dynamodb.NewFromConfig(e.AWSConfig())}
	callKinesis(t, e.DynamoDBURL(), "CreateStream", `{"StreamName":"changes","ShardCount":1}`)
	if _, err := s.client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("customer"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"),
			AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	}); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s streamingTable) put(t testing.TB, attributes ...string) {
	t.Helper()
	if _, err := s.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("customer"),
		Item: text(attributes...)}); err != nil {
		t.Fatal(err)
	}
}

func (s streamingTable) read(t testing.TB) []kinesisRecord {
	t.Helper()
	return readKinesis(t, s.emulator.DynamoDBURL(), "changes")
}

var eventIDs = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`)

// TestKinesisRecordsAreThoseOfTheService expects records as users of the service published them. The first has the
// values of a record of 2021-03, whose SizeBytes was 24.
func TestKinesisRecordsAreThoseOfTheService(t *testing.T) {
	t.Parallel()
	s := newStreamingTable(t)
	s.put(t, "id", "0") // before the destination
	enableDestination(t, s.client, "customer", "changes")
	if err := s.emulator.Advance(1234567 * time.Nanosecond); err != nil {
		t.Fatal(err)
	}
	s.put(t, "id", "2", "name", "Anoop")
	s.put(t, "id", "2", "name", "ABC")
	s.put(t, "id", "2", "name", "ABC") // changes nothing
	if _, err := s.client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("customer"),
		Key: text("id", "2")}); err != nil {
		t.Fatal(err)
	}
	const head, tail = `{"awsRegion":"us-east-1","eventID":"some-uuid","eventName":"`,
		`},"eventSource":"aws:dynamodb"}`
	const middle = `","userIdentity":null,"recordFormat":"application/json","tableName":"customer","dynamodb":` +
		`{"ApproximateCreationDateTime":1795262400001,"Keys":{"id":{"S":"2"}},`
	want := []string{
		head + "INSERT" + middle + `"NewImage":{"id":{"S":"2"},"name":{"S":"Anoop"}},"SizeBytes":15` + tail,
		head + "MODIFY" + middle + `"NewImage":{"id":{"S":"2"},"name":{"S":"ABC"}},` +
			`"OldImage":{"id":{"S":"2"},"name":{"S":"Anoop"}},"SizeBytes":25` + tail,
		head + "REMOVE" + middle + `"OldImage":{"id":{"S":"2"},"name":{"S":"ABC"}},"SizeBytes":13` + tail,
	}
	got := s.read(t)
	if len(got) != len(want) {
		t.Fatalf("%d records, want %d", len(got), len(want))
	}
	for i, r := range got {
		if data := eventIDs.ReplaceAllString(string(r.Data), "some-uuid"); data != want[i] {
			t.Errorf("%s\nwant\n%s", data, want[i])
		}
		if r.ApproximateArrivalTimestamp != 1795262400.001 {
			t.Errorf("arrived at %v", r.ApproximateArrivalTimestamp)
		}
		if !regexp.MustCompile(`^[0-9A-F]{32}$`).MatchString(r.PartitionKey) || r.PartitionKey != got[0].PartitionKey {
			t.Errorf("%q is its partition key, %q that of another change of the item", r.PartitionKey, got[0].PartitionKey)
		}
	}
}

// TestKinesisRecordsInMicroseconds expects the precision in the record, as in records of the service of 2024-07.
func TestKinesisRecordsInMicroseconds(t *testing.T) {
	t.Parallel()
	s := newStreamingTable(t)
	enableDestination(t, s.client, "customer", "changes")
	s.put(t, "id", "1")
	if _, err := s.client.UpdateKinesisStreamingDestination(t.Context(), &dynamodb.UpdateKinesisStreamingDestinationInput{
		TableName: aws.String("customer"), StreamArn: aws.String("arn:aws:kinesis:us-east-1:000000000000:stream/changes"),
		UpdateKinesisStreamingConfiguration: &types.UpdateKinesisStreamingConfiguration{
			ApproximateCreationDateTimePrecision: types.ApproximateCreationDateTimePrecisionMicrosecond},
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.emulator.Advance(1234567 * time.Nanosecond); err != nil {
		t.Fatal(err)
	}
	s.put(t, "id", "2")
	got := s.read(t)
	if len(got) != 2 {
		t.Fatalf("%d records", len(got))
	}
	for i, want := range []string{`"ApproximateCreationDateTime":1795262400000,"Keys":{"id":{"S":"1"}},` +
		`"NewImage":{"id":{"S":"1"}},"SizeBytes":6},"eventSource"`,
		`"ApproximateCreationDateTime":1795262400001234,"Keys":{"id":{"S":"2"}},"NewImage":{"id":{"S":"2"}},"SizeBytes":6,` +
			`"ApproximateCreationDateTimePrecision":"MICROSECOND"},"eventSource"`} {
		if !regexp.MustCompile(regexp.QuoteMeta(want)).Match(got[i].Data) {
			t.Errorf("%s does not contain %s", got[i].Data, want)
		}
	}
}

// TestDisabledDestinationsGetEverythingBefore checks that no change is lost when a destination is disabled, or its
// table deleted, before the stream is read, and that no later change is delivered.
func TestDisabledDestinationsGetEverythingBefore(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"disable", "delete"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			s := newStreamingTable(t)
			enableDestination(t, s.client, "customer", "changes")
			for i := range 1200 { // several transactions
				s.put(t, "id", fmt.Sprint(i))
			}
			var err error
			if how == "disable" {
				_, err = s.client.DisableKinesisStreamingDestination(t.Context(),
					&dynamodb.DisableKinesisStreamingDestinationInput{TableName: aws.String("customer"),
						StreamArn: aws.String("arn:aws:kinesis:us-east-1:000000000000:stream/changes")})
				s.put(t, "id", "later")
			} else {
				_, err = s.client.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String("customer")})
			}
			if err != nil {
				t.Fatal(err)
			}
			got := s.read(t)
			if len(got) != 1200 {
				t.Fatalf("%d records", len(got))
			}
			for i, r := range got {
				if id := changeOf(t, r).Dynamodb.Keys["id"]["S"]; id != fmt.Sprint(i) {
					t.Fatalf("record %d is of %s", i, id)
				}
			}
		})
	}
}

// TestExpiredItemsInKinesis expects the identity of the service in the record of an expired item, as AWS's
// documentation says.
func TestExpiredItemsInKinesis(t *testing.T) {
	t.Parallel()
	s := newStreamingTable(t)
	enableDestination(t, s.client, "customer", "changes")
	if _, err := s.client.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{TableName: aws.String("customer"),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("until"), Enabled: aws.Bool(true)},
	}); err != nil {
		t.Fatal(err)
	}
	item := text("id", "1")
	item["until"] = &types.AttributeValueMemberN{Value: fmt.Sprint(kinesisNoon.Add(time.Minute).Unix())}
	if _, err := s.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("customer"),
		Item: item}); err != nil {
		t.Fatal(err)
	}
	if err := s.emulator.Advance(2 * time.Minute); err != nil {
		t.Fatal(err)
	}
	got := s.read(t)
	want := regexp.MustCompile(`"REMOVE","userIdentity":{"type":"Service","principalId":"dynamodb.amazonaws.com"}`)
	if len(got) != 2 || !want.Match(got[1].Data) {
		t.Errorf("%+v", got)
	}
}
