package dynamo_test

import (
	"fmt"
	"strings"
	"testing"
)

// limit is the largest value that the emulator accepts; it refuses the next larger one.
type limit struct {
	What      string
	Value     int
	Unit      string
	Operation string
	request   func(n int) string
}

// limitTable returns a CreateTable request; more is appended to its members.
func limitTable(name, more string) string {
	return `{"TableName": "` + name + `", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}, {"AttributeName": "s", "AttributeType": "S"}],
		"KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}, {"AttributeName": "s", "KeyType": "RANGE"}]` + more + `}`
}

// limits returns the limits that the emulator enforces.
func limits() []limit {
	return []limit{
		{"Table name", 255, "characters", "DescribeTable", tableNamed},
		{"Index name", 255, "characters", "CreateTable", indexNamed},
		{"Local secondary indexes per table", 5, "", "CreateTable", localIndexes},
		{"Global secondary indexes per table", 20, "", "CreateTable", globalIndexes},
		{"Vector indexes per table", 5, "", "CreateTable", vectorIndexes},
		{"Dimensions of a vector index", 4096, "", "CreateTable", func(n int) string {
			return limitVectors(fmt.Sprintf("table%d", n), n, "index")
		}},
		{"Results of SearchVectors", 100, "", "SearchVectors", func(n int) string {
			return fmt.Sprintf(`{"TableName": "limits", "IndexName": "limits", "SearchVector": [{"N": "1"}], "TopK": %d}`, n)
		}},
		{"Partition key attributes of a global secondary index", 4, "", "CreateTable", hashAttributes},
		{"Sort key attributes of a global secondary index", 4, "", "CreateTable", rangeAttributes},
		{"Tags per resource", 50, "", "TagResource", tags},
		{"Keys and values of the tags of a resource", 10240, "bytes", "TagResource", tagsOfSize},
		{"Tables per page of ListTables", 100, "", "ListTables", func(n int) string {
			return fmt.Sprintf(`{"Limit": %d}`, n)
		}},
		{"Partition key", 2048, "bytes", "PutItem", func(n int) string { return put(keyOf(long(n), "s")) }},
		{"Sort key", 1024, "bytes", "PutItem", func(n int) string { return put(keyOf("p", long(n))) }},
		{"Item", 400 << 10, "bytes", "PutItem", func(n int) string {
			return put(keyOf("p", "s") + `, "a": {"S": "` + long(n-5) + `"}`)
		}},
		{"Attribute name", 65535, "bytes", "PutItem", func(n int) string {
			return put(keyOf("p", "s") + `, "` + long(n) + `": {"S": ""}`)
		}},
		{"Nesting levels of a value", 32, "", "PutItem", func(n int) string {
			return put(keyOf("p", "s") + `, "a": ` + nested(n-1))
		}},
		{"Digits of a number", 38, "", "PutItem", func(n int) string {
			return put(keyOf("p", "s") + `, "a": {"N": "` + strings.Repeat("7", n) + `"}`)
		}},
		{"Exponent of a number", 125, "", "PutItem", func(n int) string {
			return put(keyOf("p", "s") + fmt.Sprintf(`, "a": {"N": "1e%d"}`, n))
		}},
		{"Negative exponent of a number", 130, "", "PutItem", func(n int) string {
			return put(keyOf("p", "s") + fmt.Sprintf(`, "a": {"N": "1e-%d"}`, n))
		}},
		{"Expression", 4096, "bytes", "Scan", func(n int) string { return scan("a = :v" + strings.Repeat(" ", n-6)) }},
		{"Operators per expression", 300, "", "Scan", func(n int) string {
			return scan(strings.Repeat("NOT ", (n-1)%2) + "a=:v" + strings.Repeat(" OR a=:v", (n-1)/2))
		}},
		{"Operands of IN", 100, "", "Scan", func(n int) string {
			return scan("a IN (:v" + strings.Repeat(",:v", n-1) + ")")
		}},
		{"Elements of a document path", 32, "", "Scan", func(n int) string {
			return scan("a" + strings.Repeat(".a", n-1) + " = :v")
		}},
		{"Segments of a Scan", 1_000_000, "", "Scan", func(n int) string {
			return fmt.Sprintf(`{"TableName": "notes", "Segment": 0, "TotalSegments": %d}`, n)
		}},
		{"Keys per BatchGetItem", 100, "", "BatchGetItem", func(n int) string {
			return `{"RequestItems": {"notes": {"Keys": [` + list(n, `{%s}`) + `]}}}`
		}},
		{"Writes per BatchWriteItem", 25, "", "BatchWriteItem", func(n int) string {
			return `{"RequestItems": {"notes": [` + list(n, `{"DeleteRequest": {"Key": {%s}}}`) + `]}}`
		}},
		{"Reads per TransactGetItems", 100, "", "TransactGetItems", func(n int) string {
			return `{"TransactItems": [` + list(n, `{"Get": {"TableName": "notes", "Key": {%s}}}`) + `]}`
		}},
		{"Writes per TransactWriteItems", 100, "", "TransactWriteItems", func(n int) string {
			return `{"TransactItems": [` + list(n, `{"Delete": {"TableName": "notes", "Key": {%s}}}`) + `]}`
		}},
		{"Client request token of TransactWriteItems", 36, "characters", "TransactWriteItems", func(n int) string {
			return `{"ClientRequestToken": "` + long(n) + `", "TransactItems": [` + list(1,
				`{"Delete": {"TableName": "notes", "Key": {%s}}}`) + `]}`
		}},
		{"PartiQL statement", 8192, "characters", "ExecuteStatement", func(n int) string {
			text := "SELECT * FROM notes WHERE a = '"
			return `{"Statement": "` + text + long(n-len(text)-1) + `'"}`
		}},
		{"Statements per BatchExecuteStatement", 25, "", "BatchExecuteStatement", func(n int) string {
			return `{"Statements": [` + statements(n) + `]}`
		}},
		{"Statements per ExecuteTransaction", 100, "", "ExecuteTransaction", func(n int) string {
			return `{"TransactStatements": [` + statements(n) + `]}`
		}},
		{"Request body", 16 << 20, "bytes", "ListTables", func(n int) string {
			return "{" + strings.Repeat(" ", n-2) + "}"
		}},
	}
}

