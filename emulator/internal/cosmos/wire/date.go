package wire

import (
	"net/http"
	"strings"
	"time"
)

// ParseDate reads a date of HTTP; the SDK for Go writes UTC where HTTP has GMT, and some clients send it in lower case,
// as they sign it.
func ParseDate(text string) (time.Time, error) {
	if at, err := http.ParseTime(text); err == nil {
		return at, nil
	}
	return time.Parse(time.RFC1123, strings.ToUpper(text))
}
