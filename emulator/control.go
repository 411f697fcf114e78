package emulator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TB is what Run needs of a test: a *testing.T, B or F.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
	Cleanup(func())
}

// Run starts an emulator for a test, which fails if that cannot be done, and closes it when the test ends.
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

// Now is the emulator's time.
func (e *Emulator) Now() time.Time { return e.clock.Now() }

// Advance moves the emulator's time forward. Everything that falls due by then, such as the expiry of
// items, has happened when it returns. A negative d is an error.
func (e *Emulator) Advance(d time.Duration) error { return e.clock.Advance(d) }

// AdvanceContext is Advance that ends with ctx. Time stands then where it was moved to, which the error says.
func (e *Emulator) AdvanceContext(ctx context.Context, d time.Duration) error {
	return e.clock.AdvanceContext(ctx, d)
}

// Freeze has the emulator's time stand still. Advance moves it all the same.
func (e *Emulator) Freeze() { e.clock.Freeze() }

// Resume has time that stands still, by Freeze or by WithManualClock, go on from where it is.
func (e *Emulator) Resume() { e.clock.Resume() }

// SetSpeed has the emulator's time go by factor times as fast as the machine's from now on, once it does not stand
// still; what falls due happens when it comes. A factor outside 0.001 and 1,000,000 is an error.
func (e *Emulator) SetSpeed(factor float64) error { return e.clock.SetSpeed(factor) }

// Snapshot is a copy of all tables, databases, containers, items, keys and alarms at one moment.
type Snapshot struct{ state *store.Snapshot }

// Snapshot copies all tables, items, keys and alarms, to be brought back by Restore. The copy is in memory.
func (e *Emulator) Snapshot() (*Snapshot, error) {
	state, err := e.store.Snapshot()
	if err != nil {
		return nil, err
	}
	return &Snapshot{state}, nil
}

// Restore brings back the tables, items, keys and alarms of a snapshot, of this emulator or another one, and drops all
// others. The clock stays as it is. A request under way sees the old state or the new one. A snapshot that cannot be
// restored is an error and changes nothing. Where a service cannot load what was restored, that is an error too: the
// service refuses requests until another snapshot is restored, or Reset. Restore waits for the requests under way, 30
// seconds at most; where they take longer, it is an error and changes nothing.
func (e *Emulator) Restore(s *Snapshot) error { return e.RestoreContext(context.Background(), s) }

// RestoreContext is Restore that also gives up when ctx is done while it waits for requests under way.
func (e *Emulator) RestoreContext(ctx context.Context, s *Snapshot) error {
	if s == nil || s.state == nil {
		return errors.New("there is no snapshot to restore: take one by Snapshot")
	}
	err := e.replace(ctx, func() error { return e.store.Restore(s.state) })
	e.spending.used.Look()
	return err
}

// replacing is how long Restore and Reset wait for the requests under way. Each of them ends before: a script runs for
// five seconds, twice at most, after ten in which it waits for its turn.
const replacing = 30 * time.Second

// errStillRunning is a Restore or Reset that found no moment without requests.
var errStillRunning = fmt.Errorf("%w, and nothing was replaced: end the programs that send them, or try again once they are done", control.ErrStillRunning)

// replace calls with to replace the store's content, and reloads every service from it, also where another one cannot
// be reloaded. Where with fails, or requests do not end in time, nothing was replaced and all services go on as they
// were.
func (e *Emulator) replace(ctx context.Context, with func() error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, e.replacing, errStillRunning)
	defer cancel()
	var unloaded error // services that could not take what is in the store now
	err := e.cosmos.service.Replace(ctx, func() error {
		replaced := false
		err := e.dynamo.Replace(ctx, func() error {
			if err := with(); err != nil {
				return err
			}
			replaced = true
			unloaded = errors.Join(e.identity.Reload(), e.keys.Reload(), e.alarms.Reload())
			return nil
		})
		if replaced {
			unloaded = errors.Join(unloaded, err)
			return nil
		}
		return err
	})
	e.measures.settings.Refresh()
	return errors.Join(unloaded, err)
}

// Reset drops all tables, databases, keys and alarms, and what was measured of them. It waits for the requests under
// way, 30 seconds at most; where they take longer, it is an error and changes nothing.
func (e *Emulator) Reset() error { return e.ResetContext(context.Background()) }

// ResetContext is Reset that also gives up when ctx is done while it waits for requests under way.
func (e *Emulator) ResetContext(ctx context.Context) error {
	dropped := false
	err := e.replace(ctx, func() error {
		err := e.store.Reset()
		dropped = err == nil
		return err
	})
	if dropped {
		e.measures.registry.Forget()
		e.spending.used.Begin()
	}
	return err
}
