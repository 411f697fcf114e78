package jobs

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"
)

// worker processes one segment after another.
type worker struct {
	*Runner
	job    Job
	rec    record
	name   string
	offset int // where in the list it starts to look, so that workers do not compete for the same segments
}

// errBegunAnew ends the work on a run that another run has replaced.
var errBegunAnew = errors.New("a new run of the job has replaced this one")

// work returns when every segment is done or held by another worker of this process, which will finish it. It waits for
// segments that other processes hold, because they may be abandoned.
func (w *worker) work(ctx context.Context) error {
	for {
		all, err := w.segments(ctx, w.rec)
		if errors.Is(err, errLost) {
			return errBegunAnew
		}
		if err != nil {
			return err
		}
		w.saw(all...)
		if !slices.ContainsFunc(all, w.open) {
			return nil
		}
		s, err := w.take(ctx, all)
		switch {
		case errors.Is(err, errNoneFree):
			err = w.cfg.Wait(ctx, w.cfg.Lease/10)
		case err == nil:
			err = w.do(ctx, s)
		}
		if err != nil && !errors.Is(err, errLost) {
			return err
		}
	}
}

// errNoneFree means that other workers hold all segments that are not done.
var errNoneFree = errors.New("no segment is free")

// take leases the first free segment. Errors: errLost when others were faster, so that more may be free; errNoneFree.
func (w *worker) take(ctx context.Context, all []segment) (segment, error) {
	none := errNoneFree
	for i := range all {
		s := all[(i+w.offset)%len(all)]
		if s.Done || !w.free(s) {
			continue
		}
		s.Owner, s.Until = w.name, w.lease()
		s, err := w.swap(ctx, w.job.Name, s)
		if !errors.Is(err, errLost) {
			return s, err
		}
		none = errLost
	}
	return segment{}, none
}

// open reports whether a segment is not done and not held by another worker of this process.
func (w *worker) open(s segment) bool {
	return !s.Done && (w.free(s) || !strings.HasPrefix(s.Owner, w.Runner.name+"/"))
}

// free reports whether a segment's lease has ended. A lease that ends later than any that starts now comes from a clock
// that was ahead and counts as ended; otherwise nobody could resume until that time.
func (w *worker) free(s segment) bool {
	now := w.cfg.Now().UnixMilli()
	return s.Until <= now || s.Until > now+2*w.cfg.Lease.Milliseconds()
}

func (w *worker) lease() int64 { return w.cfg.Now().Add(w.cfg.Lease).UnixMilli() }

// do processes a segment page by page. After each page it saves the progress and renews the lease, if it still holds
// it.
func (w *worker) do(ctx context.Context, s segment) error {
	for !s.Done {
		step, err := w.job.Step(ctx, Place{Parameters: w.rec.Parameters, Segment: s.Number, Segments: w.rec.Segments,
			After: s.After})
		if err != nil {
			w.release(ctx, s)
			return err
		}
		next := s
		next.Counts = maps.Clone(s.Counts)
		if next.Counts == nil {
			next.Counts = map[string]int64{}
		}
		add(next.Counts, step.Counts)
		next.After, next.Done, next.Until = step.Next, step.Next == nil, w.lease()
		saved, err := w.swap(ctx, w.job.Name, next)
		if errors.Is(err, errLost) {
			w.cfg.Logger.Warn("lease lost", "job", w.job.Name, "segment", s.Number)
			return err
		}
		if err != nil {
			w.release(ctx, s)
			return err
		}
		s = saved
		w.saw(s)
	}
	return nil
}

// release ends the lease of a segment early, so that the next start need not wait for it. It is best effort: if it
// fails, the lease ends by itself.
func (w *worker) release(ctx context.Context, s segment) {
	const patience = 2 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	s.Until = 0
	if _, err := w.swap(ctx, w.job.Name, s); err != nil {
		w.cfg.Logger.Debug("lease not released", "job", w.job.Name, "segment", s.Number, "error", err)
	}
}

// saw records the current state of segments and reports the progress.
func (w *worker) saw(all ...segment) {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := w.seen[w.job.Name]
	if seen == nil {
		seen = map[int]segment{}
		w.seen[w.job.Name] = seen
	}
	for _, s := range all {
		if s.Version >= seen[s.Number].Version {
			seen[s.Number] = s
		}
	}
	counts, done := total(slices.Collect(maps.Values(seen)))
	w.tell(Progress{Job: w.job.Name, Segments: w.rec.Segments, Done: done, Counts: counts})
}
