package web

import (
	"encoding/base64"
	"encoding/json"
)

// EncodeCursor returns the opaque cursor of the page after the key last; "" for an empty key.
func EncodeCursor(last map[string]string) string {
	if len(last) == 0 {
		return ""
	}
	text, _ := json.Marshal(last) // a map of strings cannot fail
	return base64.RawURLEncoding.EncodeToString(text)
}

// DecodeCursor decodes a cursor and accepts it only if it has exactly the given parts and each passes its check:
// cursors come from untrusted clients, and a forged key must not reach the database. An empty cursor decodes to nil.
// Errors: 400 naming query.cursor.
func DecodeCursor(cursor string, parts map[string]func(string) bool) (map[string]string, error) {
	if cursor == "" {
		return nil, nil
	}
	invalid := Bad("query.cursor", "is not a valid cursor of this list; start again without a cursor")
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil {
		return nil, invalid
	}
	var k map[string]string
	if err := json.Unmarshal(text, &k); err != nil || len(k) != len(parts) {
		return nil, invalid
	}
	for name, valid := range parts {
		if value, ok := k[name]; !ok || !valid(value) {
			return nil, invalid
		}
	}
	return k, nil
}

// Equals returns a check of a cursor's part that accepts only want.
func Equals[T ~string](want T) func(string) bool {
	return func(s string) bool { return s == string(want) }
}
