package loadtest

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
		"Query t/i by pk = ? AND sk BETWEEN ? AND ? filtered backward limit 5": &dynamodb.QueryInput{TableName: aws.String("t"), IndexName: aws.String("i"),
			KeyConditionExpression: aws.String("#p = :p AND\n sk BETWEEN :from AND :to"), ExpressionAttributeNames: map[string]string{"#p": "pk"},
			FilterExpression: aws.String("a = :a"), ScanIndexForward: aws.Bool(false), Limit: aws.Int32(5)},
		"Scan t/i": &dynamodb.ScanInput{TableName: aws.String("t"), IndexName: aws.String("i")},
		"BatchWriteItem a x1, b x2": &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{
			"b": make([]types.WriteRequest, 2), "a": make([]types.WriteRequest, 1)}},
		"TransactWriteItems Put a, ConditionCheck b": &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{TableName: aws.String("a")}}, {ConditionCheck: &types.ConditionCheck{TableName: aws.String("b")}}}},
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
		"Query events": {request("POST", "/dbs/d/colls/events/docs", "Content-Type", query, "x-ms-documentdb-partitionkey", `["u"]`),
			`{"query":"SELECT * FROM c"}`},
	} {
		if got := cosmosPath(test.r, strings.NewReader(test.body)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A call that is not listed, one that is made more often and one that is not made miss a verdict, as do units beyond the span.
func TestAccessVerdicts(t *testing.T) {
	t.Parallel()
	one := Span{1, 1}
	a := Access{ID: "TL-L4", Request: "key", Reads: &one, Calls: map[string]Span{"GetItem k": one, "UpdateItem k": {0, 1}}}
	for name, test := range map[string]struct {
		kind  KindStats
		units State
		calls State
	}{
		"as listed":          {KindStats{Metered: 4, ReadUnits: 4, Calls: []Call{{"GetItem k", 1}, {"UpdateItem k", 0.5}}}, Held, Held},
		"the optional one":   {KindStats{Metered: 4, ReadUnits: 4, Calls: []Call{{"GetItem k", 1}}}, Held, Held},
		"half the units":     {KindStats{Metered: 4, ReadUnits: 2, Calls: []Call{{"GetItem k", 1}}}, Missed, Held},
		"twice the units":    {KindStats{Metered: 4, ReadUnits: 8, Calls: []Call{{"GetItem k", 2}}}, Missed, Missed},
		"a call of no list":  {KindStats{Metered: 4, ReadUnits: 4, Calls: []Call{{"GetItem k", 1}, {"Scan k", 0.01}}}, Held, Missed},
		"a call is not made": {KindStats{Metered: 4, ReadUnits: 4}, Held, Missed},
		"nothing was seen":   {KindStats{}, Unmeasured, Unmeasured},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.kind.Request = "key"
			v := a.verdicts(&Report{Kinds: []KindStats{test.kind}})
			if len(v) != 2 || v[0].State != test.units || v[1].State != test.calls {
				t.Errorf("%+v", v)
			}
		})
	}
}

// A figure that a run may reach too well, because it does less than it should, has a floor beside its ceiling.
func TestLimitsOfBuiltInProfilesHaveTwoSides(t *testing.T) {
	t.Parallel()
	profiles, err := Profiles()
	if err != nil {
		t.Fatal(err)
	}
	oneSided := map[string]bool{"error_share": true, "rejected_readings": true, "unprocessed_items": true, "throttled": true, "throttled_requests": true,
		"hot_devices": true, "lost": true, "doubled": true, "unacknowledged": true, "stale_registrations": true}
	for _, p := range profiles {
		for _, l := range p.Limits {
			if (l.AtMost == nil || l.AtLeast == nil) && !oneSided[l.Metric] && metrics()[l.Metric].unit != "ms" {
				t.Errorf("%s: %s has one side", p.ID, l.Metric)
			}
		}
		for _, part := range p.Mix {
			found := false
			for _, a := range p.Access {
				found = found || a.Request == part.Request && len(a.Calls) > 0 && (a.Reads != nil && a.Writes != nil || a.Units != nil || part.Request == "work")
			}
			if !found {
				t.Errorf("%s does not say what a %s request does to the database, and what that takes", p.ID, part.Request)
			}
		}
	}
}
