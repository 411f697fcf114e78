package advice

import (
	"bytes"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// review runs a program on an emulator of its own, and reviews its requests.
func review(t *testing.T, program func(t *testing.T, db *dynamodb.Client)) *Report {
	t.Helper()
	var requests bytes.Buffer
	e, err := emulator.Start(emulator.WithRecording(&requests))
	if err != nil {
		t.Fatal(err)
	}
	program(t, dynamodb.NewFromConfig(e.AWSConfig()))
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	in, err := recording.NewReader(&requests)
	if err != nil {
		t.Fatal(err)
	}
	report, err := Recording(in, "")
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// wantFinding checks that the program leads to exactly one finding of a rule.
func wantFinding(t *testing.T, rule, table, problem string, program func(*testing.T, *dynamodb.Client)) {
	t.Helper()
	var found []Finding
	for _, f := range review(t, program).Findings {
		if f.Rule == rule {
			found = append(found, f)
		}
	}
	if len(found) != 1 || found[0].Table != table || found[0].Problem != problem {
		t.Errorf("found %+v, want %s of %s: %s", found, rule, table, problem)
	}
}

// wantNothing checks that a rule does not find anything in the program.
func wantNothing(t *testing.T, rule string, program func(*testing.T, *dynamodb.Client)) {
	t.Helper()
	for _, f := range review(t, program).Findings {
		if f.Rule == rule {
			t.Errorf("found %s: %s", f.about(), f.Problem)
		}
	}
}

// newTable makes a table on demand with a partition key, and with a sort key if two attributes are given.
func newTable(t *testing.T, db *dynamodb.Client, name string, key ...string) {
	t.Helper()
	in := &dynamodb.CreateTableInput{TableName: aws.String(name), BillingMode: types.BillingModePayPerRequest}
	for i, attribute := range key {
		kind := []types.KeyType{types.KeyTypeHash, types.KeyTypeRange}[i]
		in.KeySchema = append(in.KeySchema, types.KeySchemaElement{AttributeName: aws.String(attribute), KeyType: kind})
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{
			AttributeName: aws.String(attribute), AttributeType: types.ScalarAttributeTypeS})
	}
	if _, err := db.CreateTable(t.Context(), in); err != nil {
		t.Fatal(err)
	}
}

// put puts an item of texts.
func put(t *testing.T, db *dynamodb.Client, table string, texts map[string]string) {
	t.Helper()
	in := &dynamodb.PutItemInput{TableName: aws.String(table), Item: map[string]types.AttributeValue{}}
	for name, text := range texts {
		in.Item[name] = &types.AttributeValueMemberS{Value: text}
	}
	if _, err := db.PutItem(t.Context(), in); err != nil {
		t.Fatal(err)
	}
}
