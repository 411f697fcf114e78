package awsapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// refusal is the error of the tests' service.
type refusal struct{ text string }

func (r *refusal) Error() string { return r.text }

func newService(log *bytes.Buffer) *Service[*refusal] {
	of := func(text string) func() *refusal { return func() *refusal { return &refusal{text} } }
	return &Service[*refusal]{
		Name: "test", Log: slog.New(slog.NewTextHandler(log, nil)), TooMuchWork: of("work"), TooSlow: of("slow"), Busy: of("busy"),
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
		{budget.ErrBusy, "busy", false},
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
	if text := log.String(); strings.Count(text, "level=ERROR") != 1 || !strings.Contains(text, "operation=Do panic=broken") {
		t.Errorf("the log has %q", text)
	}
	if answer, err := s.Run("Do", func() ([]byte, error) { return []byte("a"), nil }); string(answer) != "a" || err != nil {
		t.Errorf("one that does not panic answers %q, %v", answer, err)
	}
}

func TestReadBody(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]error{0: nil, 9: nil, 10: nil, 11: ErrTooLarge} {
		body, err := ReadBody(t.Context(), strings.NewReader(strings.Repeat("x", n)), nil, 10)
		if !errors.Is(err, want) || err == nil && len(body) != n {
			t.Errorf("%d bytes: %d, %v", n, len(body), err)
		}
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
