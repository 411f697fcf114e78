package cosmos

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/auth"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/masterkey"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// TestTranscripts holds conversations with the service, one file an operation: a method, then the path, headers and the
// body, and the answer: its status, those of its headers that tell something, and its body. The header pk is the
// partition key's. Besides methods there are "advance", which moves the clock by the duration that follows, and
// "container", which makes one in a database db of its own: the JSON that follows says which. `go test -rewrite` writes
// the answers anew.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata/transcripts", func(t *testing.T, path string) {
		t.Parallel()
		c := &conversation{desk: newDesk(t)}
		c.limitScripts(time.Minute) // what ends a script in a transcript is its memory or its answer, however slow the machine is
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "advance":
				by, err := time.ParseDuration(strings.TrimSpace(d.Input))
				if err == nil {
					err = c.clock.Advance(by)
				}
				if err != nil {
					t.Fatal(err)
				}
				return ""
			case "container":
				c.send(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
				if w := c.send(t, http.MethodPost, "/dbs/db/colls\n"+d.Input); w.Code != http.StatusCreated {
					return fmt.Sprintf("%d %s\n", w.Code, w.Body)
				}
				return ""
			}
			return c.ask(t, d.Cmd, d.Input)
		})
	})
}

// conversation is a desk and what was said there so far.
type conversation struct {
	*desk
	etags        []string // in the order of their first appearance: etag-1, etag-2 …
	continuation string   // the last one: what some-continuation stands for
}

// shown are the headers of an answer that a transcript has.
var shown = []string{"X-Ms-Substatus", "Etag", "X-Ms-Item-Count", "X-Ms-Continuation", "X-Ms-Session-Token"}

var guids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`)

// ask sends what a transcript says and gives the answer in its form.
func (c *conversation) ask(t *testing.T, method, text string) string {
	t.Helper()
	for i := len(c.etags); i > 0; i-- {
		text = strings.ReplaceAll(text, fmt.Sprintf("etag-%d", i), c.etags[i-1])
	}
	w := c.send(t, method, strings.ReplaceAll(text, "some-continuation", c.continuation))
	if token := w.Header().Get("X-Ms-Continuation"); token != "" {
		c.continuation = token
		w.Header().Set("X-Ms-Continuation", "some-continuation")
	}
	out := fmt.Sprintf("%d %s\n", w.Code, http.StatusText(w.Code))
	for _, name := range shown {
		if value := w.Header().Get(name); value != "" {
			out += strings.ToLower(name) + ": " + value + "\n"
		}
	}
	return guids.ReplaceAllStringFunc(out+pretty(w.Body.Bytes()), c.named)
}

// named is what a transcript calls an etag.
func (c *conversation) named(etag string) string {
	for i := range c.etags {
		if c.etags[i] == etag {
			return fmt.Sprintf("etag-%d", i+1)
		}
	}
	c.etags = append(c.etags, etag)
	return fmt.Sprintf("etag-%d", len(c.etags))
}

var headerLine = regexp.MustCompile(`^([A-Za-z-]+): ?(.*)$`)

// send sends a request: a line with its path, lines with headers, and its body.
func (d *desk) send(t testing.TB, method, text string) *httptest.ResponseRecorder {
	t.Helper()
	path, rest, _ := strings.Cut(text, "\n")
	header := http.Header{}
	for {
		line, more, _ := strings.Cut(rest, "\n")
		m := headerLine.FindStringSubmatch(line)
		if m == nil {
			break
		}
		name := m[1]
		if name == "pk" {
			name = "X-Ms-Documentdb-Partitionkey"
		}
		header.Set(name, m[2])
		rest = more
	}
	return d.do(t, method, path, header, []byte(strings.TrimRight(rest, "\n")))
}

// do sends a request, signed.
func (d *desk) do(t testing.TB, method, path string, header http.Header, body []byte) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	d.ServeHTTP(w, d.signedRequest(method, path, header, body))
	for name, values := range w.Header() { // which a client sees in one form, however they are written
		w.Header()[http.CanonicalHeaderKey(name)] = values
	}
	return w
}

// signedRequest is a request with a signature.
func (d *desk) signedRequest(method, path string, header http.Header, body []byte) *http.Request {
	r := httptest.NewRequest(method, path, bytes.NewReader(body))
	for name, values := range header {
		r.Header[name] = values
	}
	parsed, err := wire.ParseRoute(path)
	if err != nil {
		parsed = wire.Route{}
	}
	c := &operation.Call{Request: operation.Request{Method: method, Headers: r.Header, Route: parsed}, Run: operation.Run{Account: d.Account}}
	date := strings.ToLower(time.Now().UTC().Format(http.TimeFormat))
	r.Header.Set("X-Ms-Date", date)
	payload := strings.ToLower(method) + "\n" + string(auth.SignedKind(c)) + "\n" + auth.SignedLinks(c)[0] + "\n" + date + "\n\n"
	r.Header.Set("Authorization", url.QueryEscape("type=master&ver=1.0&sig="+base64.StdEncoding.EncodeToString(masterkey.Sign(d.Keys[0], payload))))
	return r
}

// wide is the length up to which an answer stays on its line.
const wide = 300

// pretty lays out JSON that is long: an element of an array a line.
func pretty(text []byte) string {
	if len(text) == 0 {
		return ""
	}
	out := charges.ReplaceAllString(string(text), `"requestCharge":"some-charge"`)
	if len(text) > wide && json.Valid(text) {
		out = strings.NewReplacer("},{", "},\n{", "[{", "[\n{").Replace(out)
	}
	return strings.TrimRight(out, "\n") + "\n"
}

// charges are told of elsewhere.
var charges = regexp.MustCompile(`"requestCharge":[0-9.]+`)
