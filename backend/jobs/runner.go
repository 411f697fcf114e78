package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/internal/util/pause"
)

// Config configures a Runner.
type Config struct {
	Client        *dynamodb.Client
	TablePrefix   string
	Now           func() time.Time                           // default: time.Now
	Wait          func(context.Context, time.Duration) error // default: sleeps; returns early with the context's error
	LeaseDuration time.Duration                              // for which a silent worker keeps its segment; default: 1 min
	Workers       int                                        // concurrent segments; default: 4
	RepeatAfter   time.Duration                              // how long a finished run is not repeated; default: one hour
	Restart       bool                                       // start a new run, whatever the state of the latest
	DryRun        bool                                       // write nothing, not even to the jobs table
	Progress      func(Progress)                             // called for every page, one call at a time; may be nil
	Logger        *slog.Logger                               // discards when nil
}

// Runner runs jobs. It is safe for concurrent use.
type Runner struct {
	cfg   Config
	table string
	name  string // of this process, for the leases

	mu   sync.Mutex
	seen map[string]map[int]segment // by job: segments as last read or written here
}

// New returns a runner over the jobs table. The table must exist unless the runner is used for dry runs only.
func New(cfg Config) *Runner {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Wait == nil {
		cfg.Wait = pause.For
	}
	if cfg.LeaseDuration == 0 {
		cfg.LeaseDuration = time.Minute
	}
	if cfg.Workers == 0 {
		cfg.Workers = 4
	}
	if cfg.RepeatAfter == 0 {
		cfg.RepeatAfter = time.Hour
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &Runner{cfg: cfg, table: cfg.TablePrefix + Table, name: uuid.NewString(), seen: map[string]map[int]segment{}}
}

// Run runs a job until all its segments are done, by this call or by other processes that run the job at the same time.
// It returns early when ctx ends or a step fails; progress is saved, and the next Run resumes there. After a
// PartialError of a step it goes on, and the next Run starts anew.
func (r *Runner) Run(ctx context.Context, job Job) (Summary, error) {
	if job.Segments < 1 || job.Segments > 1000 {
		return Summary{}, fmt.Errorf("%s: a job has 1 to 1000 segments, not %d", job.Name, job.Segments)
	}
	if r.cfg.DryRun {
		return r.dryRun(ctx, job)
	}
	rec, resumed, err := r.join(ctx, job)
	if err != nil {
		return Summary{}, fmt.Errorf("%s: %w", job.Name, err)
	}
	r.resetSeen(job.Name)
	alreadyFinished := rec.FinishedAt != ""
	if !alreadyFinished {
		group, working := errgroup.WithContext(ctx)
		for n := range min(r.cfg.Workers, rec.Segments) {
			w := &worker{Runner: r, job: job, rec: rec, name: fmt.Sprintf("%s/%d", r.name, n), offset: n}
			group.Go(func() error { return w.work(working) })
		}
		if err = group.Wait(); err == nil {
			rec, err = r.finish(ctx, rec)
		}
	}
	s, sum := r.summary(ctx, rec)
	s.Resumed, s.AlreadyFinished = resumed, alreadyFinished
	if err = errors.Join(err, sum); err != nil {
		err = fmt.Errorf("%s: %w", job.Name, err)
	}
	return s, err
}

// join returns the run to work on: the latest one if it is unfinished or finished recently, otherwise a new one. If two
// processes start a run at the same time, one succeeds and the other joins it.
func (r *Runner) join(ctx context.Context, job Job) (rec runRecord, resumed bool, err error) {
	for restart := r.cfg.Restart; ; restart = false {
		latest, err := r.latest(ctx, job.Name)
		if err != nil {
			return runRecord{}, false, err
		}
		if latest.Run > 0 && !restart && !r.stale(latest) {
			return latest, true, nil
		}
		rec = runRecord{
			Job: job.Name, Run: latest.Run + 1, Segments: job.Segments, Parameters: maps.Clone(job.Parameters),
			StartedAt: r.timestamp(),
		}
		if err := r.save(ctx, rec, latest.Run); !ddb.ConditionFailed(err) {
			return rec, false, err
		}
	}
}

// stale reports whether a run finished with failures, or so long ago that the job is due again. A run that finished in
// the future, by a clock that was ahead, is stale too.
func (r *Runner) stale(rec runRecord) bool {
	finished, err := time.Parse(time.RFC3339, rec.FinishedAt)
	since := r.cfg.Now().Sub(finished)
	return rec.FinishedAt != "" && (rec.Failed || err != nil || since >= r.cfg.RepeatAfter || since < -r.cfg.RepeatAfter)
}

// finish records the end of the run. It does nothing if another process has recorded it or has started a new run.
func (r *Runner) finish(ctx context.Context, rec runRecord) (runRecord, error) {
	latest, err := r.latest(ctx, rec.Job)
	if err != nil || latest.Run != rec.Run || latest.FinishedAt != "" {
		if latest.Run == rec.Run {
			rec = latest
		}
		return rec, err
	}
	rec.FinishedAt, rec.Failed = r.timestamp(), r.failed(rec.Job)
	if err := r.save(ctx, rec, rec.Run); err != nil && !ddb.ConditionFailed(err) {
		return rec, err
	}
	return rec, nil
}

func (r *Runner) summary(ctx context.Context, rec runRecord) (Summary, error) {
	s := Summary{
		Job: rec.Job, Run: rec.Run, Parameters: rec.Parameters, StartedAt: rec.StartedAt, FinishedAt: rec.FinishedAt,
		Segments: rec.Segments, Counts: map[string]int64{},
	}
	if ctx.Err() != nil {
		return s, nil // the caller has the counts
	}
	all, err := r.segments(ctx, rec)
	if errors.Is(err, errLeaseLost) {
		return s, errors.New("a new run has replaced this one")
	}
	s.Counts, _ = total(all)
	return s, errors.Join(err, failureOf(all))
}

// dryRun goes through all segments in order.
func (r *Runner) dryRun(ctx context.Context, job Job) (Summary, error) {
	s := Summary{
		Job: job.Name, Parameters: job.Parameters, StartedAt: r.timestamp(), Segments: job.Segments,
		Counts: map[string]int64{}, DryRun: true,
	}
	at := StepInput{Parameters: job.Parameters, Segments: job.Segments, DryRun: true,
		Renew: Unleased}
	for at.Segment < at.Segments {
		step, err := job.Step(ctx, at)
		if err != nil {
			return s, fmt.Errorf("%s: %w", job.Name, err)
		}
		add(s.Counts, step.Counts)
		if at.After = step.Next; at.After == nil {
			at.Segment++
		}
		r.reportProgress(Progress{Job: job.Name, Segments: at.Segments, Done: at.Segment, Counts: s.Counts})
	}
	s.FinishedAt = r.timestamp()
	return s, nil
}

func (r *Runner) resetSeen(job string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.seen, job)
}

// failed reports whether segments of a job have failures, once all are done.
func (r *Runner) failed(job string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return failureOf(slices.Collect(maps.Values(r.seen[job]))) != nil
}

func (r *Runner) timestamp() string { return r.cfg.Now().UTC().Format(time.RFC3339) }

func (r *Runner) reportProgress(p Progress) {
	if r.cfg.Progress != nil {
		r.cfg.Progress(p)
	}
}
