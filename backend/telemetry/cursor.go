package telemetry

import (
	"encoding/base64"
	"encoding/json"
)

// key is the primary key of an item, or an index entry, all of whose parts are strings.
type key map[string]string

// encodeCursor makes the opaque cursor of the page after last; no key, no cursor.
func encodeCursor(last key) string {
	if len(last) == 0 {
		return ""
	}
	text, _ := json.Marshal(last) // a map of strings cannot fail
	return base64.RawURLEncoding.EncodeToString(text)
}

// decodeCursor reads a cursor back and lets it pass only when it has exactly the parts that are asked for and each
// is good: a cursor comes from a stranger, and a made-up key must not reach the database. No cursor is no key.
func decodeCursor(cursor string, parts map[string]func(string) bool) (key, error) {
	if cursor == "" {
		return nil, nil
	}
	bad := &badRequest{status: 400, location: "query.cursor", message: "is not a cursor of this listing; start again without one"}
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil {
		return nil, bad
	}
	var k key
	if err := json.Unmarshal(text, &k); err != nil || len(k) != len(parts) {
		return nil, bad
	}
	for name, good := range parts {
		if value, ok := k[name]; !ok || !good(value) {
			return nil, bad
		}
	}
	return k, nil
}

func is(want string) func(string) bool { return func(s string) bool { return s == want } }

// within is good for sort keys of readings between two bounds: DynamoDB refuses a start key outside the range.
func within(from, to string) func(string) bool {
	return func(s string) bool {
		return len(s) > 14 && s[13] == '#' && from <= s && s <= to &&
			validBytes(s[:13], 13, isDigit) && validBatchID(s[14:])
	}
}
