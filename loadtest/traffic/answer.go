package traffic

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strings"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// fragment carries the kind of a request and its tag.
func fragment(kind, tag string) string {
	if tag == "" {
		return kind
	}
	return kind + "!" + url.PathEscape(tag)
}

// Untagged is the URL of a request with its kind, and without its tag.
func Untagged(address string) string {
	before, fragment, found := strings.Cut(address, "#")
	if !found {
		return address
	}
	kind, _, _ := strings.Cut(fragment, "!")
	return before + "#" + kind
}

// KindOf is the kind of request that a result answers.
func KindOf(r *vegeta.Result) string {
	u, err := url.Parse(r.URL)
	if err != nil {
		return "unknown"
	}
	kind, _, _ := strings.Cut(u.Fragment, "!")
	return cmp.Or(kind, "unknown")
}

// tagOf is the tag of the request that a result answers.
func tagOf(r *vegeta.Result) string {
	u, err := url.Parse(r.URL)
	if err != nil {
		return ""
	}
	_, tag, _ := strings.Cut(u.Fragment, "!")
	return tag
}

// ErrorText is what errors are counted by: the status, with the problem's detail where there is one.
func ErrorText(r *vegeta.Result) string {
	if text, ok := databaseError(r.Body); ok {
		return text
	}
	if text := detail(r.Body); text != "" {
		return r.Error + ": " + text
	}
	if _, cause, found := strings.Cut(r.Error, `": `); found && r.Code == 0 {
		return cause // without the URL of the one request
	}
	return r.Error
}

// databaseError is how an error of the database's own is counted, and whether a body is one.
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

// detail is what problem details say, empty when they are none.
func detail(body []byte) string {
	var problem struct {
		Detail string `json:"detail"`
	}
	_ = json.Unmarshal(body, &problem) // an answer that is no JSON has no detail
	return problem.Detail
}
