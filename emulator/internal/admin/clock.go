package admin

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
)

// Clock is the topic of the emulator's time.
type Clock struct{ control.Clock }

// Name implements Topic.
func (Clock) Name() string { return "clock" }

// clockState is the clock in responses.
type clockState struct {
	Now    time.Time `json:"now" doc:"The emulator's time"`
	Frozen bool      `json:"frozen" doc:"Whether the clock is stopped and only advance moves it"`
	Speed  float64   `json:"speed" doc:"Emulator seconds per machine second while the clock is not frozen" example:"1"`
}

// clockChange is a change of the clock. Nil fields do not change.
type clockChange struct {
	Frozen *bool    `json:"frozen,omitempty" doc:"true stops the clock; false resumes it from its current time"`
	Speed  *float64 `json:"speed,omitempty" minimum:"0.001" maximum:"1000000" doc:"Emulator seconds per machine second" example:"60"`
}

// Routes implements Topic.
func (c Clock) Routes(api huma.API) {
	add(api, huma.Operation{OperationID: "show-clock", Method: http.MethodGet, Path: "/clock", Summary: "Show the clock"},
		func(context.Context, *struct{}) (*reply[clockState], error) { return c.show() })
	add(api, huma.Operation{OperationID: "set-clock", Method: http.MethodPut, Path: "/clock",
		Summary: "Update the clock", Description: "Freezes, resumes or changes the speed. Omitted fields do not change."},
		func(_ context.Context, in *struct{ Body clockChange }) (*reply[clockState], error) {
			return c.change(in.Body)
		})
	add(api, huma.Operation{OperationID: "advance-clock", Method: http.MethodPost, Path: "/clock/advance",
		Summary:     "Move the clock forward",
		Description: "When the response is sent, everything due by then, such as the expiry of items, has happened. If the client disconnects, the clock stays at the time it has reached."},
		func(ctx context.Context, in *struct {
			Body struct {
				Duration string `json:"duration" doc:"How far to advance, such as 24h, 1h30m or 90s" example:"24h"`
			}
		}) (*reply[clockState], error) {
			return c.advance(ctx, in.Body.Duration)
		})
	yes, no := true, false
	c.command(api, "freeze", "Freeze the clock", "Only advance moves a frozen clock, until it is resumed.",
		clockChange{Frozen: &yes})
	c.command(api, "resume", "Resume the clock", "The clock continues from its current time.", clockChange{Frozen: &no})
	add(api, huma.Operation{OperationID: "speed-clock", Method: http.MethodPost, Path: "/clock/speed",
		Summary: "Set the clock's speed", Description: "Takes effect now, or when a frozen clock is resumed."},
		func(_ context.Context, in *struct {
			Body struct {
				Speed float64 `json:"speed" minimum:"0.001" maximum:"1000000" doc:"Emulator seconds per machine second" example:"60"`
			}
		}) (*reply[clockState], error) {
			return c.change(clockChange{Speed: &in.Body.Speed})
		})
}

// command registers a change of the clock without a body.
func (c Clock) command(api huma.API, verb, summary, description string, change clockChange) {
	add(api, huma.Operation{OperationID: verb + "-clock", Method: http.MethodPost, Path: "/clock/" + verb,
		Summary: summary, Description: description},
		func(context.Context, *struct{}) (*reply[clockState], error) { return c.change(change) })
}

func (c Clock) show() (*reply[clockState], error) {
	return &reply[clockState]{clockState{c.Now().UTC(), c.Frozen(), c.Speed()}}, nil
}

func (c Clock) change(to clockChange) (*reply[clockState], error) {
	if to.Speed != nil {
		if err := c.SetSpeed(*to.Speed); err != nil {
			return nil, refuse(http.StatusUnprocessableEntity, err)
		}
	}
	switch {
	case to.Frozen == nil:
	case *to.Frozen:
		c.Freeze()
	default:
		c.Resume()
	}
	return c.show()
}

func (c Clock) advance(ctx context.Context, by string) (*reply[clockState], error) {
	d, err := time.ParseDuration(by)
	if err != nil {
		return nil, huma.Error422UnprocessableEntity("the request is not valid", &huma.ErrorDetail{
			Location: "body.duration", Message: fmt.Sprintf("%v: write it as 24h, 1h30m or 90s", err), Value: by,
		})
	}
	if err := c.AdvanceContext(ctx, d); err != nil {
		return nil, refuse(http.StatusUnprocessableEntity, err)
	}
	return c.show()
}
