package control

import (
	"errors"
	"io"
	"time"
)

// Errors of requests that do not fit the state of the recording.
var (
	ErrRecording    = errors.New("a recording is already running: stop it first")
	ErrNotRecording = errors.New("there is no recording: start one first")
)

// Recorder records requests on demand.
type Recorder interface {
	// Start starts a recording and deletes the previous one. Errors: ErrRecording if one is on.
	Start() error
	// Stop ends the recording. Errors: ErrNotRecording if none is on.
	Stop() error
	// Show describes the last recording.
	Show() RecordingState
	// Open opens the last recording, as far as it is written. Errors: ErrNotRecording if there is none.
	Open() (io.ReadCloser, error)
}

// RecordingState describes the last recording.
type RecordingState struct {
	On       bool       `json:"on"`
	Started  *time.Time `json:"started,omitempty" doc:"By the emulator's clock"`
	Requests int64      `json:"requests" doc:"Number of recorded requests"`
	Bytes    int64      `json:"bytes" doc:"Size of the recording; it stops at 1 GiB"`
	Error    string     `json:"error,omitempty" doc:"Error that stopped the recording"`
}
