package wire

import (
	"net/http"
	"strings"
	"time"
)

// ParseDate parses an HTTP date. The Go SDK writes UTC instead of GMT, and some clients send the date in lower case, as
// they sign it.
func ParseDate(text string) (time.Time, error) {
	if at, err := http.ParseTime(text); err == nil {
		return at, nil
	}
	return time.Parse(time.RFC1123, strings.ToUpper(text))
}
