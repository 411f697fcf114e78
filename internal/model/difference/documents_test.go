package difference

import "testing"

// TestDocumentsAreComparedWithoutGeneratedValues compares responses of Cosmos DB.
func TestDocumentsAreComparedWithoutGeneratedValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		recorded, answered, differs string // where; empty: nowhere
		capacity                    bool
	}{
		{`{"id":"1","_etag":"a","_ts":1}`, `{"id":"1","_etag":"b","_ts":2}`, "", false},
		{`{"id":"1","_etag":"a"}`, `{"id":"1"}`, "_etag", false},
		{`{"_token":"(not recorded)"}`, `{"_token":"type=resource"}`, "", false},
		{`[{"eTag":"a","requestCharge":1}]`, `[{"eTag":"b","requestCharge":2}]`, "", false},
		{`[{"requestCharge":1}]`, `[{"requestCharge":2}]`, "[0].requestCharge", true},
		{`[{"resourceBody":{"eTag":"a"}}]`, `[{"resourceBody":{"eTag":"b"}}]`, "[0].resourceBody.eTag", false},
		{`{"eTag":"a"}`, `{"eTag":"b"}`, "eTag", false},
		{`{"requestCharge":1}`, `{"requestCharge":2}`, "requestCharge", false},
		{`{"ConsumedCapacity":1}`, `{"ConsumedCapacity":2}`, "ConsumedCapacity", false},
		{`{"message":"no\r\nActivityId: 1"}`, `{"message":"no\r\nActivityId: 2"}`, "", false},
		{`{"message":"no\r\nActivityId: 1"}`, `{"message":"yes\r\nActivityId: 1"}`, "message", false},
		{`{"a":{"message":"no\r\n1"}}`, `{"a":{"message":"no\r\n2"}}`, "a.message", false},
		{`{"resource":"dbs/AAAAAg==/"}`, `{"resource":"dbs/AAAAAw==/"}`, "", false},
		{`{"resource":"dbs/shop"}`, `{"resource":"dbs/other"}`, "resource", false},
	} {
		compared := Comparison{Documents: true, Capacity: c.capacity}
		compared.Bodies([]byte(c.recorded), []byte(c.answered))
		where := ""
		for _, d := range compared.Found {
			where += d.Path
		}
		if where != c.differs {
			t.Errorf("%s and %s differ at %q, want %q", c.recorded, c.answered, where, c.differs)
		}
	}
}