// vectorIndexes returns a CreateTable request with n vector indexes.
func vectorIndexes(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("vector%d", i)
	}
	return limitVectors(fmt.Sprintf("vectors%d", n), 1, names...)
}

// limitVectors returns a CreateTable request with vector indexes.
func limitVectors(table string, dimensions int, names ...string) string {
	indexes := make([]string, len(names))
	for i, name := range names {
		indexes[i] = fmt.Sprintf(`{"IndexName": "%s", "VectorAttribute": {"AttributeName": "v"}, "Dimensions": %d,
			"DistanceFunction": "COSINE", "Projection": {"ProjectionType": "ALL"}}`, name, dimensions)
	}
	return `{"TableName": "` + table + `", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}],
		"KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}], "VectorIndexes": [` + strings.Join(indexes, ", ") + `]}`
}

// statements returns n statements that delete different items.
func statements(n int) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf(`{"Statement": "DELETE FROM notes WHERE p = 'p' AND s = '%d'"}`, i)
	}
	return strings.Join(texts, ", ")
}

func long(n int) string { return strings.Repeat("x", n) }

func keyOf(p, s string) string { return `"p": {"S": "` + p + `"}, "s": {"S": "` + s + `"}` }

func put(item string) string { return `{"TableName": "notes", "Item": {` + item + `}}` }

func scan(filter string) string {
	return `{"TableName": "notes", "FilterExpression": "` + filter + `", "ExpressionAttributeValues": {":v": {"S": "v"}}}`
}

func nested(n int) string {
	return strings.Repeat(`{"L": [`, n) + `{"S": "x"}` + strings.Repeat(`]}`, n)
}

// list returns n elements of a format, each with another key.
func list(n int, format string) string {
	elements := make([]string, n)
	for i := range elements {
		elements[i] = fmt.Sprintf(format, keyOf("p", fmt.Sprint(i)))
	}
	return strings.Join(elements, ", ")
}

