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

// TestTranscripts runs transcripts of requests and responses, one file per operation. A request is a method, followed
// by the path, headers and the body; a response is the status, the relevant headers and the body. The header pk is the
// partition key. There are two commands besides methods: "advance" moves the clock by the duration that follows, and
// "container" creates a container, with the definition that follows as JSON, in a database db. `go test -rewrite`
// updates the responses.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata/transcripts", func(t *testing.T, path string) {
		t.Parallel()
		c := &conversation{testService: newTestService(t)}
		c.limitScripts(time.Minute) // scripts in transcripts end by memory or result, not by time, on any machine
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

// conversation is a service with the history of a transcript.
type conversation struct {
	*testService
	etags        []string // in order of appearance: etag-1, etag-2 …
	continuation string   // the last one, which some-continuation stands for
}

// shown are the response headers in transcripts.
var shown = []string{"X-Ms-Substatus", "Etag", "X-Ms-Item-Count", "X-Ms-Continuation", "X-Ms-Session-Token"}

var guids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`)

// ask sends a request of a transcript and returns the response in the form of transcripts.
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

// named returns the name of an ETag in a transcript.
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
func (d *testService) send(t testing.TB, method, text string) *httptest.ResponseRecorder {
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

// do sends a signed request.
func (d *testService) do(t testing.TB, method, path string, header http.Header,
	body []byte) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	d.ServeHTTP(w, d.signedRequest(method, path, header, body))
	for name, values := range w.Header() { // clients see canonical names, whatever the case
		w.Header()[http.CanonicalHeaderKey(name)] = values
	}
	return w
}

// signedRequest returns a signed request.
func (d *testService) signedRequest(method, path string, header http.Header, body []byte) *http.Request {
	r := httptest.NewRequest(method, path, bytes.NewReader(body))
	for name, values := range header {
		r.Header[name] = values
	}
	parsed, err := wire.ParseRoute(path)
	if err != nil {
		parsed = wire.Route{}
	}
	c := &operation.Call{Request: operation.Request{Method: method, Headers: r.Header, Route: parsed},
		Run: operation.Run{Account: d.Account}}
	date := strings.ToLower(time.Now().UTC().Format(http.TimeFormat))
	r.Header.Set("X-Ms-Date", date)
	payload := strings.ToLower(method) + "\n" + string(auth.SignedKind(c)) + "\n" + auth.SignedLinks(c)[0] +
		"\n" + date + "\n\n"
	r.Header.Set("Authorization", url.QueryEscape("type=master&ver=1.0&sig="+
		base64.StdEncoding.EncodeToString(masterkey.Sign(d.Keys[0], payload))))
	return r
}

// wide is the maximum length of a response on one line.
const wide = 300

// pretty formats long JSON with one array element per line.
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

// charges matches charges in responses, which transcripts leave out: other tests check them.
var charges = regexp.MustCompile(`"requestCharge":[0-9.]+`)
