package traffic

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strings"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// fragment returns the URL fragment that holds the kind of a request and its tag.
func fragment(kind, tag string) string {
	if tag == "" {
		return kind
	}
	return kind + "!" + url.PathEscape(tag)
}

// Untagged returns the URL of a request with its kind but without its tag.
func Untagged(address string) string {
	before, fragment, found := strings.Cut(address, "#")
	if !found {
		return address
	}
	kind, _, _ := strings.Cut(fragment, "!")
	return before + "#" + kind
}

// KindOf returns the kind of request of a result.
func KindOf(r *vegeta.Result) string {
	u, err := url.Parse(r.URL)
	if err != nil {
		return "unknown"
	}
	kind, _, _ := strings.Cut(u.Fragment, "!")
	return cmp.Or(kind, "unknown")
}

// tagOf returns the tag of the request of a result.
func tagOf(r *vegeta.Result) string {
	u, err := url.Parse(r.URL)
	if err != nil {
		return ""
	}
	_, tag, _ := strings.Cut(u.Fragment, "!")
	return tag
}

// ErrorText returns the text under which an error is counted: the status, with the problem's detail if there is one.
func ErrorText(r *vegeta.Result) string {
	if text, ok := databaseError(r.Body); ok {
		return text
	}
	if text := detail(r.Body); text != "" {
		return r.Error + ": " + text
	}
	if r.Code != 0 {
		return r.Error
	}
	cause := r.Error
	if _, after, found := strings.Cut(cause, `": `); found {
		cause = after // without the URL, which differs by request
	}
	if before, after, found := strings.Cut(cause, "->"); found {
		cause = before[:strings.LastIndex(before, " ")+1] + after // without the local address, which differs by connection
	}
	return cause
}

// databaseError returns the text under which a database error is counted, and whether body is one.
func databaseError(body []byte) (string, bool) {
	var e struct {
		Type    string `json:"__type"`
		Message string `json:"message"`
	}
	if json.Unmarshal(body, &e) != nil || e.Type == "" {
		return "", false
	}
	_, name, _ := strings.Cut(e.Type, "#")
	return name + ": " + e.Message, true
}

// detail returns the detail of problem details, or "" if body is something else.
func detail(body []byte) string {
	var problem struct {
		Detail string `json:"detail"`
	}
	_ = json.Unmarshal(body, &problem) // a response that is not JSON has no detail
	return problem.Detail
}
