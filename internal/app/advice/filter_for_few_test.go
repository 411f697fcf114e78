package advice

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// openOrders makes a shop with 60 orders, one in 30 of which is open, and reads the open ones.
func openOrders(p program, times int, filter string, values item) {
	p.table("orders", "shop", "order")
	for i := range 60 {
		status := "closed"
		if i%30 == 0 {
			status = "open"
		}
		p.put("orders", item{"shop": "1", "order": fmt.Sprint(i), "status": status, "expires": 100})
	}
	for range times {
		in := partition("orders", "shop", "1")
		in.FilterExpression, in.ExpressionAttributeNames["#f"] = aws.String(filter), "status"
		for name, value := range values {
			in.ExpressionAttributeValues[name] = attributeValue(value)
		}
		p.must(p.Query(p.Context(), in))
	}
}

func TestFilterForFew(t *testing.T) {
	t.Parallel()
	f := wantOne(t, "filter-for-few", "orders", "3 queries read 180 items to return 6", func(p program) {
		openOrders(p, 3, "#f = :status", item{":status": "open"})
	})
	if f.Times != 3 || !strings.Contains(f.Remedy, `"KeySchema":[{"AttributeName":"shop","KeyType":"HASH"},`+
		`{"AttributeName":"status","KeyType":"RANGE"}]`) {
		t.Errorf("%+v", f)
	}
}

func TestFilterForFewIsSilent(t *testing.T) {
	t.Parallel()
	wantSilence(t, "filter-for-few", map[string]func(program){
		"a single query": func(p program) { openOrders(p, 1, "#f = :status", item{":status": "open"}) },
		"the filter keeps most": func(p program) {
			openOrders(p, 5, "#f <> :status", item{":status": "lost"})
		},
		"few items": func(p program) {
			p.table("orders", "shop", "order")
			p.put("orders", item{"shop": "1", "order": "1", "status": "closed"})
			for range 20 {
				in := partition("orders", "shop", "1")
				in.FilterExpression, in.ExpressionAttributeNames["#s"] = aws.String("#s = :s"), "status"
				in.ExpressionAttributeValues[":s"] = attributeValue("open")
				p.must(p.Query(p.Context(), in))
			}
		},
		"a sort key instead of a filter": func(p program) {
			openOrders(p, 0, "", nil)
			for range 20 {
				in := partition("orders", "shop", "1")
				in.KeyConditionExpression = aws.String("#k = :k AND begins_with(#o, :o)")
				in.ExpressionAttributeNames["#o"], in.ExpressionAttributeValues[":o"] = "order", attributeValue("5")
				p.must(p.Query(p.Context(), in))
			}
		},
	})
}
