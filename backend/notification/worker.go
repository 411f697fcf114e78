package notification

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
)

const (
	// MostAtOnce is the maximum number of events per round.
	MostAtOnce = 100

	parallel = 8 // users whose events are processed concurrently

	// roundTime is how long a round starts to process events. It finishes those it has started, which may take a push
	// as long as its sender retries.
	roundTime = 5 * time.Second
)

// Round is the result of a worker's round.
type Round struct {
	Found        int     `json:"found" doc:"Events found"`
	Claimed      int     `json:"claimed" doc:"Events claimed by this worker; other workers claimed the rest"`
	Completed    int     `json:"completed"`
	Failed       int     `json:"failed" doc:"Failed attempts; the events are retried unless this was the last attempt"`
	RateLimited  int     `json:"rateLimited"`
	Deduplicated int     `json:"deduplicated"`
	Waiting      int     `json:"waiting" doc:"Pushes delayed until quiet hours end; their in-app notifications exist"`
	Muted        int     `json:"muted" doc:"Completed events whose category the user has switched off"`
	Pushed       int     `json:"pushed" doc:"Messages that a push service accepted"`
	Revoked      int     `json:"revoked" doc:"Devices that the push service no longer knows"`
	More         bool    `json:"more" doc:"There may be more events: the round reached its limit of events or time"`
	RU           float64 `json:"ru" doc:"Request units consumed"`
}

// add sums two rounds.
func (r Round) add(o Round) Round {
	return Round{
		Found: r.Found + o.Found, Claimed: r.Claimed + o.Claimed, Completed: r.Completed + o.Completed,
		Failed:      r.Failed + o.Failed,
		RateLimited: r.RateLimited + o.RateLimited, Deduplicated: r.Deduplicated + o.Deduplicated,
		Waiting: r.Waiting + o.Waiting,
		Muted:   r.Muted + o.Muted, Pushed: r.Pushed + o.Pushed, Revoked: r.Revoked + o.Revoked, More: r.More || o.More,
		RU: r.RU + o.RU,
	}
}

// Busy reports whether the next round should start at once: this one had much to do or left some.
func (r Round) Busy() bool { return r.Claimed >= MostAtOnce/2 || r.More && r.Claimed > 0 }

// bound is the end of the time in which a round starts to process events. The first event is always processed, so that
// each round makes progress.
type bound struct {
	end   time.Time
	asked atomic.Bool
}

func (b *bound) past(now time.Time) bool { return !now.Before(b.end) }

// over reports whether no further event is to be started.
func (b *bound) over(now time.Time) bool { return b.asked.Swap(true) && b.past(now) }

func (s *Service) newBound() *bound { return &bound{end: s.cfg.Now().Add(roundTime)} }

// Work is one round of the documented worker: it finds up to 100 events by the cross-partition query (NT-P2), then
// claims and processes as many as it can start in five seconds. Any number of workers may run concurrently, in this
// process and elsewhere: the claim is a write on condition of the ETag that was found, so that exactly one worker gets
// the event (NT-R1).
//
// Claims end after five minutes. If a worker dies before the end of an event, the next one continues, which counts as a
// retry; it finds what was already done, because the notification has the event's id. Only a push may be repeated. Its
// data has the notificationId, so that an app can show it once.
//
// Errors: the database failed to find work. Failures of an event are recorded in the event.
func (s *Service) Work(ctx context.Context) (Round, error) {
	ctx, meter := cosmosdb.Begin(ctx)
	now := s.now()
	events, err := metered(ctx, s, patternFind, func(ctx context.Context) ([]stored[Event], error) {
		return s.store.work(ctx, now, MostAtOnce)
	})
	if err == nil && len(events) < MostAtOnce {
		var more []stored[Event]
		more, err = s.store.overdue(ctx, now, MostAtOnce-len(events))
		events = append(events, more...)
	}
	if err != nil {
		return Round{RU: meter.RU()}, err
	}
	round := s.process(ctx, events, s.newBound())
	round.More = round.More || len(events) >= MostAtOnce
	round.RU = meter.RU()
	return round, ctx.Err()
}

// process processes events: those of one user in sequence, oldest first, and many users concurrently. The order of
// users is random, so that workers that found the same events do not all start with the same user.
func (s *Service) process(ctx context.Context, events []stored[Event], b *bound) Round {
	byUser := map[UserID][]stored[Event]{}
	for _, e := range events {
		byUser[e.value.UserID] = append(byUser[e.value.UserID], e)
	}
	users := make([]UserID, 0, len(byUser))
	for user := range byUser {
		users = append(users, user)
	}
	rand.Shuffle(len(users), func(i, j int) { users[i], users[j] = users[j], users[i] })
	var mu sync.Mutex
	total := Round{Found: len(events)}
	var group errgroup.Group
	group.SetLimit(parallel)
	for _, user := range users {
		group.Go(func() error {
			sum := s.processUser(ctx, byUser[user], b)
			mu.Lock()
			defer mu.Unlock()
			total = total.add(sum)
			return nil
		})
	}
	_ = group.Wait() // failures are recorded in the events
	return total
}

