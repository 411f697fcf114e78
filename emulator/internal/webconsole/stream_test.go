package webconsole

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	cosmos "github.com/tabletop-db/tabletop/emulator/internal/cosmos/telemetry"
	dynamo "github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
)

// browser is a response writer whose writes wait until the test reads them. It records when each write began.
type browser struct {
	http.ResponseWriter // nil: it has no headers
	*io.PipeWriter
	began chan time.Time
}

func (b *browser) Header() http.Header { return http.Header{} }
func (b *browser) Flush()              {}

func (b *browser) Write(p []byte) (int, error) {
	b.began <- time.Now()
	return b.PipeWriter.Write(p)
}

// streamed runs a stream to a browser, and returns what the browser reads.
func streamed(t *testing.T, run func(*stream, <-chan struct{})) (*browser, *bufio.Scanner) {
	t.Helper()
	r, w := io.Pipe()
	b, done := &browser{PipeWriter: w, began: make(chan time.Time, 4*maxQueued)}, make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		defer func() { _ = w.Close() }()
		run(&stream{b, http.NewResponseController(b)}, done)
	})
	t.Cleanup(func() {
		close(done)
		_ = r.Close()
		wait.Wait()
	})
	return b, bufio.NewScanner(r)
}

// TestSlowBrowsersLoseRequests stops reading while requests are answered: they do not wait, and the browser learns how
// many it has lost.
func TestSlowBrowsersLoseRequests(t *testing.T) {
	t.Parallel()
	const lost = 10
	s := &requestStream{queue: make(chan *request, maxQueued)}
	b, lines := streamed(t, s.run)
	s.request(&request{ID: 1})
	<-b.began // it is being written, and not queued any more
	for i := range maxQueued + lost {
		s.request(&request{ID: uint64(i + 2)})
	}
	seen := 0
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), `data: {"id":`) {
			seen++
		}
		if lines.Text() == "event: lost" {
			break
		}
	}
	if lines.Scan(); lines.Text() != fmt.Sprintf(`data: {"count":%d}`, lost) {
		t.Errorf("%q", lines.Text())
	}
	for seen < 1+maxQueued && lines.Scan() {
		if strings.HasPrefix(lines.Text(), `data: {"id":`) {
			seen++
		}
	}
	if seen != 1+maxQueued {
		t.Errorf("%d requests were seen, want %d", seen, 1+maxQueued)
	}
}

// TestQueuedBodiesAreBounded queues requests with large bodies for a browser that reads nothing.
func TestQueuedBodiesAreBounded(t *testing.T) {
	t.Parallel()
	s := &requestStream{bodies: true, queue: make(chan *request, maxQueued)}
	large := make([]byte, 1<<20)
	for range maxQueued {
		s.request(dynamoRequestOf(&dynamo.Event{Request: large, Response: large}, true))
	}
	want := maxQueuedBytes / int((&request{bodies: copyBodies(large, large)}).size())
	if len(s.queue) != want || s.lost.Load() != int64(maxQueued-want) || s.bytes.Load() > maxQueuedBytes {
		t.Errorf("%d are queued with %d bytes, %d are lost; want %d queued", len(s.queue), s.bytes.Load(), s.lost.Load(), want)
	}
	if one := <-s.queue; !one.Truncated || len(one.Request) != maxBody || len(one.Response) != maxBody {
		t.Errorf("bodies of %d and %d bytes, truncated %v", len(one.Request), len(one.Response), one.Truncated)
	}
}

