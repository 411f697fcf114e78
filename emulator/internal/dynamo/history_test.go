package dynamo_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestHistoriesMatchTheModel runs random histories on three services that must behave equally: one in memory, one in a
// folder, and one in a folder that is closed and reopened in between. Every response is compared, and at the end
// everything that is stored. -rapid.checks is the number of histories; by default, as many as fit in two seconds.
func TestHistoriesMatchTheModel(t *testing.T) {
	t.Parallel()
	until, failing := time.Now().Add(2*time.Second), false
	flag.Visit(func(f *flag.Flag) {
		if f.Name == "rapid.checks" {
			until = time.Now().Add(time.Hour)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		if !failing && time.Now().After(until) { // a failure is minimized, however long that takes
			return
		}
		defer func() { failing = failing || t.Failed() }()
		h := newHistory(t)
		for range rapid.IntRange(10, 80).Draw(t, "steps") {
			h.step(t)
		}
		h.checkAll(t)
	})
}

// history is one history: the services and their expected tables.
type history struct {
	services []*historyService // the last one is reopened
	tables   map[string]*tableShape
	last     map[string]any // the LastEvaluatedKey of the last page
	ids      map[string]bool
}

// historyService is a service that can be closed and reopened.
type historyService struct {
	name    string
	dir     string
	store   *store.Store
	clock   *clock.Clock
	service *dynamo.Service
}

func newHistory(t *rapid.T) *history {
	h := &history{tables: map[string]*tableShape{}, ids: map[string]bool{}}
	for _, name := range []string{"in memory", "in a folder", "opened anew"} {
		s := &historyService{name: name, clock: clock.Manual(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))}
		if name != "in memory" {
			s.dir = newFolder(t)
		}
		s.open(t)
		t.Cleanup(func() { s.close(t) })
		h.services = append(h.services, s)
	}
	return h
}

func newFolder(t *rapid.T) string {
	dir, err := os.MkdirTemp("", "history")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func (s *historyService) open(t *rapid.T) {
	var err error
	if s.store, err = store.Open(store.Options{Dir: s.dir}); err != nil {
		t.Fatal(err)
	}
	if s.service, err = dynamo.New(dynamo.Config{Store: s.store, Clock: s.clock, Address: "127.0.0.1:8000",
		Seed: 1}); err != nil {
		t.Fatal(err)
	}
}

func (s *historyService) close(t *rapid.T) {
	if err := s.service.Close(); err != nil {
		t.Error(err)
	}
	if err := s.store.Close(); err != nil {
		t.Error(err)
	}
}

// reopen closes the service and starts it again later.
func (s *historyService) reopen(t *rapid.T, after time.Duration) {
	s.close(t)
	s.clock = clock.Manual(s.clock.Now().Add(after))
	s.open(t)
	if err := s.clock.Advance(0); err != nil { // fires the timers that are due
		t.Fatal(err)
	}
}

// answer returns the body of a response with sorted members and without UUIDs.
func (s *historyService) answer(t *rapid.T, operation, request string) string {
	c := conversation{service: s.service, clock: s.clock}
	body := c.post("DynamoDB_20120810."+operation, request).Body.String()
	d := json.NewDecoder(strings.NewReader(uuid.ReplaceAllString(body, "some-uuid")))
	d.UseNumber()
	var answer any
	if err := d.Decode(&answer); err != nil {
		t.Fatalf("%s %s: %q: %v", operation, request, body, err)
	}
	if strings.Contains(body, "InternalServerError") {
		t.Fatalf("%s: %s %s: %s", s.name, operation, request, body)
	}
	text := new(bytes.Buffer)
	e := json.NewEncoder(text)
	e.SetEscapeHTML(false)
	if err := e.Encode(answer); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// call runs an operation in all services and returns the common response.
func (h *history) call(t *rapid.T, operation string, request object) map[string]any {
	body, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	first := h.services[0].answer(t, operation, string(body))
	t.Logf("%s %s: %s", operation, body, first)
	for _, s := range h.services[1:] {
		if other := s.answer(t, operation, string(body)); other != first {
			t.Fatalf("%s %s\n%s: %s%s: %s", operation, body, h.services[0].name, first, s.name, other)
		}
	}
	var answer map[string]any
	if err := json.Unmarshal([]byte(first), &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// failed reports whether a response is an error.
func failed(answer map[string]any) bool {
	_, is := answer["__type"]
	return is
}

// step performs a random step.
func (h *history) step(t *rapid.T) {
	steps := []func(*rapid.T){
		h.put, h.put, h.put, h.put, h.put, h.put, h.update, h.update, h.update, h.delete, h.get, h.query, h.query, h.scan,
		h.batchWrite, h.batchGet,
		h.transactWrite, h.transactWrite, h.transactGet, h.createTable, h.deleteTable, h.describe, h.changeIndexes, h.expire,
		h.advance, h.reopen,
	}
	if len(h.tables) == 0 {
		steps = append(steps[:1:1], h.createTable, h.createTable, h.createTable, h.createTable)
	}
	rapid.SampledFrom(steps).Draw(t, "step")(t)
}

// advance moves the clock, so that items expire.
func (h *history) advance(t *rapid.T) {
	by := rapid.SampledFrom(pauses).Draw(t, "by")
	t.Logf("advance %v", by)
	for _, s := range h.services {
		if err := s.clock.Advance(by); err != nil {
			t.Fatal(err)
		}
	}
}

// pauses are close to the periods of the service: expiry, and client request tokens.
var pauses = []time.Duration{0, time.Second, 3 * time.Second, time.Minute, 599 * time.Second, 10 * time.Minute,
	25 * time.Hour}

// reopen reopens one service while the clocks of the others advance.
func (h *history) reopen(t *rapid.T) {
	by := rapid.SampledFrom(pauses).Draw(t, "closed for")
	t.Logf("closed for %v", by)
	last := len(h.services) - 1
	for _, s := range h.services[:last] {
		if err := s.clock.Advance(by); err != nil {
			t.Fatal(err)
		}
	}
	h.services[last].reopen(t, by)
}
