//go:build browser

package console_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// ordersTable makes the table orders, as another client does.
func ordersTable(t testing.TB, e *emulator.Emulator, options ...func(*dynamodb.Options)) *dynamodb.Client {
	t.Helper()
	client := dynamodb.NewFromConfig(e.AWSConfig(), options...)
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("orders"), BillingMode: types.BillingModePayPerRequest,
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("customer"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("number"), KeyType: types.KeyTypeRange}},
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("customer"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("number"), AttributeType: types.ScalarAttributeTypeN},
			{AttributeName: aws.String("state"), AttributeType: types.ScalarAttributeTypeS}},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{IndexName: aws.String("by-state"),
			KeySchema:  []types.KeySchemaElement{{AttributeName: aws.String("state"), KeyType: types.KeyTypeHash}},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// TestHomePage opens the first page, and sees a table that another client creates meanwhile.
func TestHomePage(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	b.sees("No tables yet", "Connect to DynamoDB", b.emulator.DynamoDBURL(), "Connect to Cosmos DB",
		b.emulator.CosmosURL())
	ordersTable(t, b.emulator)
	b.sees("by-state", "customer (S), number (N)")
	b.click("Python")
	b.sees("boto3.client(")
	b.click("orders")
	b.sees("No items")
	b.visit("/")
	b.click("API documentation")
	b.sees("Controls a running emulator")
}

// TestIsolatedTables opens the console of an emulator where each access key has tables of its own: it shows those that
// another client creates in another region.
func TestIsolatedTables(t *testing.T) {
	t.Parallel()
	b := open(t, "/", emulator.WithIsolation())
	b.sees("No tables yet")
	ordersTable(t, b.emulator, func(o *dynamodb.Options) { o.Region = "eu-west-1" })
	b.sees("by-state", "tabletop · eu-west-1")
}

// TestClock moves the emulator's clock.
func TestClock(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	b.click("Freeze the clock")
	b.sees("❄")
	before := b.emulator.Now()
	b.click("+1 d: advance the clock by 1 day")
	b.sees(before.AddDate(0, 0, 1).UTC().Format("2006-01-02 15:04:05"))
	b.click("Resume the clock")
	b.misses("❄")
}

// TestThemeIsChosen switches from the system's theme, and keeps the choice when the page is opened again.
func TestThemeIsChosen(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	colour := func() string { return b.evaluate("getComputedStyle(document.documentElement).backgroundColor") }
	light := colour()
	b.click("Theme")
	b.click("Dark")
	if colour() == light {
		t.Error("the background is still light")
	}
	b.visit("/")
	b.sees("Connect to DynamoDB")
	if colour() == light {
		t.Error("the choice is lost")
	}
}

// TestCreateAndDeleteTable makes a table with each kind of index, and deletes it.
func TestCreateAndDeleteTable(t *testing.T) {
	t.Parallel()
	b := open(t, "/dynamodb/tables")
	b.sees("No tables yet")
	b.click("Create table")
	b.fill("Table name", "events")
	b.fill("Partition key", "user")
	b.fill("Sort key (optional)", "at")
	b.fill("Type of sort key", "Number")
	b.click("Global index")
	b.fill("Name of the global index", "by-kind")
	b.fill("Partition key of the index", "kind")
	b.click("Local index")
	b.fill("Name of the local index", "by-size")
	b.fill("Sort key of the index", "size")
	b.fill("Time to live attribute (optional)", "until")
	b.fill("Stream", "New image")
	b.click("Create table")
	b.sees("No items")
	b.click("Schema")
	b.sees("by-kind", "by-size", "until enabled", "New image", "On demand")

	out, err := dynamodb.NewFromConfig(b.emulator.AWSConfig()).DescribeTable(t.Context(),
		&dynamodb.DescribeTableInput{TableName: aws.String("events")})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(out.Table.GlobalSecondaryIndexes) + len(out.Table.LocalSecondaryIndexes); n != 2 {
		t.Errorf("%d indexes", n)
	}
	b.click("Actions")
	b.click("Delete table…")
	b.click("Delete table")
	b.sees("Table events is deleted", "No tables yet")
}

// TestRefusalIsShown creates a table that the service refuses, and sees the service's own words.
func TestRefusalIsShown(t *testing.T) {
	t.Parallel()
	b := open(t, "/dynamodb/tables")
	b.click("Create table")
	b.fill("Table name", "a")
	b.fill("Partition key", "id")
	b.click("Create table")
	b.sees("ValidationException:")
}

// TestSignIn signs in as a user who may not list tables, and sees that.
func TestSignIn(t *testing.T) {
	t.Parallel()
	identities := `
users:
  ana:
    keys: [{id: AKIAI44QH8DHBEXAMPLE, secret: je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY}]
`
	b := open(t, "/", emulator.WithIdentitiesFrom(strings.NewReader(identities)))
	b.fill("Access key ID", "AKIAI44QH8DHBEXAMPLE")
	b.fill("Secret access key", "wrong")
	b.click("Sign in")
	b.sees("Unauthorized")
	b.fill("Secret access key", "je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY")
	b.click("Sign in")
	b.sees("AccessDeniedException:", "user/ana is not authorized to perform: dynamodb:ListTables")
	b.click("ana")
	b.click("Sign out")
	b.sees("Sign in to Tabletop")
}
