package notification

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
)

const (
	feedLeaseDuration = time.Minute       // duration of a follower's lease on a range; renewed when half of it has passed
	feedPageSize      = MaxEventsPerRound // maximum changes per read
	sweepInterval     = 30 * time.Second  // maximum delay for work that no change announces
)

// Follower is the alternative to the documented worker (NT-D3): it follows the change feed of notification_events,
// range by range, and so finds new events by reading what changed, whatever the number of partitions. No change
// announces the end of a retry's pause, a lease or quiet hours; for these it runs the documented query from time to
// time.
//
// Ranges and their continuations are documents of notification_preferences, in a partition that belongs to no user:
// that container has no time to live, and writes to it do not appear in the change feed of events. A follower leases a
// range by its ETag and writes the continuation after it has processed the events of a page, so that its successor
// misses none. Processing a change twice is harmless: events are claimed by their own ETags, as in Work. Of several
// followers, one holds a range, and the others wait for its lease to end.
type Follower struct {
	service *Service
	name    string

	mu        sync.Mutex // one round at a time
	lastSweep time.Time
	next      int // index of the range with which the next round starts
}

// NewFollower returns a follower for service, with a unique name.
func NewFollower(service *Service) *Follower {
	return &Follower{service: service, name: uuid.NewString()}
}

// feedRange is a range of the change feed, its follower and its progress.
type feedRange struct {
	ID           ID                 `json:"id"`
	UserID       UserID             `json:"userId"` // feedUser
	Range        cosmosdb.FeedRange `json:"range"`
	Continuation Text               `json:"continuation"`
	Owner        Text               `json:"owner"`
	LeaseEnd     Moment             `json:"until"` // end of the owner's lease
}

// Round processes the changes since the last round in the ranges that this follower holds, up to 100 events and for
// five seconds, and runs the documented query when it is due. The next round continues with what is left. Errors: those
// of ranges that could not be read, which stop neither the others nor the query, and of the query.
func (f *Follower) Round(ctx context.Context) (WorkResult, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	ctx, meter := cosmosdb.Begin(ctx)
	round, err := f.follow(ctx)
	if now := f.service.cfg.Now(); now.Sub(f.lastSweep).Abs() >= sweepInterval {
		swept, sweepErr := f.service.Work(ctx)
		err = errors.Join(err, sweepErr)
		if round = round.add(swept); !swept.More {
			f.lastSweep = now
		}
	}
	round.RU = meter.RU()
	return round, err
}

func (f *Follower) follow(ctx context.Context) (sum WorkResult, err error) {
	ranges, err := f.service.store.feedRanges(ctx)
	if err != nil {
		return sum, err
	}
	deadline := f.service.newRoundDeadline()
	var failed []error
	for i, first := 0, f.next; i < len(ranges) && !sum.More && ctx.Err() == nil; i++ {
		r := ranges[(first+i)%len(ranges)]
		done, err := f.followRange(ctx, r, MaxEventsPerRound-sum.Found, deadline)
		sum = sum.add(done)
		if err != nil {
			failed = append(failed, fmt.Errorf("the change feed from %q to %q: %w", r.value.Range.Min, r.value.Range.Max, err))
		}
		if sum.More || err != nil { // rotate the ranges, so that a busy or failing one does not block the others
			f.next = (first + i + 1) % len(ranges)
		}
	}
	return sum, errors.Join(failed...)
}

// followRange reads a range to its end, if this follower holds it or can lease it, or until it has found limit events
// or the time is over. The next round rereads a page that was not completely processed.
func (f *Follower) followRange(ctx context.Context, r stored[feedRange], limit int,
	deadline *roundDeadline) (sum WorkResult,
	err error) {
	held, err := f.lease(ctx, &r)
	for first := true; held && err == nil && ctx.Err() == nil; first = false {
		if sum.Found >= limit || !first && deadline.past(f.service.cfg.Now()) {
			sum.More = true
			break
		}
		var page changes
		page, err = metered(ctx, f.service, patternFeed, func(ctx context.Context) (changes, error) {
			return f.service.store.changes(ctx, r.value)
		})
		if err != nil || page.empty { // the end; the next round finds it again
			break
		}
		due := dueEvents(page.events, f.service.cfg.Now())
		more := len(due) > limit-sum.Found
		done := f.service.process(ctx, due[:min(len(due), limit-sum.Found)], deadline)
		done.More = done.More || more
		if sum = sum.add(done); done.More {
			break
		}
		r.value.Continuation = Text(page.next)
		held, err = f.save(ctx, &r)
	}
	return sum, errors.Join(err, ctx.Err())
}

// dueEvents returns the events to process now, according to their latest state.
func dueEvents(events []stored[Event], now time.Time) (due []stored[Event]) {
	for _, e := range events {
		if e.value.due(now) {
			due = append(due, e)
		}
	}
	return due
}

// lease leases a range, unless another follower holds it; it reports whether this follower holds it. It writes only
// when half of the lease has passed.
func (f *Follower) lease(ctx context.Context, r *stored[feedRange]) (bool, error) {
	now := f.service.cfg.Now()
	owned := r.value.Owner == Text(f.name)
	switch {
	case !owned && r.value.LeaseEnd > moment(now):
		return false, nil
	case owned && r.value.LeaseEnd > moment(now.Add(feedLeaseDuration/2)):
		return true, nil
	}
	return f.save(ctx, r)
}

// save writes a range and renews its lease. It returns false when another follower has taken the range.
func (f *Follower) save(ctx context.Context, r *stored[feedRange]) (bool, error) {
	r.value.Owner, r.value.LeaseEnd = Text(f.name), moment(f.service.cfg.Now().Add(feedLeaseDuration))
	etag, err := f.service.store.saveRange(ctx, *r)
	r.etag = etag
	return succeeded(err, cosmosdb.ErrChanged, cosmosdb.ErrNotFound)
}
