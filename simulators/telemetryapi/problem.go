package telemetryapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// Problem is an answer that refuses a request: problem details by RFC 9457.
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

// problem reads the refusal as far as it is one; the status always counts.
func problem(req *http.Request, status int, body []byte) *Problem {
	p := &Problem{}
	if json.Unmarshal(body, p) != nil {
		p = &Problem{}
	}
	p.Status, p.request = status, req.Method+" "+req.URL.Path
	return p
}

// Transient reports whether the same request may succeed later: no answer came, or the backend said so.
func Transient(err error) bool {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p.Status >= 500 || p.Status == http.StatusTooManyRequests || p.Status == http.StatusRequestTimeout
	}
	_, noAnswer := errors.AsType[*url.Error](err)
	return noAnswer
}

// Refused reports whether the backend refused the credential.
func Refused(err error) bool {
	p, ok := errors.AsType[*Problem](err)
	return ok && (p.Status == http.StatusUnauthorized || p.Status == http.StatusForbidden)
}
