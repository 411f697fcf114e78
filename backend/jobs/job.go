package jobs

import (
	"context"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// Job is work that is cut into segments.
type Job struct {
	// Name tells it from other jobs in the same jobs' table. A job over a table of a caller's choice has it in its
	// name.
	Name string
	// Segments is into how many parts a new run is cut, 1 to 1000. A run that goes on keeps its own number.
	Segments int
	// Parameters are those of a new run, such as the date up to which it deletes. A run that goes on keeps its own.
	Parameters map[string]string
	// Step does one page of one segment, in much less time than a lease lasts. It may be called again for a page that
	// it has done already. With at.DryRun it counts what it would do, and writes nothing.
	Step func(ctx context.Context, at Place) (Step, error)
}

// Place is where in a run a step is to begin.
type Place struct {
	Parameters map[string]string // of the run
	Segment    int               // from 0
	Segments   int
	After      ddb.Item // what the step before returned as Next; nil at the segment's beginning
	DryRun     bool
}

// Step is what one page came to.
type Step struct {
	Next   ddb.Item         // where the segment goes on; nil: it is done
	Counts map[string]int64 // what there is to count, added up over the run
}

// Progress is a run as one worker sees it.
type Progress struct {
	Job            string
	Segments, Done int
	Counts         map[string]int64
}

// Summary is what a run came to, whoever did it.
type Summary struct {
	Job        string            `json:"job"`
	Run        int64             `json:"run"` // runs of the job are numbered from 1; a dry run is 0
	Parameters map[string]string `json:"parameters"`
	StartedAt  string            `json:"startedAt"`
	FinishedAt string            `json:"finishedAt"`
	Segments   int               `json:"segments"`
	// Counts are those of all pages whose end was saved. What a worker did between its last saving and its end is done,
	// and not in them.
	Counts map[string]int64 `json:"counts"`
	// Resumed: the run had been begun before this call.
	Resumed bool `json:"resumed"`
	// Already: the run had finished before this call, which did nothing.
	Already bool `json:"already"`
	DryRun  bool `json:"dryRun"`
}
