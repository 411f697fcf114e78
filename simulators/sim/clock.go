package sim

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Clock is the time of a simulation. Its moments are relative to its start.
type Clock struct {
	start           time.Time
	speed           float64 // simulated seconds per second of the backend
	controlsBackend bool
	now             func() time.Time
	waitUntil       func(context.Context, time.Time) error
}

// ManualClock is a clock that stands still until it is advanced, such as an *emulator.Emulator with a manual clock.
// What falls due has happened when Advance returns.
type ManualClock interface {
	Now() time.Time
	Advance(time.Duration) error
}

// NewManualClock returns a clock that advances m, the clock of the database and the backend: weeks pass in seconds, and
// lifetimes end.
func NewManualClock(m ManualClock) *Clock {
	waitUntil := func(_ context.Context, at time.Time) error {
		if d := at.Sub(m.Now()); d > 0 {
			return m.Advance(d)
		}
		return nil
	}
	return &Clock{start: wholeSecond(m.Now()), speed: 1, controlsBackend: true, now: m.Now, waitUntil: waitUntil}
}

// NewScaledClock returns a clock that controls no other clock and makes everything happen speed times as fast: a
// reminder for tomorrow is due in 86.4 seconds at speed 1000. Lifetimes that the backend sets, such as 30 days, do not
// end.
func NewScaledClock(speed float64) *Clock {
	waitUntil := func(ctx context.Context, at time.Time) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Until(at)):
			return nil
		}
	}
	return &Clock{start: wholeSecond(time.Now()), speed: speed, now: time.Now, waitUntil: waitUntil}
}

// NewRemoteClock returns a clock that advances the clock of an emulator in another process, through its admin API at
// endpoint, such as http://127.0.0.1:8000. The backend must use that emulator's clock, as that of `tabletop up` does.
// The clock is stopped and does not advance by itself.
func NewRemoteClock(ctx context.Context, endpoint string) (*Clock, error) {
	c := &Client{BaseURL: strings.TrimSuffix(endpoint, "/") + "/_tabletop"}
	command := func(ctx context.Context, method, path string, in any) (time.Time, error) {
		var shown struct{ Now time.Time }
		_, err := c.Do(ctx, Call{Method: method, Path: path, In: in, Out: &shown})
		if err != nil {
			err = fmt.Errorf("cannot control the emulator at %s: use the address of a running one (%w)", endpoint, err)
		}
		return shown.Now, err
	}
	start, err := command(ctx, http.MethodPost, "/clock/freeze", map[string]string{})
	if err != nil {
		return nil, err
	}
	now := start
	waitUntil := func(ctx context.Context, at time.Time) (err error) {
		d := at.Sub(now)
		if d <= 0 {
			return nil
		}
		now, err = command(ctx, http.MethodPost, "/clock/advance", map[string]string{"duration": d.String()})
		if err == nil && !now.Equal(at) {
			err = fmt.Errorf("something else moves the clock of the emulator at %s, which is at %v instead of %v: give each "+
				"simulation and each shard an emulator and a backend of its own", endpoint, now, at)
		}
		return err
	}
	return &Clock{start: wholeSecond(start), speed: 1, controlsBackend: true, now: func() time.Time {
		return now
	}, waitUntil: waitUntil}, nil
}

// wholeSecond returns the first whole second from t on: the backends store times in whole seconds.
func wholeSecond(t time.Time) time.Time {
	return t.UTC().Add(time.Second - time.Nanosecond).Truncate(time.Second)
}

// Start returns when the simulation starts, by the backend's clock.
func (c *Clock) Start() time.Time { return c.start }

// ControlsBackend reports whether the clocks of the database and the backend advance too, so that lifetimes end.
func (c *Clock) ControlsBackend() bool { return c.controlsBackend }

// Now returns the time of the backend's clock.
func (c *Clock) Now() time.Time { return c.now().UTC() }

// At returns a moment by the backend's clock.
func (c *Clock) At(moment time.Duration) time.Time { return c.start.Add(c.Scale(moment)) }

// Scale returns how long a simulated duration takes by the backend's clock.
func (c *Clock) Scale(d time.Duration) time.Duration { return time.Duration(float64(d) / c.speed) }

// WaitUntil waits until a moment; it does not wait for a past one.
func (c *Clock) WaitUntil(ctx context.Context, moment time.Duration) error {
	return errors.Join(ctx.Err(), c.waitUntil(ctx, c.At(moment)))
}
