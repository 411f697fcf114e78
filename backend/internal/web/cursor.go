package web

import (
	"encoding/base64"
	"encoding/json"
)

// EncodeCursor makes the opaque cursor of the page after the key last; no key, no cursor.
func EncodeCursor(last map[string]string) string {
	if len(last) == 0 {
		return ""
	}
	text, _ := json.Marshal(last) // a map of strings cannot fail
	return base64.RawURLEncoding.EncodeToString(text)
}

// DecodeCursor reads a cursor back and lets it pass only when it has exactly the parts that are asked for and each is
// good: a cursor comes from a stranger, and a made-up key must not reach the database. No cursor is no key; a bad one
// is a 400 that names query.cursor.
func DecodeCursor(cursor string, parts map[string]func(string) bool) (map[string]string, error) {
	if cursor == "" {
		return nil, nil
	}
	bad := Bad("query.cursor", "is not a cursor of this listing; start again without one")
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil {
		return nil, bad
	}
	var k map[string]string
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

// Is lets one text alone pass as a part of a cursor.
func Is[T ~string](want T) func(string) bool { return func(s string) bool { return s == string(want) } }
