package jobs

import (
	"context"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// Job is work divided into segments.
type Job struct {
	// Name identifies the job in the jobs table. The name of a job over a table that the caller chooses contains that
	// table's name.
	Name string
	// Segments is the number of segments of a new run, 1 to 1000. A resumed run keeps its number.
	Segments int
	// Parameters are the parameters of a new run, such as the date up to which it deletes. A resumed run keeps its own.
	Parameters map[string]string
	// Step processes one page of one segment. If that may take longer than a lease, it calls in.Renew before
	// each write. It may be called again for a page that it has already processed. With in.DryRun it counts what it would
	// do and writes nothing. Its result is valid with a PartialError too.
	Step func(ctx context.Context, in StepInput) (StepResult, error)
}

// StepInput is the position in a run at which a step starts.
type StepInput struct {
	Parameters map[string]string // of the run
	Segment    int               // 0-based
	Segments   int
	After      ddb.Item // the Next of the previous step; nil at the start of the segment
	DryRun     bool
	Renew      Renew
}

// Renew renews the lease on a segment during a step, if a third of it has passed; otherwise it costs nothing. It fails
// once its context has ended. After an error, which the step returns, another worker may hold the segment: the step
// must not write any more. A step that hangs does not call it, and so loses its lease.
type Renew func(ctx context.Context) error

// Unleased is the Renew of work without a lease.
func Unleased(ctx context.Context) error { return ctx.Err() }

// PartialError is the error of a step that has processed its page except for some items, which a later run may be able
// to process. The run goes on to its end, and then fails with the error of its first segment that has one. It is not
// remembered as a finished run.
type PartialError struct{ Err error }

func (e *PartialError) Error() string { return e.Err.Error() }
func (e *PartialError) Unwrap() error { return e.Err }

// StepResult is the result of one page.
type StepResult struct {
	Next   ddb.Item         // where the segment continues; nil when it is done
	Counts map[string]int64 // added up over the run
}

// Progress is a run's progress as one worker sees it.
type Progress struct {
	Job            string
	Segments, Done int
	Counts         map[string]int64
}

// Summary is the result of a run, whichever workers did it.
type Summary struct {
	Job        string            `json:"job"`
	Run        int64             `json:"run"` // the runs of a job are numbered from 1; a dry run is 0
	Parameters map[string]string `json:"parameters"`
	StartedAt  string            `json:"startedAt"`
	FinishedAt string            `json:"finishedAt"`
	Segments   int               `json:"segments"`
	// Counts covers all pages whose end was saved. Work that a worker did between its last save and its end is done but
	// not counted.
	Counts map[string]int64 `json:"counts"`
	// Resumed reports whether the run was started before this call.
	Resumed bool `json:"resumed"`
	// AlreadyFinished reports whether the run had finished before this call, which then did nothing.
	AlreadyFinished bool `json:"already"`
	DryRun          bool `json:"dryRun"`
}
