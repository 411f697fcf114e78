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
	feedLease  = time.Minute      // how long a follower has a range; renewed when half of it is gone
	feedPage   = MostAtOnce       // changes of one read, at most
	sweepEvery = 30 * time.Second // how late what no change announces is found, at most
)

// Follower is the worker beside the documented one (NT-D3): it follows the change feed of notification_events, range by
// range, and so hears of new events by reading what changed, whatever the number of partitions. Retries, leases and
// quiet hours end without a change; for these it asks by the documented query now and then.
//
// Ranges, with the continuation of each, are documents of notification_preferences in a partition that is no user's:
// that container has no time to live, and what is written there shows in no change feed of events. A follower leases a
// range by its ETag and writes the continuation after the events of a page are done, so that whoever takes the range
// after it sees none too few. To see some twice is harmless: events are claimed by their own ETags, as by Work. Of
// several followers one has a range, and the others wait for its lease to end.
type Follower struct {
	service *Service
	name    string

	mu    sync.Mutex // one round at a time
	swept time.Time
	next  int // the range, in their order, with which the next round begins
}

// NewFollower follows for service, under a name of its own.
func NewFollower(service *Service) *Follower {
	return &Follower{service: service, name: uuid.NewString()}
}

// feedRange is a range of the change feed with who follows it and how far.
type feedRange struct {
	ID           ID                 `json:"id"`
	UserID       UserID             `json:"userId"` // feedUser
	Range        cosmosdb.FeedRange `json:"range"`
	Continuation Text               `json:"continuation"`
	Owner        Text               `json:"owner"`
	Until        Moment             `json:"until"` // end of the owner's lease
}

// Round takes up what has changed since the last round in the ranges that this follower leads, up to 100 events and for
// five seconds, and sweeps when it is time. What it leaves is the next round's.
func (f *Follower) Round(ctx context.Context) (Round, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	ctx, meter := cosmosdb.Begin(ctx)
	round, err := f.follow(ctx)
	if now := f.service.cfg.Now(); err == nil && now.Sub(f.swept).Abs() >= sweepEvery {
		var swept Round
		swept, err = f.service.Work(ctx)
		if round = round.add(swept); !swept.More {
			f.swept = now
		}
	}
	round.RU = meter.RU()
	return round, err
}

func (f *Follower) follow(ctx context.Context) (sum Round, err error) {
	ranges, err := f.service.store.feedRanges(ctx)
	if err != nil {
		return sum, err
	}
	b := f.service.newBound()
	for i := range ranges {
		r := ranges[(f.next+i)%len(ranges)]
		did, err := f.followRange(ctx, r, MostAtOnce-sum.Found, b)
		sum = sum.add(did)
		if err != nil {
			return sum, fmt.Errorf("the change feed from %q to %q: %w", r.value.Range.Min, r.value.Range.Max, err)
		}
		if sum.More { // each range comes first in its turn, so that a busy one does not keep the others waiting
			f.next = (f.next + i + 1) % len(ranges)
			break
		}
	}
	return sum, nil
}

// followRange reads a range to its end, if it is this follower's or can be, or until it has found so many events or the
// time is over. A page that was not taken up whole is read again by the next round.
func (f *Follower) followRange(ctx context.Context, r stored[feedRange], most int, b *bound) (sum Round, err error) {
	ours, err := f.lease(ctx, &r)
	for first := true; ours && err == nil && ctx.Err() == nil; first = false {
		if sum.Found >= most || !first && b.past(f.service.cfg.Now()) {
			sum.More = true
			break
		}
		var page changes
		page, err = metered(ctx, f.service, patternFeed, func(ctx context.Context) (changes, error) { return f.service.store.changes(ctx, r.value) })
		if err != nil || len(page.events) == 0 { // the end; the next round finds it again
			break
		}
		due := dueAmong(page.events, f.service.cfg.Now())
		left := len(due) > most-sum.Found
		did := f.service.process(ctx, due[:min(len(due), most-sum.Found)], b)
		did.More = did.More || left
		if sum = sum.add(did); did.More {
			break
		}
		r.value.Continuation = Text(page.next)
		ours, err = f.save(ctx, &r)
	}
	return sum, errors.Join(err, ctx.Err())
}

// dueAmong are the events that are to be taken up now, as their last change has them.
func dueAmong(events []stored[Event], now time.Time) (due []stored[Event]) {
	for _, e := range events {
		if e.value.due(now) {
			due = append(due, e)
		}
	}
	return due
}

// lease makes a range this follower's, unless it is another's. It writes only when half of the lease is gone.
func (f *Follower) lease(ctx context.Context, r *stored[feedRange]) (bool, error) {
	now := f.service.cfg.Now()
	mine := r.value.Owner == Text(f.name)
	switch {
	case !mine && r.value.Until > moment(now):
		return false, nil
	case mine && r.value.Until > moment(now.Add(feedLease/2)):
		return true, nil
	}
	return f.save(ctx, r)
}

// save writes a range with its lease renewed. False: it is another follower's by now.
func (f *Follower) save(ctx context.Context, r *stored[feedRange]) (bool, error) {
	r.value.Owner, r.value.Until = Text(f.name), moment(f.service.cfg.Now().Add(feedLease))
	etag, err := f.service.store.saveRange(ctx, *r)
	r.etag = etag
	return unless(err, cosmosdb.ErrChanged, cosmosdb.ErrMissing)
}