func tableNamed(n int) string { return `{"TableName": "` + long(n) + `"}` }

func tags(n int) string {
	pairs := make([]string, n)
	for i := range pairs {
		pairs[i] = fmt.Sprintf(`{"Key": "k%d", "Value": "v"}`, i)
	}
	return `{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/notes", "Tags": [` +
		strings.Join(pairs, ", ") + `]}`
}

// tagsOfSize returns a request after which the table has tags of n bytes.
func tagsOfSize(n int) string {
	pairs := make([]string, 50)
	for i := range pairs {
		key := fmt.Sprintf("k%d", i)
		value := n/(len(pairs)-i) - len(key)
		n -= len(key) + value
		pairs[i] = fmt.Sprintf(`{"Key": "%s", "Value": "%s"}`, key, long(value))
	}
	return `{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/notes", "Tags": [` +
		strings.Join(pairs, ", ") + `]}`
}

func indexNamed(n int) string { return withIndexes("GlobalSecondaryIndexes", "s", long(n-1), 1) }

func localIndexes(n int) string { return withIndexes("LocalSecondaryIndexes", "p", "index", n) }

func globalIndexes(n int) string { return withIndexes("GlobalSecondaryIndexes", "s", "index", n) }

func hashAttributes(n int) string { return keyed(n, 1) }

func rangeAttributes(n int) string { return keyed(1, n) }

// keyed returns a request for a table with a global index of that many partition and sort key attributes.
func keyed(hashes, ranges int) string {
	definitions := []string{`{"AttributeName": "p", "AttributeType": "S"}`}
	var keys []string
	for i := range hashes + ranges {
		kind := "HASH"
		if i >= hashes {
			kind = "RANGE"
		}
		definitions = append(definitions, fmt.Sprintf(`{"AttributeName": "k%d", "AttributeType": "S"}`, i))
		keys = append(keys, fmt.Sprintf(`{"AttributeName": "k%d", "KeyType": "%s"}`, i, kind))
	}
	return fmt.Sprintf(`{"TableName": "keyed-%d-%d", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": [%s],
		"KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}], "GlobalSecondaryIndexes": [{"IndexName": "keyed",
		"Projection": {"ProjectionType": "ALL"}, "KeySchema": [%s]}]}`, hashes, ranges, strings.Join(definitions, ", "),
		strings.Join(keys, ", "))
}

// withIndexes returns a request for a table with n indexes, whose names differ in their last letter.
func withIndexes(member, partitionKey, name string, n int) string {
	indexes := make([]string, n)
	sortKey := map[string]string{"p": "s", "s": "p"}[partitionKey]
	for i := range indexes {
		indexes[i] = fmt.Sprintf(`{"IndexName": "%s%c", "Projection": {"ProjectionType": "ALL"},
			"KeySchema": [{"AttributeName": "%s", "KeyType": "HASH"}, {"AttributeName": "%s", "KeyType": "RANGE"}]}`, name, 'a'+i, partitionKey, sortKey)
	}
	return limitTable(fmt.Sprintf("with-%d-%s-%d", n, member, len(name)), `, "`+member+`": [`+
		strings.Join(indexes, ", ")+`]`)
}

// runLimits tries each limit at its value and one above.
func runLimits(t *testing.T) []limit {
	t.Helper()
	c := newConversation(t)
	c.say(t, "CreateTable", limitTable("notes", ""))
	c.say(t, "CreateTable", limitVectors("limits", 1, "limits"))
	all := limits()
	for _, l := range all {
		for n, taken := range map[int]bool{l.Value: true, l.Value + 1: false} {
			w := c.post("DynamoDB_20120810."+l.Operation, l.request(n))
			refused := w.Code != 200 && !strings.Contains(w.Body.String(), "ResourceNotFoundException")
			if refused == taken {
				t.Errorf("%s: %d: %d %.300s", l.What, n, w.Code, w.Body.String())
			}
		}
	}
	return all
}