func (s *Service) processUser(ctx context.Context, events []stored[Event], b *bound) (sum Round) {
	slices.SortFunc(events, func(a, b stored[Event]) int {
		return strings.Compare(string(a.value.CreatedAt)+string(a.value.ID), string(b.value.CreatedAt)+string(b.value.ID))
	})
	for _, e := range events {
		if ctx.Err() != nil {
			break
		}
		if b.over(s.cfg.Now()) {
			sum.More = true
			break
		}
		sum = sum.add(s.take(context.WithoutCancel(ctx), e)) // finish what is claimed
	}
	return sum
}

// take claims an event and processes it as far as possible.
func (s *Service) take(ctx context.Context, found stored[Event]) (did Round) {
	ctx, cancel := context.WithTimeout(ctx, leaseTime)
	defer cancel()
	ctx, meter := cosmosdb.Begin(ctx)
	claimed, more := found.value.claimed(s.cfg.Now())
	if !more {
		s.end(ctx, claimed.Status, found.etag, claimed.failed("the worker did not finish in time", s.cfg.Now()), &did)
		return did
	}
	etag, err := s.store.saveEvent(ctx, found.value.Status, claimed, found.etag)
	if err != nil {
		if ours, err := unless(err, cosmosdb.ErrChanged, cosmosdb.ErrNotFound); !ours && err != nil {
			s.cfg.Logger.Warn("event not claimed", slog.String("event_id", string(claimed.ID)), slog.Any("error", err))
		}
		return did
	}
	did.Claimed = 1
	next, err := s.handle(ctx, claimed, found.value.Status != Pending, &did)
	if err != nil {
		s.cfg.Logger.Warn("event failed", slog.String("event_id", string(claimed.ID)), slog.Any("error", err))
		next = claimed.failed(err.Error(), s.cfg.Now())
	}
	s.end(ctx, claimed.Status, etag, next, &did)
	s.stats.cost(patternProcess, meter.RU())
	return did
}

// end writes the result of an event that had the status from. If the event is gone, its user has been deleted, and end
// deletes the notification too (NT-R10). If another worker has the event, because the claim has ended, that worker's
// result counts.
func (s *Service) end(ctx context.Context, from Status, etag azcore.ETag, e Event, did *Round) {
	_, err := s.store.saveEvent(ctx, from, e, etag)
	if errors.Is(err, cosmosdb.ErrNotFound) {
		err = s.store.untell(ctx, e.UserID, e.ID)
	} else if err == nil {
		s.count(e, did)
	}
	if err != nil {
		s.cfg.Logger.Warn("event result not saved", slog.String("event_id", string(e.ID)), slog.Any("error", err))
	}
}

func (s *Service) count(e Event, did *Round) {
	switch e.Status {
	case Completed:
		did.Completed++
		s.stats.completed.Add(1)
	case Failed:
		did.Failed++
		s.stats.failed.Add(1)
	case RateLimited:
		did.RateLimited++
		s.stats.limited.Add(1)
	case Deduplicated:
		did.Deduplicated++
		s.stats.deduplicated.Add(1)
	case Processing:
		did.Waiting++
	}
}

// handle is NT-P4: it returns the result of a claimed event. again means that the event was processed before.
func (s *Service) handle(ctx context.Context, e Event, again bool, did *Round) (Event, error) {
	wishes, err := s.preferences(ctx, e.UserID)
	if err != nil {
		return e, err
	}
	if !wishes.Categories.allow(e.Category) {
		did.Muted++
		return e.ended(Completed, s.cfg.Now()), nil
	}
	n, as, err := s.admit(ctx, e, again)
	if err != nil {
		return e, err
	}
	if as != Completed {
		return e.ended(as, s.cfg.Now()), nil
	}
	if !e.Category.insistent() {
		until, ends := wishes.quietUntil(s.cfg.Now())
		switch {
		case !ends: // every hour is quiet: there is no end to wait for
			return e.ended(Completed, s.cfg.Now()), nil
		case until.After(s.cfg.Now().Add(time.Millisecond)):
			return e.waiting(until), nil
		}
	}
	problem, err := s.dispatch(ctx, n, did)
	if err != nil {
		return e, err
	}
	if problem != "" {
		e.LastError = Text(problem)
	}
	return e.ended(Completed, s.cfg.Now()), nil
}
