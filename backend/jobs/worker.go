package jobs

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"
)

// worker does one segment after the other.
type worker struct {
	*Runner
	job    Job
	rec    record
	name   string
	offset int // where in the list it begins to look, so that workers do not stand in each other's way
}

// errBegunAnew ends the work at a run when another has taken its place.
var errBegunAnew = errors.New("a new run of the job was begun; this one is given up")

// work returns when all segments are done or at other workers of this process, who see to the rest. Segments that other
// processes are at are waited for: they may be left.
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

// errNoneFree is that others are at all segments that are not done.
var errNoneFree = errors.New("no segment is free")

// take leases the first segment that is free. It is errLost when others were faster: then there may be more to take.
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

// open reports whether a segment is not done and no other worker of this process is at it.
func (w *worker) open(s segment) bool {
	return !s.Done && (w.free(s) || !strings.HasPrefix(s.Owner, w.Runner.name+"/"))
}

// free reports whether a segment's lease is over. One that ends later than any that begins now is from a clock that was
// ahead, and is over as well: otherwise nobody could go on until the time that it showed.
func (w *worker) free(s segment) bool {
	now := w.cfg.Now().UnixMilli()
	return s.Until <= now || s.Until > now+2*w.cfg.Lease.Milliseconds()
}

func (w *worker) lease() int64 { return w.cfg.Now().Add(w.cfg.Lease).UnixMilli() }

// do does a segment page by page. Each page's end is saved, and the lease renewed with it, if the lease is still ours.
func (w *worker) do(ctx context.Context, s segment) error {
	for !s.Done {
		step, err := w.job.Step(ctx, Place{Parameters: w.rec.Parameters, Segment: s.Number, Segments: w.rec.Segments, After: s.After})
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

// release gives a segment back, so that the next start does not have to wait for the lease's end. It is a courtesy:
// when it fails, the lease ends by itself.
func (w *worker) release(ctx context.Context, s segment) {
	const patience = 2 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	s.Until = 0
	if _, err := w.swap(ctx, w.job.Name, s); err != nil {
		w.cfg.Logger.Debug("lease not given back", "job", w.job.Name, "segment", s.Number, "error", err)
	}
}

// saw remembers segments as they are and tells of the progress.
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
