package datafile_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

const modelSchema = `{"TableName":"t","AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},` +
	`{"AttributeName":"n","AttributeType":"N"},{"AttributeName":"b","AttributeType":"B"}],` +
	`"KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"n","KeyType":"RANGE"}],` +
	`"BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":3},` +
	`"GlobalSecondaryIndexes":[{"IndexName":"g","KeySchema":[{"AttributeName":"b","KeyType":"HASH"}],` +
	`"Projection":{"ProjectionType":"KEYS_ONLY"},"ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":3}}],` +
	`"LocalSecondaryIndexes":[{"IndexName":"l","KeySchema":[{"AttributeName":"p","KeyType":"HASH"},` +
	`{"AttributeName":"b","KeyType":"RANGE"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x"]}}]}`

// writeModel writes a model of the table with the items, in lines of DynamoDB JSON.
func writeModel(t *testing.T, schema, items string) (string, error) {
	t.Helper()
	s, err := datafile.ParseDescription([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w, err := datafile.NewWorkbenchWriter(&file, s, time.Date(2026, 3, 1, 15, 4, 0, 0, time.UTC))
	if err != nil {
		return "", err
	}
	for text := range strings.Lines(items) {
		item, err := datafile.ParseDynamoJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(item); err != nil {
			w.Abort()
			return "", err
		}
	}
	err = w.Close()
	return file.String(), err
}

// TestModelRoundTrip reads what was written: the same table and the same items.
func TestModelRoundTrip(t *testing.T) {
	t.Parallel()
	items := `{"p":{"S":"<b>&"},"n":{"N":"1.50"},"x":{"SS":["a"]}}` + "\n" + `{"p":{"S":"é"},"n":{"N":"2"},"b":{"B":"AAE="}}` + "\n"
	file, err := writeModel(t, modelSchema, items)
	if err != nil || !strings.Contains(file, `"DateCreated":"Mar 01, 2026, 03:04 PM"`) {
		t.Fatalf("%v, %s", err, file)
	}
	if format, got := read(t, file, datafile.Options{}); format != datafile.Workbench || got != items {
		t.Errorf("%s: got\n%swant\n%s", format, got, items)
	}
	source, err := datafile.New(strings.NewReader(file), datafile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(source.Schemas[0])
	if err != nil || string(got) != modelSchema {
		t.Errorf("got\n%s, %v\nwant\n%s", got, err, modelSchema)
	}
}

// TestModelsCannotDescribe has a key with two attributes in a part, and more items than a model may have.
func TestModelsCannotDescribe(t *testing.T) {
	t.Parallel()
	two := strings.Replace(modelSchema, `{"AttributeName":"b","KeyType":"HASH"}`,
		`{"AttributeName":"b","KeyType":"HASH"},{"AttributeName":"p","KeyType":"HASH"}`, 1)
	want := `index "g": a model of NoSQL Workbench has no keys of several attributes, as "p" has`
	if _, err := writeModel(t, two, ""); err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	item := `{"p":{"S":"` + strings.Repeat("a", 1<<20) + `"},"n":{"N":"1"}}` + "\n"
	want = "a model of NoSQL Workbench has at most 32 MB of items: use a filter"
	if _, err := writeModel(t, modelSchema, strings.Repeat(item, 33)); err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}
