package wire

import (
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// Dates parses the dates of requests, most of which are the same as in the request before. The zero value is ready.
type Dates struct{ last atomic.Pointer[date] }

type date struct {
	text string
	at   time.Time
}

// Parse is ParseDate.
func (d *Dates) Parse(text string) (time.Time, error) {
	if last := d.last.Load(); last != nil && last.text == text {
		return last.at, nil
	}
	at, err := ParseDate(text)
	if err == nil {
		d.last.Store(&date{strings.Clone(text), at})
	}
	return at, err
}

// ParseDate parses an HTTP date. The Go SDK writes UTC instead of GMT, and some clients send the date in lower case, as
// they sign it.
func ParseDate(text string) (time.Time, error) {
	if at, err := http.ParseTime(text); err == nil {
		return at, nil
	}
	return time.Parse(time.RFC1123, strings.ToUpper(text))
}
