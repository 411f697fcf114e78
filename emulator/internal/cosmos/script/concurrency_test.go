package script

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// gate is a collection whose Quota blocks, so that a script keeps its slot.
type gate struct {
	*fakeCollection
	entered, leave chan struct{}
}

func (g gate) Quota() (string, string) {
	g.entered <- struct{}{}
	<-g.leave
	return g.fakeCollection.Quota()
}

func TestConcurrentScriptsAreLimited(t *testing.T) {
	t.Parallel()
	e := newEngine()
	e = New(Config{Now: e.config.Now, Random: e.config.Random, Concurrency: 2})
	p := Procedure{Source: `function() { __.response.setBody(1); }`}
	g := gate{&fakeCollection{}, make(chan struct{}), make(chan struct{})}
	ended := make(chan error)
	for range 2 {
		go func() {
			_, err := e.Procedure(t.Context(), p, g)
			ended <- err
		}()
		<-g.entered
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the client is gone")
	go func() {
		_, err := e.Procedure(ctx, p, g)
		ended <- err
	}()
	cancel(gone)
	select {
	case <-g.entered:
		t.Fatal("a third script runs beside two")
	case err := <-ended:
		if !errors.Is(err, gone) {
			t.Error("the wait for a slot ended in", err)
		}
	}
	close(g.leave)
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	if r, err := e.Procedure(t.Context(), p, &fakeCollection{}); err != nil || r.Body.JSON() != "1" {
		t.Error("the slots were not given back:", err)
	}
}

// TestWaitingForASlotTimesOut checks that an execution does not wait indefinitely for its slot, however long the other
// scripts run.
func TestWaitingForASlotTimesOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		taken := make(slots, 1)
		if err := taken.take(t.Context()); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if err := taken.take(t.Context()); !errors.Is(err, ErrBusy) || time.Since(began) != slotTimeout {
			t.Errorf("%v after %v, want %v after %v", err, time.Since(began), ErrBusy, slotTimeout)
		}
	})
}

// querying is a collection whose queries call a user-defined function, as SELECT udf.f(c) does.
type querying struct {
	*fakeCollection
	engine *Engine
	t      *testing.T
}

func (q querying) Query(query doc.Value, f Feed) ([]doc.Value, string, error) {
	functions := q.engine.Functions(q.t.Context(), func(string) (string, bool) {
		return `function twice(n) { return 2 * n; }`, true
	})
	defer functions.Close()
	v, err := functions.Call("twice", []doc.Value{doc.Number(21)})
	return []doc.Value{v}, "", err
}

// endless is a collection whose queries take as long as they may, and then fail.
type endless struct {
	*fakeCollection
	t *testing.T
}

func (e endless) Query(_ doc.Value, f Feed) ([]doc.Value, string, error) {
	if f.Time <= 0 {
		e.t.Error("a query has no time limit")
	}
	work := budget.New(e.t.Context(), budget.Limits{Time: max(1, f.Time)})
	for work.Step(1000) == nil {
	}
	return nil, "", &StatusError{400, `{"Errors":["The query takes too long."]}`}
}

// TestQueriesOfAScriptEndAtItsTimeLimit runs a query that takes all the time that its stored procedure has left. It has
// no callback, so that its own failure would fail the procedure with 400.
func TestQueriesOfAScriptEndAtItsTimeLimit(t *testing.T) {
	t.Parallel()
	e := newEngine()
	e = New(Config{Now: e.config.Now, Random: e.config.Random, Time: 100 * time.Millisecond})
	_, err := e.Procedure(t.Context(), Procedure{Source: `function() { __.queryDocuments(__.getSelfLink(), 'SELECT *'); }`},
		endless{&fakeCollection{}, t})
	if own := (*Error)(nil); !errors.As(err, &own) || own.Reason != TimedOut {
		t.Error(err)
	}
}

func TestProceduresAndQueriesHaveSeparateSlots(t *testing.T) {
	t.Parallel()
	e := newEngine()
	e = New(Config{Now: e.config.Now, Random: e.config.Random, Concurrency: 1})
	ended := make(chan error)
	for range 4 {
		go func() {
			r, err := e.Procedure(t.Context(), Procedure{Source: `function() {
				__.queryDocuments(__.getSelfLink(), 'SELECT udf.twice(c.n)', (err, rows) => __.response.setBody(rows));
			}`}, querying{&fakeCollection{}, e, t})
			if err == nil && r.Body.JSON() != "[42]" {
				err = errors.New(r.Body.JSON())
			}
			ended <- err
		}()
	}
	for range 4 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// TestScriptsDoNotBlockTheScheduler checks that a script in a loop blocks neither the stop-the-world phase of Go's
// garbage collector nor the scheduler.
func TestScriptsDoNotBlockTheScheduler(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`for (;;);`, `/^(a+)+$/.test('a'.repeat(64) + '!');`,
		`const a = new Float64Array(1e6); for (;;) a.fill(1);`} {
		scripts := 2 * runtime.GOMAXPROCS(0)
		e := newEngine()
		e = New(Config{Now: e.config.Now, Random: e.config.Random, Time: time.Hour, Concurrency: scripts})
		ctx, cancel := context.WithCancelCause(t.Context())
		gone := errors.New("the client is gone")
		ended := make(chan error)
		for range scripts {
			go func() {
				_, err := e.Procedure(ctx, Procedure{Source: "function() { " + body + " }"}, &fakeCollection{})
				ended <- err
			}()
		}
		for range 5 {
			runtime.GC()
		}
		cancel(gone)
		for range scripts {
			if err := <-ended; !errors.Is(err, gone) {
				t.Error(err)
			}
		}
	}
}
