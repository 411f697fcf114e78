package sim_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// diary is an actor that records when it acted; its moments are in hours.
type diary struct {
	clock   *sim.Clock
	moments []time.Duration
	acted   []time.Time
	err     error
}

func (d *diary) Next() (time.Duration, bool) {
	if len(d.moments) == 0 {
		return 0, false
	}
	return d.moments[0] * time.Hour, true
}

func (d *diary) Act(context.Context) error {
	d.moments, d.acted = d.moments[1:], append(d.acted, d.clock.Now())
	return d.err
}

func start() time.Time { return time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC) }

func TestPlayMovesTheClockFromDeedToDeed(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t, console.Option(), emulator.WithManualClock(start()))
	clock := sim.Moved(db)
	a := &diary{clock: clock, moments: []time.Duration{0, 5, 5, 24 * 30}}
	b := &diary{clock: clock, moments: []time.Duration{5, 6}}
	var seen []time.Duration
	last, err := sim.Stage{Clock: clock, Progress: func(at time.Duration) {
		seen = append(seen, at)
	}}.Play(t.Context(), a, b)
	if err != nil || last != 30*24*time.Hour || !clock.Now().Equal(start().AddDate(0, 0, 30)) || !clock.Moves() {
		t.Error(last, err, clock.Now())
	}
	if got := fmt.Sprint(a.acted[1].Hour(), b.acted[0].Hour(), b.acted[1].Hour(), len(a.acted)); got != "13 13 14 4" {
		t.Error(got)
	}
	if h := time.Hour; !slices.Equal(seen, []time.Duration{0, 5 * h, 5 * h, 6 * h, 720 * h}) {
		t.Error(seen)
	}
}

// Actors of the same moment act concurrently: each waits for the other.
func TestPlayHasThoseOfOneMomentRace(t *testing.T) {
	t.Parallel()
	var meeting sync.WaitGroup
	meeting.Add(2)
	clock := sim.Squeezed(1e9)
	if _, err := (sim.Stage{Clock: clock}).Play(t.Context(), &racer{meeting: &meeting},
		&racer{meeting: &meeting}); err != nil {
		t.Error(err)
	}
}

type racer struct {
	meeting *sync.WaitGroup
	done    bool
}

func (r *racer) Next() (time.Duration, bool) { return time.Hour, !r.done }

func (r *racer) Act(context.Context) error {
	r.done = true
	r.meeting.Done()
	r.meeting.Wait()
	return nil
}

func TestPlayEndsByErrorAndWhenAsked(t *testing.T) {
	t.Parallel()
	clock := sim.Squeezed(1e12)
	broken := &diary{clock: clock, moments: []time.Duration{1, 2}, err: errors.New("fell")}
	if _, err := (sim.Stage{Clock: clock}).Play(t.Context(), broken); err == nil || len(broken.acted) != 1 {
		t.Error(err, broken.acted)
	}
	stop := make(chan struct{})
	close(stop)
	idle := &diary{clock: clock, moments: []time.Duration{1}}
	if _, err := (sim.Stage{Clock: clock, Stop: stop}).Play(t.Context(), idle); err != nil || len(idle.acted) != 0 {
		t.Error(err, idle.acted)
	}
}

func TestCommandedMovesAnEmulatorElsewhere(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t, console.Option(), emulator.WithClockStart(start().Add(time.Millisecond)))
	clock, err := sim.Commanded(t.Context(), db.DynamoDBURL())
	if err != nil {
		t.Fatal(err)
	}
	if err := clock.Reach(t.Context(), 48*time.Hour); err != nil || !db.Now().Equal(clock.Now()) ||
		!db.Now().Equal(clock.At(48*time.Hour)) {
		t.Error(err, db.Now(), clock.Now())
	}
	if _, err := sim.Commanded(t.Context(), "http://127.0.0.1:1"); err == nil {
		t.Error("nobody there, and no error")
	}
}

func TestSqueezedTime(t *testing.T) {
	t.Parallel()
	clock := sim.Squeezed(1000)
	if got := clock.At(1000 * time.Hour).Sub(clock.Start()); got != time.Hour || clock.Moves() {
		t.Error(got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := clock.Reach(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
