// Package transcript runs conversations with AWS's services, which are written in files, for the tests of the services.
package transcript

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// Partner is a service in a conversation, and how to talk to it.
type Partner struct {
	Advance func(t testing.TB, by string)                               // moves the service's clock
	Reload  func() error                                                // reads everything from the store again
	Say     func(t testing.TB, operation, request string) (text string) // sends a request and returns the response
}

// Run runs the conversations in testdata/transcripts, each with a new partner: a line with the operation's name, the
// request, and the response or the error. "advance" moves the clock; "reload" reads everything from the store again.
// `go test -rewrite` rewrites the responses.
func Run(t *testing.T, begin func(t testing.TB) Partner) {
	t.Helper()
	datadriven.Walk(t, "testdata/transcripts", func(t *testing.T, path string) {
		t.Parallel()
		p := begin(t)
		datadriven.RunTest(t, path, func(t *testing.T, td *datadriven.TestData) string {
			switch td.Cmd {
			case "advance":
				p.Advance(t, strings.TrimSpace(td.Input))
				return ""
			case "reload":
				if err := p.Reload(); err != nil {
					t.Fatal(err)
				}
				return ""
			}
			return p.Say(t, td.Cmd, td.Input)
		})
	})
}

// Memory are the texts in earlier responses, by the names of their members.
type Memory map[string]string

var named = lazyregexp.New(`\$[A-Za-z0-9]+`)

// Fill replaces each $Member in a request by the text of that name.
func (m Memory) Fill(request string) string {
	return named.ReplaceAllStringFunc(request, func(name string) string { return m[name[1:]] })
}

// Advance moves a clock by a duration such as 90s.
func Advance(t testing.TB, clock interface{ Advance(by time.Duration) error }, by string) {
	t.Helper()
	duration, err := time.ParseDuration(by)
	if err == nil {
		err = clock.Advance(duration)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// JSON is the content type of the JSON 1.1 protocol.
const JSON = "application/x-amz-json-1.1"

// Post sends a request like an SDK. target is its X-Amz-Target; credential is a key, a day, a region and the service's
// name, separated by slashes.
func Post(h http.Handler, contentType, target, credential, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("X-Amz-Target", target)
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+credential+"/aws4_request, SignedHeaders=host, Signature=0")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