// TestQueuedNamesAreBounded queues requests with long paths, users and tables for a browser that reads nothing.
func TestQueuedNamesAreBounded(t *testing.T) {
	t.Parallel()
	const long = 64 << 10
	name := strings.Repeat("a", long)
	charges := make([]dynamo.Charge, 400)
	for i := range charges {
		charges[i].Table = fmt.Sprintf("%0255d", i)
	}
	for what, r := range map[string]*request{
		"path":   cosmosRequestOf(&cosmos.Event{Link: name}, false),
		"user":   dynamoRequestOf(&dynamo.Event{AccessKey: name}, false),
		"tables": dynamoRequestOf(&dynamo.Event{Charges: charges}, false),
	} {
		s := &requestStream{queue: make(chan *request, maxQueued)}
		for range maxQueued {
			s.request(r)
		}
		if most := maxQueuedBytes / long; len(s.queue) == 0 || len(s.queue) > most {
			t.Errorf("long %s: %d requests are queued, want at most %d", what, len(s.queue), most)
		}
	}
}

// TestLongUserAgentsAreNotHeld describes requests of a client whose user agent is long: its beginning is a copy.
func TestLongUserAgentsAreNotHeld(t *testing.T) {
	t.Parallel()
	agent := strings.Repeat("a", 64<<10)
	for _, r := range []*request{dynamoRequestOf(&dynamo.Event{UserAgent: agent}, false),
		cosmosRequestOf(&cosmos.Event{UserAgent: agent}, false)} {
		if r.Client != agent[:maxClient] || unsafe.StringData(r.Client) == unsafe.StringData(agent) {
			t.Errorf("%s: %d bytes, perhaps of the user agent itself", r.Cloud, len(r.Client))
		}
	}
}

// TestChangesAreNotRepeated changes one table again and again: the browser learns it once in a while.
func TestChangesAreNotRepeated(t *testing.T) {
	t.Parallel()
	s := newChangeStream()
	orders := control.Change{Cloud: control.DynamoDB, Kind: control.ItemsChange, Name: "orders"}
	s.change(orders)
	b, lines := streamed(t, s.run)
	var times []time.Time
	for range 3 {
		for !strings.HasPrefix(lines.Text(), "data: ") && lines.Scan() {
		}
		if want := `data: {"cloud":"dynamodb","kind":"items","name":"orders"}`; lines.Text() != want {
			t.Fatalf("%q, want %q", lines.Text(), want)
		}
		times = append(times, <-b.began)
		for range 1000 {
			s.change(orders)
		}
		lines.Scan() // the empty line that ends the event
	}
	for i, at := range times[1:] {
		if apart := at.Sub(times[i]); apart < changeInterval {
			t.Errorf("event %d came %v after the one before", i+1, apart)
		}
	}
}

// TestManyChangesBecomeOne changes more tables than a stream holds.
func TestManyChangesBecomeOne(t *testing.T) {
	t.Parallel()
	s := newChangeStream()
	for i := range maxPending + 1 {
		s.change(control.Change{Cloud: control.DynamoDB, Kind: control.ItemsChange, Name: fmt.Sprint(i)})
	}
	if got := s.take(); !slices.Equal(got, []control.Change{{Kind: control.SchemaChange}}) || len(s.take()) != 0 {
		t.Errorf("%d changes: %v", len(got), got[:min(len(got), 3)])
	}
}

// TestNobodyIsObserved opens and closes streams: the emulator reports only while there are any, and at most so many.
func TestNobodyIsObserved(t *testing.T) {
	t.Parallel()
	var to *control.Observer
	w := newWatchers(func(o *control.Observer) { to = o })
	var all []subscriber
	for range maxWatchers {
		s := newChangeStream()
		if err := w.add(s); err != nil || to == nil {
			t.Fatalf("%v, observed: %v", err, to != nil)
		}
		all = append(all, s)
	}
	if err := w.add(newChangeStream()); err == nil {
		t.Error("there is no limit of streams")
	}
	for i, s := range all {
		if w.remove(s); (to != nil) != (i < len(all)-1) {
			t.Errorf("after %d of %d have left, observed: %v", i+1, len(all), to != nil)
		}
	}
	w.end()
	w.end()
	<-w.ended
}

