// Package webtest calls a backend over HTTP in tests.
package webtest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Response is the response of a server.
type Response struct {
	Status int
	Header http.Header
	Body   map[string]any // of a JSON object; for anything else see Raw
	Raw    string
}

// Text returns the string member name of the body, and "" for anything else.
func (a Response) Text(name string) string {
	text, _ := a.Body[name].(string)
	return text
}

// Call sends a request. A string body is sent as it is, any other body as JSON, nil as none. An error in transit fails
// the test without ending it and returns an empty Response, so that many goroutines may call.
func Call(t testing.TB, server *httptest.Server, header http.Header, method, path string, body any) Response {
	t.Helper()
	request, err := http.NewRequest(method, server.URL+path, bodyReader(t, body))
	if err != nil {
		t.Error(err)
		return Response{}
	}
	if header != nil {
		request.Header = header.Clone()
	}
	if body != nil && request.Header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := server.Client().Do(request)
	if err != nil {
		t.Error(err)
		return Response{}
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Error(err)
	}
	out := Response{Status: response.StatusCode, Header: response.Header, Raw: string(text)}
	_ = json.Unmarshal(text, &out.Body) // a body that is not an object stays in Raw
	return out
}

func bodyReader(t testing.TB, body any) io.Reader {
	switch body := body.(type) {
	case nil:
		return nil
	case string:
		return strings.NewReader(body)
	}
	text, err := json.Marshal(body)
	if err != nil {
		t.Error(err)
	}
	return bytes.NewReader(text)
}
