package advice

import (
	"encoding/json"

	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// Request is a recorded request, decoded.
type Request struct {
	*recording.Entry

	Body   map[string]any // the request's JSON; numbers are float64, except in items, where they are texts
	Result map[string]any // the response's JSON; nil if there was none

	accesses []access // the items that the request of DynamoDB names by key
}

// decode decodes an entry. A body or response that is not a JSON object is left out.
func decode(e *recording.Entry) *Request {
	r := &Request{Entry: e}
	_ = json.Unmarshal(e.Request, &r.Body)
	_ = json.Unmarshal(e.Answer, &r.Result)
	return r
}

// Done reports whether the request succeeded, and the client knows.
func (r *Request) Done() bool { return r.Status < 300 && !r.Lost }

// text returns a text field of the body; empty if there is none.
func (r *Request) text(field string) string {
	s, _ := r.Body[field].(string)
	return s
}

// number returns a number field of the response; 0 if there is none.
func (r *Request) number(field string) int {
	n, _ := r.Result[field].(float64)
	return int(n)
}

// has reports whether the response has a field that is neither null nor empty.
func (r *Request) has(field string) bool {
	switch v := r.Result[field].(type) {
	case nil:
		return false
	case string:
		return v != ""
	case map[string]any:
		return len(v) > 0
	case []any:
		return len(v) > 0
	}
	return true
}

// table returns the name of the table of a DynamoDB request on one table.
func (r *Request) table() string { return tableName(r.text("TableName")) }

// units returns the capacity units that the request consumed.
func (r *Request) units() (read, write float64) {
	for _, c := range r.Consumed {
		if c.Write {
			write += c.Units
		} else {
			read += c.Units
		}
	}
	return read, write
}
