package sim_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// recordingActor is an actor that records when it acted; its moments are in hours.
type recordingActor struct {
	clock   *sim.Clock
	moments []time.Duration
	acted   []time.Time
	err     error
}

func (d *recordingActor) Next() (time.Duration, bool) {
	if len(d.moments) == 0 {
		return 0, false
	}
	return d.moments[0] * time.Hour, true
}

func (d *recordingActor) Act(context.Context) error {
	d.moments, d.acted = d.moments[1:], append(d.acted, d.clock.Now())
	return d.err
}

func start() time.Time { return time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC) }

func TestRunnerAdvancesTheClockToEachAction(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t, console.Option(), emulator.WithManualClock(start()))
	clock := sim.NewManualClock(db)
	a := &recordingActor{clock: clock, moments: []time.Duration{0, 5, 5, 24 * 30}}
	b := &recordingActor{clock: clock, moments: []time.Duration{5, 6}}
	var seen []time.Duration
	last, err := sim.Runner{Clock: clock, Progress: func(at time.Duration) {
		seen = append(seen, at)
	}}.Run(t.Context(), a, b)
	if err != nil || last != 30*24*time.Hour || !clock.Now().Equal(start().AddDate(0, 0, 30)) || !clock.ControlsBackend() {
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
func TestActorsOfOneMomentRunConcurrently(t *testing.T) {
	t.Parallel()
	var barrier sync.WaitGroup
	barrier.Add(2)
	clock := sim.NewScaledClock(1e9)
	if _, err := (sim.Runner{Clock: clock}).Run(t.Context(), &waitingActor{barrier: &barrier},
		&waitingActor{barrier: &barrier}); err != nil {
		t.Error(err)
	}
}

type waitingActor struct {
	barrier *sync.WaitGroup
	done    bool
}

func (r *waitingActor) Next() (time.Duration, bool) { return time.Hour, !r.done }

func (r *waitingActor) Act(context.Context) error {
	r.done = true
	r.barrier.Done()
	r.barrier.Wait()
	return nil
}

func TestRunnerStopsOnErrorAndOnRequest(t *testing.T) {
	t.Parallel()
	clock := sim.NewScaledClock(1e12)
	broken := &recordingActor{clock: clock, moments: []time.Duration{1, 2}, err: errors.New("fell")}
	if _, err := (sim.Runner{Clock: clock}).Run(t.Context(), broken); err == nil || len(broken.acted) != 1 {
		t.Error(err, broken.acted)
	}
	stop := make(chan struct{})
	close(stop)
	idle := &recordingActor{clock: clock, moments: []time.Duration{1}}
	if _, err := (sim.Runner{Clock: clock, Stop: stop}).Run(t.Context(), idle); err != nil || len(idle.acted) != 0 {
		t.Error(err, idle.acted)
	}
}

func TestRemoteClockAdvancesAnEmulator(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t, console.Option(), emulator.WithClockStart(start().Add(time.Millisecond)))
	clock, err := sim.NewRemoteClock(t.Context(), db.DynamoDBURL())
	if err != nil {
		t.Fatal(err)
	}
	if err := clock.WaitUntil(t.Context(), 48*time.Hour); err != nil || !db.Now().Equal(clock.Now()) ||
		!db.Now().Equal(clock.At(48*time.Hour)) {
		t.Error(err, db.Now(), clock.Now())
	}
	if _, err := sim.NewRemoteClock(t.Context(), "http://127.0.0.1:1"); err == nil {
		t.Error("no error although nothing listens")
	}
}

func TestScaledClock(t *testing.T) {
	t.Parallel()
	clock := sim.NewScaledClock(1000)
	if got := clock.At(1000 * time.Hour).Sub(clock.Start()); got != time.Hour || clock.ControlsBackend() {
		t.Error(got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := clock.WaitUntil(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestRemoteClockIsNotShared checks that two simulations cannot move one emulator's clock.
func TestRemoteClockIsNotShared(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t, console.Option(), emulator.WithClockStart(start()))
	var clocks [2]*sim.Clock
	for i := range clocks {
		var err error
		if clocks[i], err = sim.NewRemoteClock(t.Context(), db.DynamoDBURL()); err != nil {
			t.Fatal(err)
		}
	}
	if err := clocks[0].WaitUntil(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	if err := clocks[1].WaitUntil(t.Context(), time.Hour); err == nil ||
		!strings.Contains(err.Error(), "give each simulation and each shard an emulator") {
		t.Error(err)
	}
}
