package emulator_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// makeOrders creates a table of orders by customer and number, with an index by status and one by a customer's total.
func makeOrders(t testing.TB, c *dynamodb.Client) {
	t.Helper()
	schema := func(partition, sort string) []types.KeySchemaElement {
		return []types.KeySchemaElement{
			{AttributeName: &partition, KeyType: types.KeyTypeHash}, {AttributeName: &sort, KeyType: types.KeyTypeRange},
		}
	}
	all := &types.Projection{ProjectionType: types.ProjectionTypeAll}
	_, err := c.CreateTable(context.Background(), &dynamodb.CreateTableInput{
		TableName: aws.String("orders"), BillingMode: types.BillingModePayPerRequest, KeySchema: schema("customer", "number"),
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("customer"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("number"), AttributeType: types.ScalarAttributeTypeN},
			{AttributeName: aws.String("state"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("total"), AttributeType: types.ScalarAttributeTypeN},
		},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{IndexName: aws.String("by-state"), KeySchema: schema("state",
			"total"), Projection: all}},
		LocalSecondaryIndexes: []types.LocalSecondaryIndex{{IndexName: aws.String("by-total"), KeySchema: schema("customer",
			"total"), Projection: all}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// order is an item of the orders.
type order struct {
	Customer string `dynamodbav:"customer"`
	Number   int    `dynamodbav:"number"`
	State    string `dynamodbav:"state,omitempty"`
	Total    int    `dynamodbav:"total"`
}

func (o order) item(t testing.TB) map[string]types.AttributeValue {
	t.Helper()
	it, err := attributevalue.MarshalMap(o)
	if err != nil {
		t.Fatal(err)
	}
	return it
}

// putOrders puts n orders of one customer; every second one is open.
func putOrders(t testing.TB, c *dynamodb.Client, n int) {
	t.Helper()
	for i := range n {
		o := order{Customer: "ann", Number: i, Total: 100 - i}
		if i%2 == 0 {
			o.State = "open"
		}
		put(t, c, "orders", o.item(t))
	}
}

func TestSDKWaitersReturnImmediately(t *testing.T) {
	t.Parallel()
	ctx, c := t.Context(), client(emulator.Run(t))
	const once = await.Timeout // as long as between two polls: there is one
	there := dynamodb.NewTableExistsWaiter(c, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = once, once
	})
	gone := dynamodb.NewTableNotExistsWaiter(c, func(o *dynamodb.TableNotExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = once, once
	})
	table := &dynamodb.DescribeTableInput{TableName: aws.String("awaited")}
	makeTable(t, c, "awaited")
	if err := there.Wait(ctx, table, once); err != nil {
		t.Error(err)
	}
	if err := gone.Wait(ctx, table, once); err == nil {
		t.Error("a table that is there is taken for gone")
	}
	if _, err := c.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: table.TableName}); err != nil {
		t.Error(err)
	}
	if err := gone.Wait(ctx, table, once); err != nil {
		t.Error(err)
	}
}

// pages reads all pages and returns their number.
func pages[P any](t testing.TB, more func() bool, next func(context.Context, ...func(*dynamodb.Options)) (P, error),
	each func(P)) int {
	t.Helper()
	n := 0
	for ; more(); n++ {
		page, err := next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		each(page)
	}
	return n
}

func TestPaginatorsOfTheSDK(t *testing.T) {
	t.Parallel()
	c := client(emulator.Run(t))
	makeOrders(t, c)
	putOrders(t, c, 10)
	query := func(index, key, value string, forward bool) func(t *testing.T) ([]int, int) {
		return func(t *testing.T) (totals []int, n int) {
			p := dynamodb.NewQueryPaginator(c, &dynamodb.QueryInput{
				TableName: aws.String("orders"), IndexName: aws.String(index), Limit: aws.Int32(2), ScanIndexForward: &forward,
				KeyConditionExpression: aws.String("#k = :v"), ExpressionAttributeNames: map[string]string{"#k": key},
				ExpressionAttributeValues: map[string]types.AttributeValue{":v": &types.AttributeValueMemberS{Value: value}},
			})
			n = pages(t, p.HasMorePages, p.NextPage, func(page *dynamodb.QueryOutput) {
				totals = append(totals, totalsOf(t, page.Items)...)
			})
			return totals, n
		}
	}
	scan := func(t *testing.T) (totals []int, n int) {
		p := dynamodb.NewScanPaginator(c, &dynamodb.ScanInput{TableName: aws.String("orders"),
			IndexName: aws.String("by-state"), Limit: aws.Int32(3)})
		n = pages(t, p.HasMorePages, p.NextPage, func(page *dynamodb.ScanOutput) {
			totals = append(totals, totalsOf(t, page.Items)...)
		})
		slices.Sort(totals)
		return totals, n
	}
	for name, test := range map[string]struct {
		read   func(t *testing.T) ([]int, int)
		totals []int
		pages  int
	}{
		"Query of a local index": {query("by-total", "customer", "ann", true), []int{91, 92, 93, 94, 95, 96, 97,
			98, 99, 100}, 6},
		"Query of a global index, backwards": {query("by-state", "state", "open", false), []int{100, 98, 96, 94, 92}, 3},
		"Scan of a global index":             {scan, []int{92, 94, 96, 98, 100}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			totals, n := test.read(t)
			if !slices.Equal(totals, test.totals) || n != test.pages {
				t.Errorf("%v in %d pages, want %v in %d", totals, n, test.totals, test.pages)
			}
		})
	}
}

