package main

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// tableNames are the names of tables in requests; each round gives them a prefix.
var tableNames = []string{"hash-table", "range-table", "missing-table"}

// setup creates the tables of a round.
var setup = []request{
	{"CreateTable", object{"TableName": "hash-table", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": definitions("p", "S"), "KeySchema": keySchema("p")}},
	{"CreateTable", object{"TableName": "range-table", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": definitions("p", "S", "s", "N", "g", "S"), "KeySchema": keySchema("p", "s"),
		"GlobalSecondaryIndexes": []any{object{"IndexName": "by-g", "KeySchema": keySchema("g", "s"),
			"Projection": object{"ProjectionType": "ALL"}}},
		"LocalSecondaryIndexes": []any{object{"IndexName": "by-lg", "KeySchema": keySchema("p", "g"),
			"Projection": object{"ProjectionType": "KEYS_ONLY"}}}}},
}

func definitions(namesAndTypes ...string) []any {
	var all []any
	for pair := range slices.Chunk(namesAndTypes, 2) {
		all = append(all, object{"AttributeName": pair[0], "AttributeType": pair[1]})
	}
	return all
}

func keySchema(names ...string) []any {
	var all []any
	for i, name := range names {
		all = append(all, object{"AttributeName": name, "KeyType": []string{"HASH", "RANGE"}[i]})
	}
	return all
}

// generator makes requests from a seed.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) *generator { return &generator{rand.New(rand.NewPCG(seed, 0))} }

// requestsPerRound is high enough for requests to affect the same items, and low enough for shrinking.
const requestsPerRound = 30

// history returns the requests of a round.
func (g *generator) history() []request {
	all := make([]request, requestsPerRound)
	for i := range all {
		all[i] = g.request()
		if !g.oneIn(6) {
			continue
		}
		if mutated := g.mutate(all[i].body); !losesInDynamoDBLocal(mutated) {
			all[i].body = mutated
		}
	}
	return all
}

func (g *generator) oneIn(n int) bool { return g.IntN(n) == 0 }

func pick[T any](g *generator, all ...T) T { return all[g.IntN(len(all))] }

func (g *generator) request() request {
	switch g.IntN(16) {
	case 0, 1, 2:
		return request{"PutItem", g.withWrite(object{"TableName": g.table(), "Item": g.item()})}
	case 3, 4, 5, 6:
		return request{"UpdateItem", g.withUpdate(g.withWrite(g.keyed()))}
	case 7:
		return request{"DeleteItem", g.withWrite(g.keyed())}
	case 8:
		return request{"GetItem", g.withProjection(g.keyed())}
	case 9, 10, 11:
		return request{"Query", g.query()}
	case 12:
		return request{"Scan", g.scan()}
	case 13:
		return request{"BatchGetItem", g.batchGet()}
	case 14:
		return request{"BatchWriteItem", g.batchWrite()}
	}
	return request{"TransactWriteItems", g.transaction()}
}

func (g *generator) table() string {
	if g.oneIn(40) {
		return "missing-table"
	}
	return pick(g, "hash-table", "range-table", "range-table")
}

// key returns a key of a table, mostly one that fits.
func (g *generator) key(table string) object {
	key := object{"p": object{"S": pick(g, "a", "b", "é")}}
	if table == "range-table" {
		key["s"] = object{"N": pick(g, "1", "2", "-3.5", "1e2", "100")}
	}
	if g.oneIn(30) {
		key[pick(g, "p", "s", "x")] = g.value(1)
	}
	return key
}

func (g *generator) keyed() object {
	table := g.table()
	return object{"TableName": table, "Key": g.key(table)}
}

// item returns an item of the table with a sort key; the other table accepts it too.
func (g *generator) item() object {
	item := g.key("range-table")
	for range g.IntN(4) {
		item[pick(g, "a", "b", "c", "g", "n")] = g.value(3)
	}
	if g.oneIn(2) {
		item["g"] = object{"S": pick(g, "x", "y")}
	}
	return item
}

// value returns an attribute value of some depth.
func (g *generator) value(depth int) object {
	switch g.IntN(13) {
	case 0, 1, 2:
		return object{"S": g.text()}
	case 3, 4, 5:
		return object{"N": g.number()}
	case 6:
		return object{"B": pick(g, "", "AA==", "/w==", "not base64", "YWJj")}
	case 7:
		return object{"BOOL": g.oneIn(2)}
	case 8:
		return object{"NULL": !g.oneIn(10)}
	case 9:
		return object{pick(g, "SS", "NS", "BS"): g.set()}
	case 10:
		list := []any{}
		for range g.below(depth, 4) {
			list = append(list, g.value(depth-1))
		}
		return object{"L": list}
	case 11:
		m := object{}
		for range g.below(depth, 4) {
			m[pick(g, "x", "y", "z", "")] = g.value(depth - 1)
		}
		return object{"M": m}
	}
	if g.oneIn(4) {
		return object{"S": "a", "N": "1"}
	}
	return object{"S": "a"}
}

func (g *generator) below(depth, n int) int {
	if depth <= 0 {
		return 0
	}
	return g.IntN(n)
}

func (g *generator) text() string {
	return pick(g, "", "a", "b", "ab", "é", "x\x00y", strings.Repeat("long", 300), "2026-11-24")
}

func (g *generator) number() string {
	return pick(g, "0", "1", "2", "-1", "1.50", "1e2", "100", "1e-130", "9e125", "1e126", "-0", "007", "0.1",
		"12345678901234567890123456789012345678", "123456789012345678901234567890123456789", "abc", "", "NaN", "1e", ".5", "+5")
}

func (g *generator) set() []any {
	return slices.Clone(pick(g, []any{"a", "b"}, []any{"1", "2"}, []any{"AA==", "/w=="}, []any{}, []any{"a", "a"},
		[]any{"1", "1.0"}, []any{"b", "a"}, []any{""}, []any{"10", "9"}))
}

// losesInDynamoDBLocal reports whether an UpdateItem results in another item in DynamoDB Local than on the service, so
// that later responses would differ too: DynamoDB Local ignores an update without Action of a new item, and creates an
// item for an update that only removes attributes.
func losesInDynamoDBLocal(body any) bool {
	update, _ := body.(object)
	if text, ok := update["UpdateExpression"].(string); ok {
		return !strings.Contains(text, "SET") && !strings.Contains(text, "ADD")
	}
	updates, _ := update["AttributeUpdates"].(object)
	for _, one := range updates {
		if one, ok := one.(object); !ok || one["Action"] == nil || one["Action"] == "DELETE" {
			return true
		}
	}
	return false
}

// mutate changes one random place of a request.
func (g *generator) mutate(v any) any {
	changes := slices.Collect(without(v))
	if len(changes) > 0 && !g.oneIn(4) {
		return changes[g.IntN(len(changes))]
	}
	body, ok := v.(object)
	if !ok {
		return v
	}
	changed := object{}
	for name, member := range body {
		changed[name] = member
	}
	names := []string{"TableName", "Key", "Item", "ReturnValues", "ConsistentRead", "ExpressionAttributeValues", "Limit",
		"ConditionExpression", "ReturnConsumedCapacity", "Select", "IndexName", "ProjectionExpression"}
	changed[pick(g, names...)] = pick[any](g, nil, "", "x", 1, -1, 1.5, true, []any{}, object{}, []any{"x"},
		object{"x": 1})
	return changed
}
