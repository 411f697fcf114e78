package dynamo_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestTranscripts replays conversations with the service, one file for each operation: a line with the operation's
// name, the request, and the response or the error. "advance" moves the clock by the duration that follows. `go test
// -rewrite` rewrites the responses.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata/transcripts", func(t *testing.T, path string) {
		t.Parallel()
		c := newConversation(t)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "advance" {
				c.advance(t, strings.TrimSpace(d.Input))
				return ""
			}
			return c.say(t, d.Cmd, d.Input)
		})
		if t.Failed() {
			t.Logf("in %s", filepath.Base(path))
		}
	})
}

// conversation has its own service. Its clock is stopped at noon and moves only on "advance".
type conversation struct {
	service  *dynamo.Service
	clock    *clock.Clock
	iterator string // the last one in a response; replaces some-iterator
	backup   string // the ARN of the last backup in a response
}

// conversationStart is the initial time of a conversation's clock.
var conversationStart = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func newConversation(t *testing.T) *conversation { return newConversationWith(t, dynamo.Config{}) }

// newConversationWith starts a conversation with a service that has config in addition to the defaults.
func newConversationWith(t *testing.T, config dynamo.Config) *conversation {
	t.Helper()
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := &conversation{clock: clock.Manual(conversationStart)}
	config.Store, config.Clock, config.Address, config.Seed = s, c.clock, "127.0.0.1:8000", 1
	config.Kinesis = fakeKinesis{s.NewGate()}
	if c.service, err = dynamo.New(config); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.service.Close(); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func (c *conversation) advance(t *testing.T, by string) {
	t.Helper()
	d, err := time.ParseDuration(by)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.clock.Advance(d); err != nil {
		t.Fatal(err)
	}
}

func (c *conversation) say(t *testing.T, operation, request string) string {
	t.Helper()
	w := c.post(target(operation), strings.NewReplacer("some-iterator", c.iterator, "some-backup",
		c.backup).Replace(request))
	if w.Code == http.StatusOK && w.Body.Len() == 0 {
		return "no body\n"
	}
	var answer map[string]any
	d := json.NewDecoder(strings.NewReader(c.without(w.Body.String())))
	d.UseNumber()
	if err := d.Decode(&answer); err != nil {
		t.Fatalf("%s %s: %v", operation, request, err)
	}
	if w.Code == http.StatusOK {
		return layout(answer, "") + "\n"
	}
	kind, _ := answer["__type"].(string)
	_, kind, _ = strings.Cut(kind, "#")
	delete(answer, "__type")
	for _, key := range []string{"message", "Message"} {
		if message, ok := answer[key]; ok {
			kind += ": " + fmt.Sprint(message)
			delete(answer, key)
		}
	}
	if len(answer) > 0 {
		kind += "\n" + layout(answer, "")
	}
	return kind + "\n"
}

// post sends a request as an SDK does. target names the service and the operation.
func (c *conversation) post(target, request string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(request))
	sign(r, target)
	w := httptest.NewRecorder()
	c.service.ServeHTTP(w, r)
	return w
}

// sign sets the headers that an SDK sends.
func sign(r *http.Request, target string) {
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", target)
	r.Header.Set("X-Amz-Date", "20261121T120000Z")
	r.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential=test/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
}

// uuid matches UUIDs, which differ in every run.
var uuid = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`)

// iterators and backups match texts that differ in every run.
var (
	iterators = regexp.MustCompile(`arn:aws:[^"]*\|1\|[^"]*`)
	backups   = regexp.MustCompile(`arn:aws:[^"]*/backup/\d{14}-0000[0-9a-f]{4}`)
)

// without returns a response without the parts that differ in every run.
func (c *conversation) without(answer string) string {
	if i := iterators.FindString(answer); i != "" {
		c.iterator = i
	}
	for _, b := range backups.FindAllString(answer, -1) {
		if !strings.HasSuffix(b, "-00000000") { // that of a deleted table
			c.backup = b
			answer = strings.ReplaceAll(answer, b, "some-backup")
		}
	}
	return iterators.ReplaceAllString(uuid.ReplaceAllString(answer, "some-uuid"), "some-iterator")
}

// target returns the X-Amz-Target of an operation.
func target(operation string) string {
	if _, ok := streamOperations[operation]; ok {
		return "DynamoDBStreams_20120810." + operation
	}
	return "DynamoDB_20120810." + operation
}

var streamOperations = map[string]struct{}{"DescribeStream": {}, "GetRecords": {}, "GetShardIterator": {},
	"ListStreams": {}}

// wide is the length up to which a value stays on one line.
const wide = 120

// layout formats a value for both readers and diffs.
func layout(v any, indent string) string {
	flat := new(bytes.Buffer)
	e := json.NewEncoder(flat)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	text := strings.TrimSpace(flat.String())
	if len(text) <= wide {
		return text
	}
	var lines []string
	deeper := indent + "  "
	switch v := v.(type) {
	case map[string]any:
		for _, name := range sortedKeys(v) {
			lines = append(lines, fmt.Sprintf("%s%q: %s", deeper, name, layout(v[name], deeper)))
		}
		return "{\n" + strings.Join(lines, ",\n") + "\n" + indent + "}"
	case []any:
		for _, element := range v {
			lines = append(lines, deeper+layout(element, deeper))
		}
		return "[\n" + strings.Join(lines, ",\n") + "\n" + indent + "]"
	}
	return text
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