func totalsOf(t testing.TB, items []map[string]types.AttributeValue) []int {
	t.Helper()
	var orders []order
	if err := attributevalue.UnmarshalListOfMaps(items, &orders); err != nil {
		t.Fatal(err)
	}
	totals := make([]int, len(orders))
	for i, o := range orders {
		totals[i] = o.Total
	}
	return totals
}

func TestListTablesPaginatorOfTheSDK(t *testing.T) {
	t.Parallel()
	c := client(emulator.Run(t))
	var want, got []string
	for i := range 5 {
		want = append(want, fmt.Sprintf("table-%d", i))
		makeTable(t, c, want[i])
	}
	p := dynamodb.NewListTablesPaginator(c, &dynamodb.ListTablesInput{Limit: aws.Int32(2)})
	n := pages(t, p.HasMorePages, p.NextPage, func(page *dynamodb.ListTablesOutput) {
		got = append(got, page.TableNames...)
	})
	if n != 3 || !slices.Equal(got, want) {
		t.Errorf("%v in %d pages", got, n)
	}
}

// everything has an attribute of each type.
type everything struct {
	PK      string `dynamodbav:"pk"`
	Int     int64
	Float   float64
	Big     attributevalue.Number
	Flag    bool
	Bytes   []byte
	Null    *string
	Empty   string
	List    []any
	Map     map[string]any
	Nested  struct{ Deep []map[string]int }
	Strings []string  `dynamodbav:",stringset"`
	Numbers []float64 `dynamodbav:",numberset"`
	Binary  [][]byte  `dynamodbav:",binaryset"`
	At      time.Time
	Unix    time.Time `dynamodbav:",unixtime"`
}

func TestStructsRoundTrip(t *testing.T) {
	t.Parallel()
	c := client(emulator.Run(t))
	makeTable(t, c, "things")
	in := everything{
		PK: "a", Int: -1 << 63, Float: 0.1, Big: "12345678901234567890123456789012345678", Flag: true, Bytes: []byte{0, 255},
		List: []any{"x", 1.5, true, nil, []any{}},
		Map:  map[string]any{"empty": map[string]any{}, "é": "ü"}, Strings: []string{"", "b"}, Numbers: []float64{-2, 1},
		Binary: [][]byte{{}, {1}},
		At:     time.Date(2026, 11, 21, 12, 0, 0, 5, time.UTC), Unix: time.Unix(1795262400, 0),
	}
	in.Nested.Deep = []map[string]int{{"n": 1}}
	it, err := attributevalue.MarshalMap(in)
	if err != nil {
		t.Fatal(err)
	}
	put(t, c, "things", it)
	got, err := c.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("things"), Key: text("pk", "a"),
		ConsistentRead: aws.Bool(true)})
	if err != nil {
		t.Fatal(err)
	}
	var out everything
	if err := attributevalue.UnmarshalMap(got.Item, &out); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(in, out); diff != "" {
		t.Error(diff)
	}
}

func TestExpressionsOfTheSDKsBuilder(t *testing.T) {
	t.Parallel()
	ctx, c := t.Context(), client(emulator.Run(t))
	makeOrders(t, c)
	putOrders(t, c, 10)
	read, err := expression.NewBuilder().
		WithKeyCondition(expression.Key("customer").Equal(expression.Value("ann")).And(expression.Key("number").Between(
			expression.Value(2), expression.Value(8)))).
		WithFilter(expression.Name("state").AttributeExists().And(
			expression.Not(expression.Name("total").In(expression.Value(96), expression.Value(94))))).
		WithProjection(expression.NamesList(expression.Name("customer"), expression.Name("number"),
			expression.Name("total"))).Build()
	if err != nil {
		t.Fatal(err)
	}
	found, err := c.Query(ctx, &dynamodb.QueryInput{
		TableName: aws.String("orders"), KeyConditionExpression: read.KeyCondition(), FilterExpression: read.Filter(),
		ProjectionExpression:     read.Projection(),
		ExpressionAttributeNames: read.Names(), ExpressionAttributeValues: read.Values(),
	})
	if err != nil || found.ScannedCount != 7 || !slices.Equal(totalsOf(t, found.Items), []int{98, 92}) {
		t.Errorf("%+v, %v", found, err)
	}
	write, err := expression.NewBuilder().
		WithUpdate(expression.Set(expression.Name("total"), expression.Name("total").Plus(expression.Value(5))).
			Set(expression.Name("log"), expression.IfNotExists(expression.Name("log"), expression.Value([]string{}))).Remove(
			expression.Name("state"))).
		WithCondition(expression.Name("state").Equal(expression.Value("open")).And(expression.Name("total").GreaterThan(
			expression.Value(50)))).Build()
	if err != nil {
		t.Fatal(err)
	}
	updated, err := c.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("orders"), Key: orderKey("ann", "4"), UpdateExpression: write.Update(),
		ConditionExpression:      write.Condition(),
		ExpressionAttributeNames: write.Names(), ExpressionAttributeValues: write.Values(),
		ReturnValues: types.ReturnValueAllNew,
	})
	if err != nil || updated.Attributes["state"] != nil ||
		!slices.Equal(totalsOf(t, []map[string]types.AttributeValue{updated.Attributes}), []int{101}) {
		t.Errorf("%+v, %v", updated, err)
	}
}

func orderKey(customer, number string) map[string]types.AttributeValue {
	key := text("customer", customer)
	key["number"] = &types.AttributeValueMemberN{Value: number}
	return key
}
