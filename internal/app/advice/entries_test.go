package advice

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// beginning is when recordings of entries begin.
var beginning = time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)

// reviewed returns the report on a recording of entries. One without a service is a request to DynamoDB that succeeds.
func reviewed(t *testing.T, entries ...recording.Entry) *Report {
	t.Helper()
	var out bytes.Buffer
	w, err := recording.NewWriter(&out, recording.Header{Start: beginning})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Service == "" {
			e.Service = recording.DynamoDB
		}
		if e.Status == 0 {
			e.Status = 200
		}
		if e.Time.IsZero() {
			e.Time = beginning
		}
		w.Add(e)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	in, err := recording.NewReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	report, err := Recording(in, "")
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// of returns what a rule found.
func (r *Report) of(rule string) (all []Finding) {
	for _, f := range r.Findings {
		if f.Rule == rule {
			all = append(all, f)
		}
	}
	return all
}

// TestAnyRequestIsReviewed reviews requests and responses that have anything anywhere.
func TestAnyRequestIsReviewed(t *testing.T) {
	t.Parallel()
	values := []string{`""`, `{}`, `[]`, `[[]]`, `{"":["x"]}`, `{"SS":[""]}`, `{"S":1}`, `1`, `null`, `{"id":{"":["x"]}}`,
		`[{"":{"TableName":1}}]`, `"SELECT * FROM c WHERE c. = "`, `"=: #a = :a"`, `{"paths":[""]}`}
	var entries []recording.Entry
	operations := strings.Fields(`GetItem PutItem UpdateItem DeleteItem BatchGetItem BatchWriteItem TransactGetItems
		TransactWriteItems Query Scan ExecuteStatement CreateTable UpdateTimeToLive CreateDatabase CreateContainer
		ReadContainer ReadPartitionKeyRanges QueryDocuments ReadDocument CreateDocument ReplaceDocument PatchDocument`)
	for _, operation := range append(operations, "") {
		for _, value := range values {
			for _, status := range []int{200, 503} {
				for _, service := range []string{recording.DynamoDB, recording.Cosmos} {
					for _, path := range []string{"", "/dbs", "/dbs/a/colls", "/dbs/a/colls/b/docs/c"} {
						entries = append(entries, recording.Entry{Service: service, Operation: operation, Status: status,
							Path: path, Request: anywhere(value), Answer: anywhere(value)})
					}
				}
			}
		}
	}
	reviewed(t, entries...)
}

// anywhere returns an object that has a value in each of its fields.
func anywhere(value string) []byte {
	fields := map[string]json.RawMessage{}
	for _, name := range []string{"TableName", "IndexName", "Item", "Items", "Key", "RequestItems", "TransactItems",
		"KeyConditionExpression", "FilterExpression", "ProjectionExpression", "UpdateExpression", "ConditionExpression",
		"ExpressionAttributeNames", "ExpressionAttributeValues", "ExclusiveStartKey", "LastEvaluatedKey", "Statement",
		"TimeToLiveSpecification", "TableDescription", "UnprocessedKeys", "UnprocessedItems", "Responses", "Expected",
		"AttributeUpdates", "KeyConditions", "QueryFilter", "Attributes", "id", "query", "parameters", "partitionKey",
		"indexingPolicy", "PartitionKeyRanges", "Documents", "operations"} {
		fields[name] = json.RawMessage(value)
	}
	text, err := json.Marshal(fields)
	if err != nil {
		panic(fmt.Sprint(value, err))
	}
	return text
}

func TestRefusedPutsAreNoSample(t *testing.T) {
	t.Parallel()
	s := putSample{}
	for _, status := range []int{200, 400} {
		s.see(&Request{Entry: &recording.Entry{Status: status}, accesses: []access{{kind: "Put", table: "orders"}}})
	}
	if len(s["orders"]) != 1 {
		t.Errorf("%d puts, want the one that succeeded", len(s["orders"]))
	}
}
