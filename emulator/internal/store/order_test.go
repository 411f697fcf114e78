//go:build poison

package store

import (
	"context"
	"strings"
	"testing"
)

// TestTheOrderOfLocksIsChecked takes locks in order, and in every other order.
func TestTheOrderOfLocksIsChecked(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	running, definitions := s.NewGate().Ranked(Running), s.NewGate().Ranked(Definitions)
	enter := func(then func()) func() {
		return func() {
			if err := running.Enter(context.Background()); err != nil {
				t.Error(err)
			}
			defer running.Leave()
			then()
		}
	}
	define := func(then func()) func() {
		return func() {
			if err := definitions.Close(context.Background()); err != nil {
				t.Error(err)
			}
			defer definitions.Open()
			then()
		}
	}
	update := func(then func()) func() {
		return func() {
			_ = s.Update(Latch([]byte("k")), func(*Tx) error { then(); return nil })
		}
	}
	nothing := func() {}
	for range 2 { // a panic leaves the locks as they were
		for name, c := range map[string]struct {
			run     func()
			refused bool
		}{
			"in order":                  {enter(define(update(nothing))), false},
			"one after another":         {func() { update(nothing)(); define(nothing)(); enter(nothing)() }, false},
			"requests that run another": {enter(enter(nothing)), false},
			"running after definitions": {define(enter(nothing)), true},
			"running in an update":      {update(enter(nothing)), true},
			"definitions in an update":  {update(define(nothing)), true},
			"an update in an update":    {enter(update(update(nothing))), true},
		} {
			if refused := panics(c.run); refused != c.refused {
				t.Errorf("%s: refused %v, want %v", name, refused, c.refused)
			}
		}
	}
}

// panics runs fn, and reports whether it panicked because of the lock order.
func panics(fn func()) (refused bool) {
	defer func() {
		if p := recover(); p != nil {
			text, ok := p.(string)
			refused = ok && strings.Contains(text, "the order is running, definitions, latches")
		}
	}()
	fn()
	return false
}
