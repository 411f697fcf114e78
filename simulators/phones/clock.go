package phones

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// A backend elsewhere may use another clock than the simulation: the maximum difference, and how far the clock is moved
// to see whether the backend's follows.
const (
	maxClockDifference = 2 * time.Second
	clockStep          = 5 * time.Second
)

// checkClock registers a device of a nonexistent user, to learn the backend's time, and removes it.
func (r *run) checkClock(ctx context.Context, user string) error {
	if r.env.Embedded != nil {
		return nil
	}
	if r.env.Clock.ControlsBackend() {
		if err := r.env.Clock.WaitUntil(ctx, clockStep); err != nil {
			return err
		}
	}
	var got Device
	person := r.env.User(0, user)
	in := map[string]string{"deviceId": "clock", "expoPushToken": "ExponentPushToken[clock]", "platform": "ios"}
	if _, err := person.Call(ctx, sim.Call{Method: http.MethodPost, Path: "/devicetoken/devices", In: in,
		Out: &got}); err != nil {
		return err
	}
	now := r.now()
	if _, err := person.Call(ctx, sim.Call{Method: http.MethodDelete, Path: "/devicetoken/devices"}); err != nil {
		return err
	}
	switch d := now.Sub(got.UpdatedAt); {
	case d.Abs() <= maxClockDifference:
		return nil
	case r.env.Clock.ControlsBackend():
		return fmt.Errorf("the backend's clock is at %v, but the emulator's is at %v: omit --emulator (nothing expires then), "+
			"or, if another simulation or shard moves the clock, use an emulator and a backend of its own", got.UpdatedAt,
			now.Truncate(time.Second))
	default:
		return fmt.Errorf("the backend's clock is at %v, not %v: set --emulator to the emulator whose clock it uses",
			got.UpdatedAt, now.Truncate(time.Second))
	}
}
