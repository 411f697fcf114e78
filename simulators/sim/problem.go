package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// Problem is an error response: problem details (RFC 9457).
type Problem struct {
	Status int    `json:"status"`
	Title  string `json:"title"`
	Detail string `json:"detail"`

	request string
}

func (p *Problem) Error() string {
	text := p.Detail
	if text == "" {
		text = p.Title
	}
	if text == "" {
		text = http.StatusText(p.Status)
	}
	return fmt.Sprintf("%s: %d %s", p.request, p.Status, text)
}

// decodeProblem decodes an error response as far as possible; the status always counts.
func decodeProblem(req *http.Request, status int, body []byte) *Problem {
	p := &Problem{}
	if json.Unmarshal(body, p) != nil {
		p = &Problem{}
	}
	p.Status, p.request = status, req.Method+" "+req.URL.Path
	return p
}

// Status returns the status of an error response, and 0 for any other error and for nil.
func Status(err error) int {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p.Status
	}
	return 0
}

// IsTransient reports whether the same request may succeed later: there was no response, or its status says so.
func IsTransient(err error) bool {
	if s := Status(err); s != 0 {
		return s >= 500 || s == http.StatusTooManyRequests || s == http.StatusRequestTimeout
	}
	_, noResponse := errors.AsType[*url.Error](err)
	_, truncated := errors.AsType[*truncatedResponse](err)
	return noResponse || truncated
}

// IsUnauthorized reports whether the backend refused the credential.
func IsUnauthorized(err error) bool {
	s := Status(err)
	return s == http.StatusUnauthorized || s == http.StatusForbidden
}
