package advice

import (
	"testing"

	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// TestRemediesNameWhatExists looks for an index that a read with a filter needs, in a table that may have it.
func TestRemediesNameWhatExists(t *testing.T) {
	t.Parallel()
	byCity := &Index{Key: Key{Partition: "city", Sort: "street"}}
	v := &Review{Tables: map[string]*Table{"orders": {Name: "orders", Key: Key{Partition: "id"},
		Indexes: map[string]*Index{"by-city": byCity}}}}
	for _, c := range []struct {
		remedy              func(*Review, *Request) string
		key, filter, expect string
	}{
		{queryInstead, "", "id = :v", "Query the table, whose partition key is id"},
		{queryInstead, "", "city = :v", "Query the index by-city, whose partition key is city"},
		{keyInstead, "city = :v", "street = :v",
			"Query the index by-city, whose partition key is city and whose sort key is street"},
	} {
		r := &Request{Entry: &recording.Entry{}, Body: map[string]any{"TableName": "orders", "KeyConditionExpression": c.key,
			"FilterExpression": c.filter, "ExpressionAttributeValues": map[string]any{":v": map[string]any{"S": "x"}}}}
		if got := c.remedy(v, r); got != c.expect {
			t.Errorf("%s: %s, want %s", c.filter, got, c.expect)
		}
	}
}
