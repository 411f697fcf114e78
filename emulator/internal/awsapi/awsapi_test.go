package awsapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/random"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// refusal is the error of the tests' service.
type refusal struct{ text string }

func (r *refusal) Error() string { return r.text }

func newService(log *bytes.Buffer) *Service[*refusal] {
	of := func(text string) func() *refusal { return func() *refusal { return &refusal{text} } }
	return &Service[*refusal]{
		Name: "test", Log: slog.New(slog.NewTextHandler(log, nil)), TooMuchWork: of("work"), TooSlow: of("slow"),
		Busy:     func(operation string) *refusal { return &refusal{"busy " + operation} },
		Internal: func(text string) *refusal { return &refusal{"internal " + text} },
	}
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	disk := &store.SpaceError{Dir: "d"}
	for _, c := range []struct {
		err    error
		want   string
		logged bool
	}{
		{fmt.Errorf("wrapped: %w", &refusal{"own"}), "own", false},
		{budget.ErrSteps, "work", false},
		{budget.ErrBytes, "work", false},
		{budget.ErrTime, "slow", false},
		{budget.ErrBusy, "busy Do", false},
		{context.Canceled, "internal ", false},
		{disk, "internal " + disk.Error(), false},
		{errors.New("no reason"), "internal ", true},
	} {
		var log bytes.Buffer
		if got := newService(&log).Answer("Do", c.err); got.text != c.want || (log.Len() > 0) != c.logged {
			t.Errorf("%v is answered %q, want %q; the log has %q", c.err, got.text, c.want, log.String())
		}
	}
}

func TestAnOperationThatPanicsIsLoggedOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := newService(&log)
	_, err := s.Run("Do", func() ([]byte, error) { panic("broken") })
	if got := s.Answer("Do", err); got.text != "internal " {
		t.Errorf("it is answered %q", got.text)
	}
	if text := log.String(); strings.Count(text, "level=ERROR") != 1 || !strings.Contains(text,
		"operation=Do panic=broken") {
		t.Errorf("the log has %q", text)
	}
	if answer, err := s.Run("Do", func() ([]byte, error) {
		return []byte("a"), nil
	}); string(answer) != "a" || err != nil {
		t.Errorf("one that does not panic answers %q, %v", answer, err)
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	a, b, other := &IDs{Seed: 1}, &IDs{Seed: 1}, &IDs{Seed: 2}
	seen := map[string]bool{}
	for range 100 {
		id := a.Next()
		if !form.MatchString(id) || seen[id] || id != b.Next() || id == other.Next() {
			t.Fatalf("%s is no id, or one that was there, or not that of its seed", id)
		}
		seen[id] = true
	}
}

// TestAppendLongID holds the form of DynamoDB's request ids, and that they differ.
func TestAppendLongID(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^[A-Z0-5]{52}$`)
	var from random.Stream
	a, b := string(AppendLongID(nil, &from)), string(AppendLongID(nil, &from))
	if !form.MatchString(a) || !form.MatchString(b) || a == b {
		t.Errorf("%s and %s", a, b)
	}
}

// A checksum and the length of a response are those of its body.
func TestTheHeadOfAResponse(t *testing.T) {
	t.Parallel()
	sent := map[string]string{}
	fields := AppendHead(nil, new(random.Stream), []byte("{}"))
	for i := 0; i < len(fields); i += 2 {
		sent[fields[i]] = fields[i+1]
	}
	if id := sent[RequestIDHeader]; len(id) != longIDLength {
		t.Errorf("the id is %q", id)
	}
	if sum, length := sent["x-amz-crc32"], sent["Content-Length"]; sum != "2745614147" || length != "2" {
		t.Errorf("checksum %q, length %q", sum, length)
	}
}

// brokenWriter is a client that is gone.
type brokenWriter struct{ *httptest.ResponseRecorder }

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestWriteReportsWhetherTheResponseWasSent(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s, w := newService(&log), httptest.NewRecorder()
	sent := s.Write(w, http.StatusTeapot, []string{"X-Field", "value"}, []byte("a"))
	if !sent || w.Code != http.StatusTeapot || w.Body.String() != "a" ||
		w.Header().Get("X-Field") != "value" {
		t.Errorf("the client has %d %v %q", w.Code, w.Header(), w.Body)
	}
	if s.Write(brokenWriter{httptest.NewRecorder()}, http.StatusOK, nil, nil) {
		t.Error("a client that is gone took its answer")
	}
}
