package transfer

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
)

// newJobs returns an extension of an empty engine, a request to its only account, and its log.
func newJobs(t *testing.T) (*Extension, *engine.Request, *bytes.Buffer) {
	t.Helper()
	log := new(bytes.Buffer)
	e := engine.NewEngine(engine.EngineConfig{Store: newStore(t, nil), Clock: clock.Manual(time.Unix(1000, 0)),
		Log: slog.New(slog.NewTextHandler(log, nil))}, false, 1)
	if err := e.Load(); err != nil {
		t.Fatal(err)
	}
	p := &Extension{Engine: e}
	if err := p.AfterTablesLoad(); err != nil {
		t.Fatal(err)
	}
	return p, &engine.Request{Engine: e, Account: e.SharedAccount.Load(), Context: t.Context()}, log
}

// TestAJobDoesNotRunOnAReplacedState starts a job while the state is being replaced.
func TestAJobDoesNotRunOnAReplacedState(t *testing.T) {
	t.Parallel()
	p, req, _ := newJobs(t)
	if err := p.Engine.Running.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	ran, returned := false, make(chan struct{})
	go func() {
		defer close(returned)
		p.start(req, func(context.Context) { ran = true })
	}()
	if err := p.Engine.Load(); err != nil {
		t.Fatal(err)
	}
	p.Engine.Running.Open()
	if <-returned; ran {
		t.Error("the job ran")
	}
}

// TestAnInterruptedJobHoldsNoRequest: while a request waits for its job, which waits until the state is replaced, the
// state waits for the request.
func TestAnInterruptedJobHoldsNoRequest(t *testing.T) {
	t.Parallel()
	s := newStore(t, nil)
	synctest.Test(t, func(t *testing.T) {
		p := &Extension{Engine: engine.NewEngine(engine.EngineConfig{Store: s}, false, 1)}
		p.Engine.Closed = true
		if err := p.Engine.Running.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		began, returned := time.Now(), make(chan struct{})
		go func() {
			defer close(returned)
			p.start(&engine.Request{Engine: p.Engine, Context: t.Context()}, func(context.Context) {})
		}()
		synctest.Wait()
		p.Engine.InterruptWork()
		<-returned
		if took := time.Since(began); took != 0 {
			t.Errorf("the request took %v", took)
		}
		p.Engine.Running.Open()
	})
}

// TestReplacedBulkOperationsAreForgotten: a bulk operation that never began is in progress for nobody after its state
// was replaced.
func TestReplacedBulkOperationsAreForgotten(t *testing.T) {
	t.Parallel()
	p, _, _ := newJobs(t)
	p.register("arn", nil)
	if err := p.AfterTablesLoad(); err != nil {
		t.Fatal(err)
	}
	if p.runOf("arn") != nil {
		t.Error("it is in progress")
	}
}

// TestAPanicOfAJobIsLogged: it does not end the process.
func TestAPanicOfAJobIsLogged(t *testing.T) {
	t.Parallel()
	p, req, log := newJobs(t)
	p.start(req, func(context.Context) { panic("broken") })
	if got := log.String(); !strings.Contains(got, panicLog) || !strings.Contains(got, "broken") {
		t.Errorf("the log is %q", got)
	}
}
