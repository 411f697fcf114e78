package usage

import (
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestAccessPath(t *testing.T) {
	t.Parallel()
	for want, input := range map[string]any{
		"GetItem t": &dynamodb.GetItemInput{TableName: aws.String("t")},
		"Query t/i by pk = ? AND sk BETWEEN ? AND ? filtered backward limit 5": &dynamodb.QueryInput{
			TableName: aws.String("t"), IndexName: aws.String("i"),
			KeyConditionExpression:   aws.String("#p = :p AND\n sk BETWEEN :from AND :to"),
			ExpressionAttributeNames: map[string]string{"#p": "pk"},
			FilterExpression:         aws.String("a = :a"), ScanIndexForward: aws.Bool(false), Limit: aws.Int32(5)},
		"Scan t/i": &dynamodb.ScanInput{TableName: aws.String("t"), IndexName: aws.String("i")},
		"BatchWriteItem a x1, b x2": &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{
			"b": make([]types.WriteRequest, 2), "a": make([]types.WriteRequest, 1)}},
		"TransactWriteItems Put a, ConditionCheck b": &dynamodb.TransactWriteItemsInput{
			TransactItems: []types.TransactWriteItem{
				{Put: &types.Put{TableName: aws.String("a")}},
				{ConditionCheck: &types.ConditionCheck{TableName: aws.String("b")}}}},
		"DescribeTable": &dynamodb.DescribeTableInput{},
	} {
		if got := accessPath(input); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestCosmosPath(t *testing.T) {
	t.Parallel()
	request := func(method, path string, header ...string) *http.Request {
		r, err := http.NewRequestWithContext(t.Context(), method, "http://x"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		return r
	}
	const query = "application/query+json"
	for want, test := range map[string]struct {
		r    *http.Request
		body string
	}{
		"GET events":          {request("GET", "/dbs/d/colls/events/docs/1"), ""},
		"GET events pkranges": {request("GET", "/dbs/d/colls/events/pkranges"), ""},
		"Query events in all partitions WHERE c.a = ?": {request("POST", "/dbs/d/colls/events/docs", "Content-Type", query),
			`{"query":"SELECT * FROM c WHERE c.a = @a"}`},
		"Query events": {request("POST", "/dbs/d/colls/events/docs", "Content-Type", query, "x-ms-documentdb-partitionkey",
			`["u"]`),
			`{"query":"SELECT * FROM c"}`},
	} {
		if got := cosmosPath(test.r, strings.NewReader(test.body)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
