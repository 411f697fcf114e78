package pointintime

import (
	"encoding/base64"
	"strings"
)

// keyMark begins a token of a key, so that no token is empty.
const keyMark = "k"

// KeyToken returns the token of a page that begins at a key.
func KeyToken(key []byte) string { return keyMark + base64.RawURLEncoding.EncodeToString(key) }

// ParseKeyToken returns the key where a page begins; empty: it is the first page.
func ParseKeyToken(token string) ([]byte, error) {
	if token == "" {
		return nil, nil
	}
	text, ok := strings.CutPrefix(token, keyMark)
	key, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || !ok {
		return nil, ErrStart
	}
	return key, nil
}
