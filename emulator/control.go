package emulator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TB is the part of testing.TB that Run needs; *testing.T, *testing.B and *testing.F implement it.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
	Cleanup(func())
}

// Run starts an emulator for a test and closes it when the test ends. The test fails if either is not possible.
func Run(t TB, opts ...Option) *Emulator {
	t.Helper()
	e, err := Start(opts...)
	if err != nil {
		t.Fatalf("the emulator did not start: %v", err)
		return nil
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Fatalf("the emulator did not close: %v", err)
		}
	})
	return e
}

// Now returns the emulator's time.
func (e *Emulator) Now() time.Time { return e.clock.Now() }

// Advance moves the emulator's clock forward by d. Everything that is due by then, such as the expiry of items, has
// happened when it returns. Errors: a negative d.
func (e *Emulator) Advance(d time.Duration) error { return e.clock.Advance(d) }

// AdvanceContext is Advance that stops when ctx is done. The clock then stays at the time it has reached, which the
// error states.
func (e *Emulator) AdvanceContext(ctx context.Context, d time.Duration) error {
	return e.clock.AdvanceContext(ctx, d)
}

// Freeze stops the emulator's clock. Advance still moves it.
func (e *Emulator) Freeze() { e.clock.Freeze() }

// Resume lets a clock run on that Freeze or WithManualClock stopped.
func (e *Emulator) Resume() { e.clock.Resume() }

// SetSpeed makes the emulator's clock run factor times as fast as the machine's from now on, or from when it next runs.
// Timed work, such as the expiry of items, happens when it is due. Errors: a factor outside 0.001 to 1,000,000.
func (e *Emulator) SetSpeed(factor float64) error { return e.clock.SetSpeed(factor) }

// Snapshot is a copy of all tables, databases, containers, items, keys and alarms as of one moment.
type Snapshot struct{ state *store.Snapshot }

// Snapshot copies all tables, databases, containers, items, keys and alarms, for Restore. The copy is in memory.
func (e *Emulator) Snapshot() (*Snapshot, error) {
	state, err := e.store.Snapshot()
	if err != nil {
		return nil, err
	}
	return &Snapshot{state}, nil
}

// Restore replaces the emulator's state with a snapshot of this or another emulator. The clock does not change. A
// concurrent request sees either the old state or the new one. Restore waits up to 30 seconds for the requests in
// progress. Errors: a snapshot that cannot be restored, or requests that take longer; then nothing changes. If a
// service cannot load the restored state, that is an error too, and the service refuses requests until another snapshot
// is restored or Reset is called.
func (e *Emulator) Restore(s *Snapshot) error { return e.RestoreContext(context.Background(), s) }

// RestoreContext is Restore that also stops waiting for requests when ctx is done.
func (e *Emulator) RestoreContext(ctx context.Context, s *Snapshot) error {
	if s == nil || s.state == nil {
		return errors.New("there is no snapshot to restore: take one with Snapshot")
	}
	err := e.replace(ctx, func() error { return e.store.Restore(s.state) })
	e.spending.used.Sample()
	return err
}

// replacing is how long Restore and Reset wait for the requests in progress. Each of these ends sooner: a script runs
// for five seconds, twice at most, after waiting up to ten for its turn.
const replacing = 30 * time.Second

// errStillRunning reports that Restore or Reset found no moment without requests.
var errStillRunning = fmt.Errorf("%w, and nothing was changed: stop the clients that send them, or try again later",
	control.ErrStillRunning)

// replace calls with to replace the store's content, and reloads every service from it, even if another service fails
// to reload. If with fails, or requests do not end in time, nothing is replaced and all services continue as before.
func (e *Emulator) replace(ctx context.Context, with func() error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, e.replacing, errStillRunning)
	defer cancel()
	// Before DynamoDB's gate: a reader of a Kinesis stream waits for what DynamoDB delivers to it.
	if err := e.running.Close(ctx); err != nil {
		return fmt.Errorf("%w (%d of KMS, Kinesis, CloudWatch or auto scaling)", err, e.running.Inside())
	}
	defer e.running.Open()
	var unloaded error // errors of services that could not load the new content of the store
	err := e.cosmos.service.Replace(ctx, func() error {
		replaced := false
		err := e.dynamo.Replace(ctx, func() error {
			if err := with(); err != nil {
				return err
			}
			replaced = true
			unloaded = errors.Join(e.identity.Reload(), e.keys.Reload(), e.alarms.Reload())
			unloaded = errors.Join(unloaded, e.kinesis.Reload(), e.scaling.Reload())
			return nil
		})
		if replaced {
			unloaded = errors.Join(unloaded, err)
			return nil
		}
		return err
	})
	e.metrics.settings.Refresh()
	e.watcher.changed(control.Change{Kind: control.SchemaChange})
	return errors.Join(unloaded, err)
}

// Reset deletes all tables, databases, keys and alarms, and their metrics. It waits up to 30 seconds for the requests
// in progress. Errors: requests that take longer; then nothing changes.
func (e *Emulator) Reset() error { return e.ResetContext(context.Background()) }

// ResetContext is Reset that also stops waiting for requests when ctx is done.
func (e *Emulator) ResetContext(ctx context.Context) error {
	dropped := false
	err := e.replace(ctx, func() error {
		err := e.store.Reset()
		dropped = err == nil
		return err
	})
	if dropped {
		e.metrics.registry.Forget()
		e.spending.used.Begin()
	}
	return err
}
