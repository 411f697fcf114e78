package emulator_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// started starts an emulator for an example.
func started(opts ...emulator.Option) *emulator.Emulator {
	e, err := emulator.Start(opts...)
	if err != nil {
		log.Fatal(err)
	}
	return e
}

// newTable creates a table with the string key id.
func newTable(db *dynamodb.Client, name string) {
	_, err := db.CreateTable(context.Background(), &dynamodb.CreateTableInput{
		TableName:   &name,
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"),
			AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	})
	if err != nil {
		log.Fatal(err)
	}
}

func listTables(db *dynamodb.Client) []string {
	out, err := db.ListTables(context.Background(), &dynamodb.ListTablesInput{})
	if err != nil {
		log.Fatal(err)
	}
	return out.TableNames
}

func ExampleStart() {
	e, err := emulator.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()

	db := dynamodb.NewFromConfig(e.AWSConfig())
	newTable(db, "orders")
	fmt.Println(listTables(db))
	// Output: [orders]
}

// exampleT replaces the *testing.T of a test.
type exampleT struct{ cleanups []func() }

func (t *exampleT) Helper()                           {}
func (t *exampleT) Fatalf(format string, args ...any) { log.Fatalf(format, args...) }
func (t *exampleT) Cleanup(f func())                  { t.cleanups = append(t.cleanups, f) }

// end runs the cleanups, as at the end of a test.
func (t *exampleT) end() {
	for _, f := range t.cleanups {
		f()
	}
}

func ExampleRun() {
	t := new(exampleT) // in a test, its *testing.T
	defer t.end()      // the emulator is closed when the test ends
	db := dynamodb.NewFromConfig(emulator.Run(t).AWSConfig())
	newTable(db, "orders")
	fmt.Println(listTables(db))
	// Output: [orders]
}

func ExampleEmulator_AWSConfig() {
	e := started()
	defer e.Close()
	db := dynamodb.NewFromConfig(e.AWSConfig())
	fmt.Println(listTables(db))
	// Output: []
}

func ExampleEmulator_DynamoDBURL() {
	e := started(emulator.WithDynamoDBAddr("127.0.0.1:0"))
	defer e.Close()
	fmt.Println(len(e.DynamoDBURL()) > len("http://127.0.0.1:"))
	// Output: true
}

func ExampleEmulator_Advance() {
	e := started(emulator.WithManualClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
	defer e.Close()
	if err := e.Advance(90 * 24 * time.Hour); err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Now().Format(time.DateOnly))
	// Output: 2026-04-01
}

func ExampleEmulator_Now() {
	e := started(emulator.WithManualClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
	defer e.Close()
	fmt.Println(e.Now())
	// Output: 2026-01-01 00:00:00 +0000 UTC
}

func ExampleEmulator_Restore() {
	e := started()
	defer e.Close()
	db := dynamodb.NewFromConfig(e.AWSConfig())
	newTable(db, "fixture")
	fixture, err := e.Snapshot()
	if err != nil {
		log.Fatal(err)
	}
	newTable(db, "made-by-a-test")
	if err := e.Restore(fixture); err != nil {
		log.Fatal(err)
	}
	fmt.Println(listTables(db))
	// Output: [fixture]
}

func ExampleEmulator_Snapshot() {
	first, second := started(), started()
	defer first.Close()
	defer second.Close()
	newTable(dynamodb.NewFromConfig(first.AWSConfig()), "orders")
	state, err := first.Snapshot()
	if err != nil {
		log.Fatal(err)
	}
	if err := second.Restore(state); err != nil { // another emulator may restore it
		log.Fatal(err)
	}
	fmt.Println(listTables(dynamodb.NewFromConfig(second.AWSConfig())))
	// Output: [orders]
}

func ExampleEmulator_Reset() {
	e := started()
	defer e.Close()
	db := dynamodb.NewFromConfig(e.AWSConfig())
	newTable(db, "orders")
	if err := e.Reset(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(listTables(db))
	// Output: []
}

func ExampleWithData() {
	dir, err := os.MkdirTemp("", "tabletop")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	e := started(emulator.WithData(dir))
	newTable(dynamodb.NewFromConfig(e.AWSConfig()), "orders")
	if err := e.Close(); err != nil {
		log.Fatal(err)
	}

	e = started(emulator.WithData(dir))
	defer e.Close()
	fmt.Println(listTables(dynamodb.NewFromConfig(e.AWSConfig())))
	// Output: [orders]
}
