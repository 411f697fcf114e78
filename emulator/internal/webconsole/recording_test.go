package webconsole

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	cosmos "github.com/tabletop-db/tabletop/emulator/internal/cosmos/telemetry"
	dynamo "github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// recorded returns a recording of these entries.
func recorded(t *testing.T, entries ...recording.Entry) string {
	t.Helper()
	var out bytes.Buffer
	w, err := recording.NewWriter(&out, recording.Header{Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		e.Time, e.Service, e.Status = time.Unix(1, 0).UTC(), cmp.Or(e.Service, recording.DynamoDB), max(e.Status, 200)
		w.Add(e)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// readRecorded sends a recording, and returns the status and the body of the response.
func readRecorded(c *console, text string) (int, string) {
	w := httptest.NewRecorder()
	c.serve(w, httptest.NewRequest(http.MethodPost, apiPath+"recording", strings.NewReader(text)))
	return w.Code, w.Body.String()
}

// TestRecordedRequestsAreThoseOfAStream compares a recorded request with what a stream reports of it.
func TestRecordedRequestsAreThoseOfAStream(t *testing.T) {
	t.Parallel()
	event := dynamo.Event{Operation: "PutItem", AccessKey: "AKIA1", UserAgent: "sdk", Start: time.Unix(1, 0),
		Elapsed: 1500 * time.Microsecond, Status: 400, Error: "AccessDeniedException", ResponseDropped: true,
		Request:  []byte(`{"TableName":"b","Item":{"n":{"N":"12345678901234567890123456789012345678"}}}`),
		Response: []byte(`{"message":"` + strings.Repeat("ü", maxBody) + `"}`),
		Charges:  []dynamo.Charge{{Table: "a", Write: true, Units: 1.5}, {Table: "a", Index: "i", Units: 2}, {Table: "c"}},
		Accesses: []dynamo.Access{{Action: "dynamodb:PutItem", Resource: "arn"}}}
	entry := recording.Entry{Operation: event.Operation, AccessKey: event.AccessKey, Client: event.UserAgent,
		Micros: 1500, Status: event.Status,
		Error: event.Error, Lost: true, Request: event.Request, Answer: event.Response,
		Authorization: []recording.Access{{Action: "dynamodb:PutItem", Resource: "arn"}},
		Consumed: []recording.Consumed{{Table: "a", Write: true, Units: 1.5}, {Table: "a", Index: "i", Units: 2},
			{Table: "c"}}}
	streamed := dynamoRequestOf(&event, true)
	streamed.ID = 2
	want, err := json.Marshal([]*request{streamed})
	if err != nil {
		t.Fatal(err)
	}
	own := recording.Entry{Operation: "Scan", Console: true}
	if status, got := readRecorded(pages(nil, nil), recorded(t, own, entry)); status != 200 ||
		strings.TrimSpace(got) != string(want) {
		t.Errorf("%d %.300s\nwant %.300s", status, got, want)
	}
	if status, got := readRecorded(pages(nil, nil), recorded(t)); status != 200 || got != "[]\n" {
		t.Errorf("without requests: %d %s", status, got)
	}
}

// TestRecordedCosmosRequestsAreThoseOfAStream compares a recorded request to Cosmos DB with what a stream reports.
func TestRecordedCosmosRequestsAreThoseOfAStream(t *testing.T) {
	t.Parallel()
	for path, link := range map[string]string{"/": "", "/dbs/": "", "/dbs/a/colls": "dbs/a",
		"/dbs/a/colls/b%2Fc/docs": "dbs/a/colls/b/c", "//dbs/a/colls/b/docs/1%20%25": "dbs/a/colls/b/docs/1 %",
		"/dbs/%zz": "dbs/%zz"} {
		event := cosmos.Event{Operation: "ReadDocument", At: time.Unix(1, 0), Took: 1500 * time.Microsecond, Status: 404,
			Substatus: 1003, Error: "NotFound", Charge: 2.5, UserAgent: "sdk", Link: link, ResponseDropped: true,
			Request: []byte(`{"id":"1"}`), Response: []byte(`{"code":"NotFound"}`)}
		entry := recording.Entry{Service: recording.Cosmos, Operation: event.Operation, Micros: 1500, Status: 404,
			Substatus: 1003, Error: event.Error, Client: "sdk", Path: path, Lost: true, Request: event.Request,
			Answer: event.Response, Consumed: []recording.Consumed{{Database: "a", Units: 2.5}}}
		streamed := cosmosRequestOf(&event, true)
		streamed.ID = 1
		want, err := json.Marshal([]*request{streamed})
		if err != nil {
			t.Fatal(err)
		}
		if status, got := readRecorded(pages(nil, nil), recorded(t, entry)); status != 200 ||
			strings.TrimSpace(got) != string(want) {
			t.Errorf("%d %s\nwant %s", status, got, want)
		}
	}
}

// TestBadRecordingsAreNamed checks that the problem of an unusable recording says where and why.
func TestBadRecordingsAreNamed(t *testing.T) {
	t.Parallel()
	get := recording.Entry{Operation: "GetItem"}
	good := recorded(t, get, get)
	lines := strings.SplitAfter(good, "\n")
	large := recording.Entry{Request: []byte(`"` + strings.Repeat("a", maxBody) + `"`)}
	for _, c := range []struct {
		text, want string
		status     int
	}{
		{"", "line 1: the file is empty", 400},
		{"{}\n", "line 1: not a recording", 400},
		{strings.Replace(good, `"format":1`, `"format":9`, 1), "line 1: the recording is of format 9", 400},
		{lines[0] + lines[2], "line 2: n is 2 after 0 requests", 400},
		{lines[0] + lines[1] + "<b>\n", "line 3: ", 400},
		{good[:len(good)-5], "line 3: the line is incomplete", 400},
		{recorded(t, slices.Repeat([]recording.Entry{get}, maxRecordedRequests)...), "", 200},
		{recorded(t, slices.Repeat([]recording.Entry{get}, maxRecordedRequests+1)...), "more than 2000 requests", 413},
		{recorded(t, slices.Repeat([]recording.Entry{large}, maxRecordedBytes/maxBody)...), "or 32 MiB", 413},
	} {
		if status, got := readRecorded(pages(nil, nil), c.text); status != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%.80s: %d %.200s, want %d %s", c.text, status, got, c.status, c.want)
		}
	}
	if status := recordingStatus(fmt.Errorf("line 2: %w", &http.MaxBytesError{})); status != 413 {
		t.Errorf("a file that is too large has status %d", status)
	}
}

// ownRecorder is a recorder with a recording.
type ownRecorder struct {
	control.Recorder
	text string
	on   bool
}

func (r *ownRecorder) Show() control.RecordingState { return control.RecordingState{On: r.on} }

func (r *ownRecorder) Open() (io.ReadCloser, error) {
	if r.text == "" {
		return nil, control.ErrNotRecording
	}
	return io.NopCloser(strings.NewReader(r.text)), nil
}

// TestOwnRecordingIsRead reads the emulator's own recording before, during and after it.
func TestOwnRecordingIsRead(t *testing.T) {
	t.Parallel()
	text := recorded(t, recording.Entry{Operation: "GetItem"})
	for _, c := range []struct {
		recorder ownRecorder
		status   int
		want     string
	}{
		{ownRecorder{}, 409, "there is no recording"},
		{ownRecorder{text: text, on: true}, 409, "still on: stop it first"},
		{ownRecorder{text: text}, 200, `"operation":"GetItem"`},
	} {
		console := pages(nil, nil)
		console.Recorder = &c.recorder
		w := httptest.NewRecorder()
		console.serve(w, httptest.NewRequest(http.MethodGet, apiPath+"recording", nil))
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%d %s, want %d %s", w.Code, w.Body, c.status, c.want)
		}
	}
	w := httptest.NewRecorder()
	pages(nil, nil).serve(w, httptest.NewRequest(http.MethodDelete, apiPath+"recording", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("DELETE has status %d", w.Code)
	}
}
