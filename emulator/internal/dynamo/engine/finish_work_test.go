package engine

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// messages is a log that passes on its messages.
type messages chan string

func (messages) Enabled(context.Context, slog.Level) bool { return true }
func (m messages) WithAttrs([]slog.Attr) slog.Handler     { return m }
func (m messages) WithGroup(string) slog.Handler          { return m }
func (m messages) Handle(_ context.Context, r slog.Record) error {
	m <- r.Message
	return nil
}

// TestAPanicOfUnfinishedWorkIsLogged backfills an index that a table does not have: the process goes on.
func TestAPanicOfUnfinishedWorkIsLogged(t *testing.T) {
	t.Parallel()
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	log := make(messages, 1)
	e := NewEngine(EngineConfig{Store: s, Clock: clock.Manual(time.Unix(1000, 0)), Log: slog.New(log)}, false, 1)
	if err := e.Load(); err != nil {
		t.Fatal(err)
	}
	a := e.SharedAccount.Load()
	a.Tables.Store(&map[string]*Table{"orders": {Def: &Definition{Name: "orders", Global: []IndexDefinition{
		{Name: "by-city", Backfilling: true}}}}})
	e.FinishInBackground()
	if got, want := <-log, "a change of a table, such as a new index, panicked; it is retried in a minute"; got != want {
		t.Errorf("the log is %q, want %q", got, want)
	}
	if err := a.DDL.Close(t.Context()); err != nil { // the work has opened it
		t.Fatal(err)
	}
}
