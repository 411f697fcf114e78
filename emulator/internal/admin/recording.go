package admin

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Recording is the topic of recordings.
type Recording struct{ control.Recorder }

// Name implements Topic.
func (Recording) Name() string { return "recording" }

// Routes implements Topic.
func (r Recording) Routes(api huma.API) {
	add(api, huma.Operation{OperationID: "show-recording", Method: http.MethodGet, Path: "/recording",
		Summary: "Show the last recording"},
		func(context.Context, *struct{}) (*reply[control.RecordingState], error) { return r.show(nil) })
	add(api, huma.Operation{OperationID: "start-recording", Method: http.MethodPost, Path: "/recording/start",
		Summary:     "Start recording requests to DynamoDB and Cosmos DB",
		Description: "The recording is deleted when the emulator stops or the next recording starts."},
		func(context.Context, *struct{}) (*reply[control.RecordingState], error) { return r.show(r.Start()) })
	add(api, huma.Operation{OperationID: "stop-recording", Method: http.MethodPost, Path: "/recording/stop",
		Summary: "Stop recording"},
		func(context.Context, *struct{}) (*reply[control.RecordingState], error) { return r.show(r.Stop()) })
	add(api, huma.Operation{OperationID: "get-recording", Method: http.MethodGet, Path: "/recording/requests",
		Summary:     "Download the recording",
		Description: "JSON lines for tabletop replay: a header, then one line per request. While recording is on, returns what is written so far."},
		func(context.Context, *struct{}) (*huma.StreamResponse, error) { return r.read() })
}

func (r Recording) show(err error) (*reply[control.RecordingState], error) {
	if err != nil {
		return nil, conflictError(err)
	}
	return &reply[control.RecordingState]{r.Show()}, nil
}

func (r Recording) read() (*huma.StreamResponse, error) {
	file, err := r.Open()
	if err != nil {
		return nil, conflictError(err)
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		defer file.Close()
		ctx.SetHeader("Content-Type", "application/jsonl")
		_, _ = io.Copy(ctx.BodyWriter(), file) // fails only if the client has left
	}}, nil
}

// conflictError returns the status for what cannot be done now, apart from other errors.
func conflictError(err error) error {
	switch {
	case errors.Is(err, control.ErrRecording), errors.Is(err, control.ErrNotRecording),
		errors.Is(err, store.ErrBackupRunning), errors.Is(err, store.ErrInMemory):
		return refuse(http.StatusConflict, err)
	}
	return err
}
