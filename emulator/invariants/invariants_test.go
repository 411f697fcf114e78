package invariants_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
	"github.com/tabletop-db/tabletop/emulator/invariants"
)

const file = `invariants:
  - name: the stock is never negative
    table: orders
    each: pieces >= 0 or attribute_not_exists(pieces)
  - name: the sum of pieces stays
    table: orders
    sum: {of: pieces, equals: 3.5}
  - name: one order a customer and day
    table: orders
    unique: [customer, day]
  - name: each order has exactly one payment
    table: orders
    has: {in: payments, where: {order: id}, count: 1}
  - name: no order is free
    finds: SELECT id FROM "orders" WHERE price = 0
  - name: no total is negative
    cosmos: {database: shop, container: totals}
    finds: SELECT c.id FROM c WHERE c.total < 0
`

// shop is an emulator in which all invariants of the file hold.
type shop struct {
	t  *testing.T
	db invariants.Databases
}

func open(t *testing.T) *shop {
	t.Helper()
	e := emulator.Run(t)
	account, err := cosmosclient.New(e, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{t, invariants.Databases{DynamoDB: dynamodb.NewFromConfig(e.AWSConfig()), Cosmos: account}}
	for _, table := range []string{"orders", "payments"} {
		_, err := s.db.DynamoDB.CreateTable(t.Context(), &dynamodb.CreateTableInput{
			TableName: &table, BillingMode: types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"), AttributeType: "S"}},
			KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
		})
		s.must(err)
	}
	_, err = account.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "shop"}, nil)
	s.must(err)
	database, err := account.NewDatabase("shop")
	s.must(err)
	_, err = database.CreateContainer(t.Context(), azcosmos.ContainerProperties{ID: "totals",
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/id"}}}, nil)
	s.must(err)
	s.put("orders", `{'id': 'a', 'pieces': 3, 'customer': 'ana', 'day': 1, 'price': 5}`)
	s.put("orders", `{'id': 'b', 'pieces': 0.5, 'customer': 'ana', 'day': 2}`)
	s.put("payments", `{'id': 'x', 'order': 'a'}`)
	s.put("payments", `{'id': 'y', 'order': 'b'}`)
	s.total("1", 10)
	return s
}

func (s *shop) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) put(table, value string) {
	s.t.Helper()
	_, err := s.db.DynamoDB.ExecuteStatement(s.t.Context(), &dynamodb.ExecuteStatementInput{
		Statement: aws.String(`INSERT INTO "` + table + `" VALUE ` + value)})
	s.must(err)
}

func (s *shop) total(id string, total int) {
	s.t.Helper()
	c, err := s.db.Cosmos.NewContainer("shop", "totals")
	s.must(err)
	_, err = c.CreateItem(s.t.Context(), azcosmos.NewPartitionKeyString(id),
		fmt.Appendf(nil, `{"id": %q, "total": %d}`, id, total), nil)
	s.must(err)
}

func (s *shop) breaks(text string) (string, error) {
	s.t.Helper()
	set, err := invariants.Parse("i.yaml", []byte(text))
	s.must(err)
	breaks, err := set.Check(s.t.Context(), s.db)
	return invariants.Text(breaks), err
}

func TestInvariantsHold(t *testing.T) {
	t.Parallel()
	if broken, err := open(t).breaks(file); broken != "" || err != nil {
		t.Errorf("%s, %v", broken, err)
	}
}

// TestEachInvariantCanBreak breaks one invariant after another, each in a shop of its own.
func TestEachInvariantCanBreak(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*shop){
		"broken: the stock is never negative\n    {customer: \"bob\", id: \"c\", pieces: -1}": func(s *shop) {
			s.put("orders", `{'id': 'c', 'pieces': -1, 'customer': 'bob'}`)
			s.put("payments", `{'id': 'z', 'order': 'c'}`)
		},
		"broken: the sum of pieces stays\n    the sum of pieces is 3.75, want 3.5": func(s *shop) {
			s.put("orders", `{'id': 'c', 'pieces': 0.25}`)
		},
		"broken: one order a customer and day\n    2 items have customer, day \"ana\", 1": func(s *shop) {
			s.put("orders", `{'id': 'c', 'customer': 'ana', 'day': 1.0}`)
		},
		"broken: each order has exactly one payment\n    {customer: \"ana\", day: 2, id: \"b\", pieces: 0.5} has 2 in payments, want 1": func(s *shop) {
			s.put("payments", `{'id': 'z', 'order': 'b'}`)
		},
		"broken: no order is free\n    {id: \"c\"}":        func(s *shop) { s.put("orders", `{'id': 'c', 'price': 0}`) },
		"broken: no total is negative\n    {\"id\":\"2\"}": func(s *shop) { s.total("2", -1) },
	} {
		t.Run(strings.Fields(want)[2], func(t *testing.T) {
			t.Parallel()
			s := open(t)
			change(s)
			if broken, err := s.breaks(file); !strings.Contains(broken, want) || err != nil {
				t.Errorf("%s, %v; want %s", broken, err, want)
			}
		})
	}
}

