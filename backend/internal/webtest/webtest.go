// Package webtest is how the tests of a backend call it over HTTP.
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

// Answer is what a server said.
type Answer struct {
	Status int
	Header http.Header
	Body   map[string]any // of an object; anything else is in Raw alone
	Raw    string
}

// Text is a member of the body that is a string, and empty for anything else.
func (a Answer) Text(name string) string {
	text, _ := a.Body[name].(string)
	return text
}

// Call asks the server. A body that is a string is sent as it is, any other as JSON, nil not at all. What goes wrong on
// the way fails the test and gives an empty answer, so that many goroutines may call.
func Call(t testing.TB, server *httptest.Server, header http.Header, method, path string, body any) Answer {
	t.Helper()
	request, err := http.NewRequest(method, server.URL+path, reader(t, body))
	if err != nil {
		t.Error(err)
		return Answer{}
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
		return Answer{}
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Error(err)
	}
	out := Answer{Status: response.StatusCode, Header: response.Header, Raw: string(text)}
	_ = json.Unmarshal(text, &out.Body) // what is not an object stays in Raw
	return out
}

func reader(t testing.TB, body any) io.Reader {
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