// TestBodiesAreCopiedOnlyForThoseWhoWantThem reports a request to two streams, of which one shows bodies.
func TestBodiesAreCopiedOnlyForThoseWhoWantThem(t *testing.T) {
	t.Parallel()
	var to *control.Observer
	w := newWatchers(func(o *control.Observer) { to = o })
	for _, bodies := range []bool{false, true} {
		s := &requestStream{bodies: bodies, queue: make(chan *request, maxQueued)}
		if err := w.add(s); err != nil {
			t.Fatal(err)
		}
		body := []byte(`{"TableName":"orders"}`)
		to.DynamoDB(&dynamo.Event{Operation: "DescribeTable", Request: body, Response: body})
		clear(body) // the emulator reuses it
		one := <-s.queue
		if has := one.bodies != nil; has != bodies || has && one.Request != `{"TableName":"orders"}` {
			t.Errorf("bodies wanted: %v, got %+v", bodies, one.bodies)
		}
	}
}

// TestTargetsAndChanges describes requests to both clouds.
func TestTargetsAndChanges(t *testing.T) {
	t.Parallel()
	charge := func(table, index string, write bool) dynamo.Charge {
		return dynamo.Charge{Table: table, Index: index, Write: write, Units: 1}
	}
	for _, c := range []struct {
		event           dynamo.Event
		target, changes string
	}{
		{dynamo.Event{Operation: "PutItem", Status: 200, Charges: []dynamo.Charge{charge("a", "", true),
			charge("a", "i", true)}}, "a", "{dynamodb items a}"},
		{dynamo.Event{Operation: "TransactWriteItems", Status: 400, Charges: []dynamo.Charge{charge("a", "", true),
			charge("b", "", true)}}, "a b", "{dynamodb items a} {dynamodb items b}"},
		{dynamo.Event{Operation: "Query", Status: 200, Charges: []dynamo.Charge{charge("a", "", false)}}, "a", ""},
		{dynamo.Event{Operation: "ExecuteStatement", Status: 200, Charges: []dynamo.Charge{charge("a", "", false)}}, "a",
			""},
		{dynamo.Event{Operation: "ExecuteStatement", Status: 200}, "", ""},
		{dynamo.Event{Operation: "CreateTable", Status: 200, Request: []byte(
			`{"Tags":[{"TableName":"x"}],"A":"TableName","TableName":"a"}`)}, "a", "{dynamodb schema a}"},
		{dynamo.Event{Operation: "CreateTable", Status: 400, Request: []byte(`{"TableName":"a"`)}, "a", ""},
		{dynamo.Event{Operation: "TagResource", Status: 200, Request: []byte(`{"ResourceArn":"x"}`)}, "",
			"{dynamodb schema }"},
		{dynamo.Event{Operation: "DescribeTable", Status: 200, Request: []byte(`{"TableName":7}`)}, "", ""},
		{dynamo.Event{Status: 400, Request: []byte(`]{"TableName":"a"}`)}, "", ""},
	} {
		target := strings.Join(dynamoRequestOf(&c.event, false).Target, " ")
		changes := strings.Trim(fmt.Sprint(dynamoChanges(&c.event)), "[]")
		if target != c.target || changes != c.changes {
			t.Errorf("%s %s: %q, %q; want %q, %q", c.event.Operation, c.event.Request, target, changes, c.target, c.changes)
		}
	}
	for want, e := range map[string]cosmos.Event{
		"{cosmos items app/orders}":  {Operation: "CreateDocument", Status: 201, Database: "app", Container: "orders"},
		"{cosmos schema app/orders}": {Operation: "CreateTrigger", Status: 201, Database: "app", Container: "orders"},
		"{cosmos schema app}":        {Operation: "DeleteDatabase", Status: 204, Database: "app"},
		"":                           {Operation: "CreateDocument", Status: 409, Database: "app", Container: "orders"},
	} {
		if got := strings.Trim(fmt.Sprint(cosmosChanges(&e)), "[]"); got != want {
			t.Errorf("%s: %s, want %s", e.Operation, got, want)
		}
	}
}