func TestAMissingTableIsAnError(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, text := range []string{
		"invariants: [{name: a, table: orderz, each: pieces > 0}]",
		"invariants: [{name: a, finds: 'SELECT id FROM \"orderz\"'}]",
		"invariants: [{name: a, cosmos: {database: shop, container: totalz}, finds: SELECT * FROM c}]",
	} {
		var missing *invariants.MissingError
		if _, err := s.breaks(text); !errors.As(err, &missing) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := s.breaks("invariants: [{name: a, table: orders, each: 'pieces >'}]"); err == nil {
		t.Error("a wrong condition is not refused")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	set, _ := invariants.Parse("i.yaml", []byte(file))
	if _, err := set.Check(ctx, s.db); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestWrongFilesAreRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"invariants: []":                                      "i.yaml:1: no invariants",
		"invariant: []":                                       `i.yaml:1: unknown field "invariant"`,
		"invariants:\n- table: a\n  each: b > 1":              "i.yaml:2: an invariant needs a name",
		"invariants:\n- name: a\n  table: t":                  "use exactly one of",
		"invariants:\n- name: a\n  each: b > 1":               "name the table",
		"invariants:\n- name: a\n  table: t\n  finds: SELECT": "finds names its table itself",
		"invariants:\n- name: a\n  table: t\n  each: b > 1\n  cosmos: {database: d}":                 "each is of a table",
		"invariants:\n- name: a\n  finds: SELECT\n  cosmos: {database: d}":                           "name both",
		"invariants:\n- name: a\n  table: t\n  has: {in: u}":                                         "write has as",
		"invariants:\n- name: a\n  table: t\n  sum: {of: b, equals: many}":                           "write sum as",
		"invariants:\n- name: a\n  table: t\n  sum: {of: b, equals: 1e999999999}":                    "write sum as",
		"invariants:\n- name: a\n  table: t\n  each: b > 1\n  only: \"b > 'c\"":                      `"a": only: `,
		"invariants:\n- name: a\n  finds: SELECT\n  only: b > 1":                                     "remove only",
		"invariants:\n- name: a\n  table: t\n  composed: {b: \"{c\"}":                                "the pattern",
		"invariants:\n- name: a\n  table: t\n  composed: {b: \"{c:0}\"}":                             "the pattern",
		"invariants:\n- name: a\n  table: t\n  composed: {b: \"{c:time5m}\"}":                        "the pattern",
		"invariants:\n- name: a\n  table: t\n  has: {in: u, where: {b: c}, at_least: 2, at_most: 1}": "write has as",
		"invariants:\n- name: a\n  table: t\n  each: \"b > 'c\"":                                     `"a": each: `,
		"invariants:\n- name: a\n  table: t\n  unique: [b]\n- name: a\n  finds: SELECT b":            "i.yaml:5: there are two invariants",
	} {
		if _, err := invariants.Parse("i.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(file)
	f.Add("invariants: [{name: a, table: t, sum: {of: b, equals: 1e9}}]")
	f.Add("a: &a [*a]\ninvariants: *a")
	f.Fuzz(func(t *testing.T, text string) {
		set, err := invariants.Parse("i.yaml", []byte(text))
		if err == nil && len(set.Invariants) == 0 {
			t.Error("no invariants, and no error")
		}
	})
}

const more = `invariants:
  - name: a paid order names its customer
    requirements: [SH-1, SH-2]
    table: orders
    only: price > 1
    each: attribute_exists(customer)
  - name: an order has at most two payments
    table: orders
    has: {in: payments, only: id begins_with "x", where: {order: id}, at_most: 2}
  - name: an order of a customer has a payment or two by its label
    table: orders
    only: attribute_exists(customer)
    has: {in: payments, where: {label: "{customer:2}-{day}"}, at_least: 1, at_most: 2}
  - name: the pieces are counted
    table: orders
    only: attribute_exists(parts)
    has: {in: payments, where: {order: id}, count_in: parts}
  - name: the label is the customer, the day and when it ends
    table: payments
    only: attribute_exists(ends)
    composed: {until: "{ends:time}", from: "{ends:time-720h}"}
  - name: a user has one total
    cosmos: {database: shop, container: totals}
    only: c.total > 1
    unique: [total]
  - name: totals add up
    cosmos: {database: shop, container: totals}
    sum: {of: total, equals: 10}
  - name: a total is its own
    cosmos: {database: shop, container: totals}
    has: {in: totals, only: c.total > 0, where: {id: id}, count: 1}
`

// TestSelectedAndComposed breaks invariants about some of the items, and about attributes composed of others.
func TestSelectedAndComposed(t *testing.T) {
	t.Parallel()
	labelled := func(s *shop, id, label string) {
		s.put("payments", fmt.Sprintf("{'id': '%s', 'order': 'a', 'label': '%s'}", id, label))
	}
	for name, one := range map[string]struct {
		change func(*shop)
		want   string
	}{
		"nothing": {func(*shop) {}, ""},
		"only":    {func(s *shop) { s.put("orders", `{'id': 'c', 'price': 2}`) }, "broken: a paid order names its customer (SH-1, SH-2)\n    {id: \"c\", price: 2}"},
		"at most": {func(s *shop) { labelled(s, "x2", ""); labelled(s, "x3", "") }, "has 3 in payments, want at most 2"},
		"range":   {func(s *shop) { labelled(s, "l3", "an-1"); labelled(s, "l4", "an-1") }, "has 3 in payments, want 1 to 2"},
		"time": {func(s *shop) {
			s.put("payments", `{'id': 'q', 'ends': 1770976800, 'until': '2026-02-13T10:00:00Z', 'from': '2026-01-14T10:00:01Z'}`)
		}, `from in {ends: 1770976800, from: "2026-01-14T10:00:01Z", id: "q", until: "2026-02-13T10:00:00Z"}, want "2026-01-14T10:00:00Z"`},
		"count in": {func(s *shop) { s.put("orders", `{'id': 'e', 'parts': 1}`) }, `{id: "e", parts: 1} has 0 in payments, want 1`},
		"lacking":  {func(s *shop) { s.put("payments", `{'id': 'q', 'ends': 'x'}`) }, `{ends: "x", id: "q"} lacks an attribute of {ends:time-720h}`},
		"unique":   {func(s *shop) { s.total("2", 10); s.total("3", -10) }, "broken: a user has one total\n    2 items have total 10"},
		"sum":      {func(s *shop) { s.total("2", 5) }, "the sum of total is 15, want 10"},
		"count":    {func(s *shop) { s.total("2", 0) }, `{id: "2", total: 0} has 0 in totals, want 1`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			labelled(s, "l1", "an-1")
			labelled(s, "l2", "an-2")
			s.put("payments", `{'id': 'p', 'ends': 1770976800, 'until': '2026-02-13T10:00:00Z', 'from': '2026-01-14T10:00:00Z'}`)
			one.change(s)
			broken, err := s.breaks(more)
			if err != nil || one.want == "" && broken != "" || !strings.Contains(broken, one.want) {
				t.Errorf("%s, %v; want %s", broken, err, one.want)
			}
		})
	}
}

// TestItems lists the items of all tables and containers that invariants name.
func TestItems(t *testing.T) {
	t.Parallel()
	s := open(t)
	set, err := invariants.Parse("i.yaml", []byte("invariants: [{name: a, table: missing, unique: [b]}, "+
		"{name: b, finds: 'SELECT id FROM \"orders\"'}, {name: c, table: payments, has: {in: payments, where: {id: id}, count: 1}},"+
		"{name: d, cosmos: {database: shop, container: totals}, finds: SELECT * FROM c}]"))
	s.must(err)
	items, known, err := set.Items(t.Context(), s.db)
	want := map[string]string{
		"orders a":   `{customer: "ana", day: 1, id: "a", pieces: 3, price: 5}`,
		"orders b":   `{customer: "ana", day: 2, id: "b", pieces: 0.5}`,
		"payments x": `{id: "x", order: "a"}`, "payments y": `{id: "y", order: "b"}`,
		"totals 1": `{id: "1", total: 10}`,
	}
	if !maps.Equal(items, want) || !known || err != nil {
		t.Errorf("%v, %v, %v", items, known, err)
	}
	for i := range invariants.MaxItems {
		s.put("payments", fmt.Sprintf("{'id': 'p%d'}", i))
	}
	if items, known, err := set.Items(t.Context(), s.db); known || err != nil {
		t.Errorf("%d items, %v, %v", len(items), known, err)
	}
}

// TestAPrefixIsOfTablesAndDatabases checks the names of both with a prefix.
func TestAPrefixIsOfTablesAndDatabases(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.db.Prefix = "or"
	if broken, err := s.breaks("invariants: [{name: a, table: ders, each: pieces > 1}]"); err != nil || broken == "" {
		t.Errorf("%s, %v", broken, err)
	}
	s.db.Prefix = "sh"
	broken, err := s.breaks("invariants: [{name: a, cosmos: {database: op, container: totals}, finds: SELECT * FROM c}]")
	if err != nil || broken == "" {
		t.Errorf("%s, %v", broken, err)
	}
}
