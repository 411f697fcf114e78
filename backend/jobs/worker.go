package jobs

import (
	"cmp"
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
	rec    runRecord
	name   string
	offset int // where in the list it starts to look, so that workers do not compete for the same segments
}

// errReplaced ends the work on a run that another run has replaced.
var errReplaced = errors.New("a new run of the job has replaced this one")

// work returns when every segment is done or held by another worker of this process, which will finish it. It waits for
// segments that other processes hold, because they may be abandoned.
func (w *worker) work(ctx context.Context) error {
	for {
		all, err := w.segments(ctx, w.rec)
		if errors.Is(err, errLeaseLost) {
			return errReplaced
		}
		if err != nil {
			return err
		}
		w.recordSegments(all...)
		if !slices.ContainsFunc(all, w.isOpen) {
			return nil
		}
		s, err := w.acquire(ctx, all)
		switch {
		case errors.Is(err, errNoFreeSegment):
			err = w.cfg.Wait(ctx, w.cfg.LeaseDuration/10)
		case err == nil:
			err = w.process(ctx, s)
		}
		if err != nil && !errors.Is(err, errLeaseLost) {
			return err
		}
	}
}

// errNoFreeSegment means that other workers hold all segments that are not done.
var errNoFreeSegment = errors.New("no segment is free")

// acquire leases the first free segment. Errors: errLeaseLost when others were faster, so that more may be free;
// errNoFreeSegment.
func (w *worker) acquire(ctx context.Context, all []segment) (segment, error) {
	reason := errNoFreeSegment
	for i := range all {
		s := all[(i+w.offset)%len(all)]
		if s.Done || !w.isFree(s) {
			continue
		}
		s.Owner, s.LeaseEnd = w.name, w.leaseEnd()
		s, err := w.updateSegment(ctx, w.job.Name, s)
		if !errors.Is(err, errLeaseLost) {
			return s, err
		}
		reason = errLeaseLost
	}
	return segment{}, reason
}

// isOpen reports whether a segment is not done and not held by another worker of this process.
func (w *worker) isOpen(s segment) bool {
	return !s.Done && (w.isFree(s) || !strings.HasPrefix(s.Owner, w.Runner.name+"/"))
}

// isFree reports whether a segment's lease has ended. A lease that ends later than any that starts now comes from a
// clock that was ahead and counts as ended; otherwise nobody could resume until that time.
func (w *worker) isFree(s segment) bool {
	now := w.cfg.Now().UnixMilli()
	return s.LeaseEnd <= now || s.LeaseEnd > now+2*w.cfg.LeaseDuration.Milliseconds()
}

func (w *worker) leaseEnd() int64 { return w.cfg.Now().Add(w.cfg.LeaseDuration).UnixMilli() }

// process processes a segment page by page, until it is done or another worker has taken it.
func (w *worker) process(ctx context.Context, s segment) error {
	for !s.Done {
		err := w.processPage(ctx, &s)
		if errors.Is(err, errLeaseLost) {
			w.cfg.Logger.Warn("lease lost", "job", w.job.Name, "segment", s.Number)
			return err
		}
		if err != nil {
			w.release(ctx, s)
			return err
		}
		w.recordSegments(s)
	}
	return nil
}

// processPage processes a page, saves the progress and renews the lease, if it still holds it.
func (w *worker) processPage(ctx context.Context, s *segment) error {
	step, err := w.job.Step(ctx, StepInput{
		Parameters: w.rec.Parameters, Segment: s.Number, Segments: w.rec.Segments, After: s.After,
		Renew: func(ctx context.Context) error { return w.renew(ctx, s) },
	})
	var partial *PartialError
	if err != nil && !errors.As(err, &partial) {
		return err
	}
	next := *s
	if partial != nil {
		next.Failure = cmp.Or(s.Failure, partial.Error())
	}
	next.Counts = maps.Clone(s.Counts)
	if next.Counts == nil {
		next.Counts = map[string]int64{}
	}
	add(next.Counts, step.Counts)
	next.After, next.Done = step.Next, step.Next == nil
	return w.saveSegment(ctx, s, next)
}

// renew renews the lease on s if a third of it has passed.
func (w *worker) renew(ctx context.Context, s *segment) error {
	if left := s.LeaseEnd - w.cfg.Now().UnixMilli(); left > w.cfg.LeaseDuration.Milliseconds()*2/3 {
		return ctx.Err()
	}
	return w.saveSegment(ctx, s, *s)
}

// saveSegment writes next, with a renewed lease, and replaces s, the segment as last saved. Errors: errLeaseLost.
func (w *worker) saveSegment(ctx context.Context, s *segment, next segment) error {
	next.LeaseEnd = w.leaseEnd()
	saved, err := w.updateSegment(ctx, w.job.Name, next)
	if err == nil {
		*s = saved
	}
	return err
}

// release ends the lease of a segment early, so that the next start need not wait for it. It is best effort: if it
// fails, the lease ends by itself.
func (w *worker) release(ctx context.Context, s segment) {
	const releaseTimeout = 2 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	s.LeaseEnd = 0
	if _, err := w.updateSegment(ctx, w.job.Name, s); err != nil {
		w.cfg.Logger.Debug("lease not released", "job", w.job.Name, "segment", s.Number, "error", err)
	}
}

// recordSegments records the current state of segments and reports the progress.
func (w *worker) recordSegments(all ...segment) {
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
	w.reportProgress(Progress{Job: w.job.Name, Segments: w.rec.Segments, Done: done, Counts: counts})
}
