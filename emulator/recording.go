package emulator

import (
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/internal/model/recording"
	"github.com/tabletop-db/tabletop/internal/util/version"
)

// recorder records requests: for WithRecording as long as the emulator runs, and for the admin API on demand.
type recorder struct {
	clock *clock.Clock
	seed  uint64

	service  *dynamo.Service   // its requests are recorded
	always   *recording.Writer // of WithRecording; nil without
	onDemand atomic.Pointer[recording.Writer]

	mu      sync.Mutex // guards the fields below, and changes of onDemand
	spool   *spool     // of the last recording on demand; nil before the first
	started time.Time
}

// newRecorder starts the recording to out, unless out is nil.
func newRecorder(c *clock.Clock, seed uint64, out io.Writer) (*recorder, error) {
	r := &recorder{clock: c, seed: seed}
	var err error
	if out != nil {
		r.always, err = recording.NewWriter(out, r.header())
	}
	return r, err
}

// begin makes s note the authorization decisions of its requests, if they are recorded.
func (r *recorder) begin(s *dynamo.Service) {
	r.service = s
	s.RecordAccesses(r.always != nil)
}

func (r *recorder) header() recording.Header {
	return recording.Header{Version: version.Current(), Start: r.clock.Now().UTC(), Seed: r.seed}
}

// observe records a DynamoDB request.
func (r *recorder) observe(e *telemetry.Event) {
	if !r.isOn() {
		return
	}
	entry := recording.Entry{
		Time: e.Start.UTC(), Micros: e.Elapsed.Microseconds(), Service: recording.DynamoDB, Operation: e.Operation,
		Account: e.Account, Client: clientOf(e.UserAgent), Trace: e.Trace,
		AccessKey: e.AccessKey, Principal: e.Principal, Request: e.Request, Status: e.Status, Error: e.Error,
		Answer: e.Response, Lost: e.ResponseDropped, Console: e.UserAgent == control.ConsoleUserAgent,
	}
	switch e.Error {
	// the message repeats headers, perhaps with a signature
	case "IncompleteSignatureException", "InvalidSignatureException":
		entry.Answer = nil
	}
	for _, a := range e.Accesses {
		entry.Authorization = append(entry.Authorization, recording.Access(a))
	}
	for _, c := range e.Charges {
		entry.Consumed = append(entry.Consumed, recording.Consumed{Table: c.Table, Index: c.Index, Write: c.Write,
			Units: c.Units})
	}
	r.add(&entry)
}

// isOn reports whether requests are recorded.
func (r *recorder) isOn() bool { return r.always != nil || r.onDemand.Load() != nil }

// add adds an entry to the recordings.
func (r *recorder) add(entry *recording.Entry) {
	for _, w := range []*recording.Writer{r.always, r.onDemand.Load()} {
		if w != nil {
			w.Add(*entry)
		}
	}
}

// clientOf returns as much of a user agent as is recorded.
func clientOf(agent string) string { return agent[:min(len(agent), recording.MaxClient)] }

// Start starts a recording on demand.
func (r *recorder) Start() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.onDemand.Load() != nil {
		return control.ErrRecording
	}
	next, err := newSpool()
	if err != nil {
		return err
	}
	w, err := recording.NewWriter(next, r.header())
	if err != nil {
		return errors.Join(err, next.remove())
	}
	if r.spool != nil {
		err = r.spool.remove()
	}
	r.spool, r.started = next, r.clock.Now().UTC()
	r.onDemand.Store(w)
	r.service.RecordAccesses(true)
	return err
}

// Stop ends the recording on demand. Its file stays until the next one starts.
func (r *recorder) Stop() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.onDemand.Swap(nil)
	if w == nil {
		return control.ErrNotRecording
	}
	r.service.RecordAccesses(r.always != nil)
	n, _ := w.Requests()
	err := w.Close()
	r.spool.requests, r.spool.err = n, err
	return nil
}

// Show describes the last recording on demand.
func (r *recorder) Show() control.RecordingState {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.spool == nil {
		return control.RecordingState{}
	}
	state := control.RecordingState{Started: &r.started, Bytes: r.spool.size.Load(), Requests: r.spool.requests}
	err := r.spool.err
	if w := r.onDemand.Load(); w != nil {
		state.On = true
		state.Requests, err = w.Requests()
	}
	if err != nil {
		state.Error = err.Error()
	}
	return state
}

// Open opens the last recording on demand, as far as it is written. The caller closes it.
func (r *recorder) Open() (io.ReadCloser, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.spool == nil {
		return nil, control.ErrNotRecording
	}
	return os.Open(r.spool.Name())
}

// close ends all recordings and deletes the file of the one on demand.
func (r *recorder) close() error {
	var errs []error
	if r.always != nil {
		errs = append(errs, r.always.Close())
	}
	if err := r.Stop(); err != nil && !errors.Is(err, control.ErrNotRecording) {
		errs = append(errs, err)
	}
	if r.spool != nil {
		errs = append(errs, r.spool.remove())
	}
	return errors.Join(errs...)
}

// maxSpool is the largest size of a recording on demand, in bytes.
const maxSpool = 1 << 30

// spool is the file of a recording on demand.
type spool struct {
	*os.File
	size     atomic.Int64
	requests int64 // set when the recording has ended
	err      error // the error that ended the recording
}

// newSpool creates a file that only the current user can read.
func newSpool() (*spool, error) {
	f, err := os.CreateTemp("", "tabletop-*.jsonl")
	if err != nil {
		return nil, err
	}
	return &spool{File: f}, nil
}

var errFull = errors.New(
	"the recording has reached its limit of 1 GiB: start another one, or record to a file with --record")

// Write implements io.Writer.
func (s *spool) Write(p []byte) (int, error) {
	if s.size.Load()+int64(len(p)) > maxSpool {
		return 0, errFull
	}
	n, err := s.File.Write(p)
	s.size.Add(int64(n))
	return n, err
}

func (s *spool) remove() error { return errors.Join(s.File.Close(), os.Remove(s.Name())) }
