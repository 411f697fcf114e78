package advice

import (
	"bytes"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// program is a client of an emulator, whose requests are reviewed.
type program struct {
	testing.TB
	*dynamodb.Client
	emulator   *emulator.Emulator
	concurrent bool // no time passes between requests
}

// stopped makes the clock of the emulator stand still except while a program waits.
var stopped = emulator.WithManualClock(time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC))

// found runs a program on an emulator of its own, and returns what a rule finds in its requests.
func found(t *testing.T, rule string, run func(program), options ...emulator.Option) (of []Finding) {
	t.Helper()
	var requests bytes.Buffer
	e, err := emulator.Start(append(options, emulator.WithRecording(&requests))...)
	if err != nil {
		t.Fatal(err)
	}
	run(program{t, dynamodb.NewFromConfig(e.AWSConfig()), e, false})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	in, err := recording.NewReader(evenly(t, &requests))
	if err != nil {
		t.Fatal(err)
	}
	report, err := Recording(in, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		if f.Rule == rule {
			of = append(of, f)
		}
	}
	return of
}

// evenly returns a recording in which each request lasted 100 µs, however fast the machine is.
func evenly(t *testing.T, requests io.Reader) io.Reader {
	t.Helper()
	in, err := recording.NewReader(requests)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w, err := recording.NewWriter(&out, in.Header)
	if err != nil {
		t.Fatal(err)
	}
	for e, err := in.Next(); err != io.EOF; e, err = in.Next() {
		if err != nil {
			t.Fatal(err)
		}
		e.Micros = 100
		w.Add(*e)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &out
}

// wait lets time pass, on a clock that is stopped.
func (p program) wait(d time.Duration) {
	p.Helper()
	if !p.concurrent {
		p.must(nil, p.emulator.Advance(d))
	}
}

// wantOne checks that a rule finds one thing in a program, and returns it.
func wantOne(t *testing.T, rule, about, problem string, run func(program), options ...emulator.Option) Finding {
	t.Helper()
	all := found(t, rule, run, options...)
	if len(all) != 1 || all[0].about() != about || all[0].Problem != problem {
		t.Fatalf("found %+v, want %s of %s: %s", all, rule, about, problem)
	}
	return all[0]
}

// wantSilence checks that a rule finds nothing in programs that are right.
func wantSilence(t *testing.T, rule string, programs map[string]func(program), options ...emulator.Option) {
	t.Helper()
	for name, run := range programs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, f := range found(t, rule, run, options...) {
				t.Errorf("found %s: %s", f.about(), f.Problem)
			}
		})
	}
}

// withoutRetries returns the program with a client that returns every error to it.
func (p program) withoutRetries() program {
	config := p.emulator.AWSConfig()
	config.Retryer = func() aws.Retryer { return aws.NopRetryer{} }
	p.Client = dynamodb.NewFromConfig(config)
	return p
}

// fail sets a fault.
func (p program) fail(f emulator.Fault) {
	p.Helper()
	if _, err := p.emulator.Fail(f); err != nil {
		p.Fatal(err)
	}
}

// must fails the test if a request failed.
func (p program) must(_ any, err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// table makes a table on demand with a partition key, and with a sort key if two attributes are given.
func (p program) table(name string, key ...string) {
	p.Helper()
	in := &dynamodb.CreateTableInput{TableName: aws.String(name), BillingMode: types.BillingModePayPerRequest}
	for i, attribute := range key {
		kind := []types.KeyType{types.KeyTypeHash, types.KeyTypeRange}[i]
		in.KeySchema = append(in.KeySchema, types.KeySchemaElement{AttributeName: aws.String(attribute), KeyType: kind})
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{
			AttributeName: aws.String(attribute), AttributeType: types.ScalarAttributeTypeS})
	}
	p.must(p.CreateTable(p.Context(), in))
}

// item is an item of texts and numbers.
type item map[string]any

// attributes returns the item in the form of requests.
func (i item) attributes() map[string]types.AttributeValue {
	out := map[string]types.AttributeValue{}
	for name, value := range i {
		out[name] = attributeValue(value)
	}
	return out
}

func attributeValue(value any) types.AttributeValue {
	switch v := value.(type) {
	case int:
		return &types.AttributeValueMemberN{Value: fmt.Sprint(v)}
	case []string:
		return &types.AttributeValueMemberSS{Value: v}
	default:
		return &types.AttributeValueMemberS{Value: fmt.Sprint(v)}
	}
}

func (p program) put(table string, i item) {
	p.Helper()
	p.must(p.PutItem(p.Context(), &dynamodb.PutItemInput{TableName: aws.String(table), Item: i.attributes()}))
}

func (p program) get(table string, key item) map[string]types.AttributeValue {
	p.Helper()
	out, err := p.GetItem(p.Context(), &dynamodb.GetItemInput{TableName: aws.String(table), Key: key.attributes()})
	p.must(out, err)
	return out.Item
}

func (p program) tryGet(table string, key item) error {
	_, err := p.GetItem(p.Context(), &dynamodb.GetItemInput{TableName: aws.String(table), Key: key.attributes()})
	return err
}

// update returns an update with an expression.
func update(table string, key item, expression string, values item) *dynamodb.UpdateItemInput {
	return &dynamodb.UpdateItemInput{TableName: aws.String(table), Key: key.attributes(),
		UpdateExpression: aws.String(expression), ExpressionAttributeValues: values.attributes()}
}

// partition returns a query of a partition.
func partition(table, key, value string) *dynamodb.QueryInput {
	return &dynamodb.QueryInput{TableName: aws.String(table), KeyConditionExpression: aws.String("#k = :k"),
		ExpressionAttributeNames:  map[string]string{"#k": key},
		ExpressionAttributeValues: item{":k": value}.attributes()}
}
