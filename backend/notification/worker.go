package notification

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
)

const (
	// MaxEventsPerRound is the maximum number of events per round.
	MaxEventsPerRound = 100

	maxConcurrentUsers = 8 // users whose events are processed concurrently

	// roundDuration is how long a round starts to process events. It finishes those it has started, which may take a push
	// as long as its sender retries.
	roundDuration = 5 * time.Second
)

// WorkResult is the result of a worker's round.
type WorkResult struct {
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
func (r WorkResult) add(o WorkResult) WorkResult {
	return WorkResult{
		Found: r.Found + o.Found, Claimed: r.Claimed + o.Claimed, Completed: r.Completed + o.Completed,
		Failed:      r.Failed + o.Failed,
		RateLimited: r.RateLimited + o.RateLimited, Deduplicated: r.Deduplicated + o.Deduplicated,
		Waiting: r.Waiting + o.Waiting,
		Muted:   r.Muted + o.Muted, Pushed: r.Pushed + o.Pushed, Revoked: r.Revoked + o.Revoked, More: r.More || o.More,
		RU: r.RU + o.RU,
	}
}

// Busy reports whether the next round should start at once: this one had much to do or left some.
func (r WorkResult) Busy() bool { return r.Claimed >= MaxEventsPerRound/2 || r.More && r.Claimed > 0 }

// roundDeadline is the end of the time in which a round starts to process events. The first event is always processed,
// so that each round makes progress.
type roundDeadline struct {
	end     time.Time
	started atomic.Bool
}

func (b *roundDeadline) past(now time.Time) bool { return !now.Before(b.end) }

// reached reports whether no further event is to be started.
func (b *roundDeadline) reached(now time.Time) bool { return b.started.Swap(true) && b.past(now) }

func (s *Service) newRoundDeadline() *roundDeadline {
	return &roundDeadline{end: s.cfg.Now().Add(roundDuration)}
}

// Work is one round of the documented worker: it finds up to 100 events by the cross-partition query (NT-P2), a fair
// share of each user's, then claims and processes as many as it can start in five seconds, of each user in turn. Any
// number of workers may run concurrently, in this process and elsewhere: the claim is a write on condition of the ETag
// that was found, so that exactly one worker gets the event (NT-R1).
//
// Claims end after five minutes. If a worker dies before the end of an event, the next one continues, which counts as a
// retry; it finds what was already done, because the notification has the event's id. Only a push may be repeated. Its
// data has the notificationId, so that an app can show it once.
//
// Errors: the database failed to find work. Failures of an event are recorded in the event.
func (s *Service) Work(ctx context.Context) (WorkResult, error) {
	ctx, meter := cosmosdb.Begin(ctx)
	events, err := s.findWork(ctx)
	if err != nil {
		return WorkResult{RU: meter.RU()}, err
	}
	round := s.process(ctx, events, s.newRoundDeadline())
	round.More = round.More || len(events) >= MaxEventsPerRound
	round.RU = meter.RU()
	return round, ctx.Err()
}

// process processes events: those of one user in sequence, oldest first, and many users concurrently. The order of
// users is random, so that workers that found the same events do not all start with the same user.
func (s *Service) process(ctx context.Context, events []stored[Event], deadline *roundDeadline) WorkResult {
	byUser := map[UserID][]stored[Event]{}
	for _, e := range events {
		byUser[e.value.UserID] = append(byUser[e.value.UserID], e)
	}
	users := slices.Collect(maps.Keys(byUser))
	rand.Shuffle(len(users), func(i, j int) { users[i], users[j] = users[j], users[i] })
	queue := make(chan []stored[Event], len(users))
	for _, user := range users {
		slices.SortFunc(byUser[user], func(a, b stored[Event]) int {
			return strings.Compare(string(a.value.CreatedAt)+string(a.value.ID), string(b.value.CreatedAt)+string(b.value.ID))
		})
		queue <- byUser[user]
	}
	var mu sync.Mutex
	total := WorkResult{Found: len(events)}
	var workers sync.WaitGroup
	for range min(len(users), maxConcurrentUsers) {
		workers.Go(func() {
			sum := s.processUsers(ctx, queue, deadline)
			mu.Lock()
			defer mu.Unlock()
			total = total.add(sum)
		})
	}
	workers.Wait()
	return total
}

// processUsers takes one user after another from queue, which holds the events of each, processes the first event and
// puts the user with the others back at the end: users with many events take turns with the others. It returns when
// queue is empty; whoever still has a user puts it back and takes it again.
func (s *Service) processUsers(ctx context.Context, queue chan []stored[Event],
	deadline *roundDeadline) (sum WorkResult) {
	for ctx.Err() == nil {
		var events []stored[Event]
		select {
		case events = <-queue:
		default:
			return sum
		}
		if deadline.reached(s.cfg.Now()) {
			sum.More = true
			return sum
		}
		sum = sum.add(s.processEvent(context.WithoutCancel(ctx), events[0])) // finish what is claimed
		if len(events) > 1 {
			queue <- events[1:]
		}
	}
	return sum
}

// processEvent claims an event and processes it as far as possible.
func (s *Service) processEvent(ctx context.Context, found stored[Event]) (round WorkResult) {
	ctx, cancel := context.WithTimeout(ctx, leaseDuration)
	defer cancel()
	ctx, meter := cosmosdb.Begin(ctx)
	claimed, retryable := found.value.withClaim(s.cfg.Now())
	if !retryable {
		s.saveResult(ctx, claimed.Status, found.etag, claimed.withFailure("the worker did not finish in time", s.cfg.Now()),
			&round)
		return round
	}
	etag, err := s.store.saveEvent(ctx, found.value.Status, claimed, found.etag)
	if err != nil {
		if saved, err := succeeded(err, cosmosdb.ErrChanged, cosmosdb.ErrNotFound); !saved && err != nil {
			s.cfg.Logger.Warn("event not claimed", slog.String("event_id", string(claimed.ID)), slog.Any("error", err))
		}
		return round
	}
	round.Claimed = 1
	next, err := s.handle(ctx, claimed, found.value.Status != Pending, &round)
	if err != nil {
		s.cfg.Logger.Warn("event failed", slog.String("event_id", string(claimed.ID)), slog.Any("error", err))
		next = claimed.withFailure(err.Error(), s.cfg.Now())
	}
	s.saveResult(ctx, claimed.Status, etag, next, &round)
	s.stats.cost(patternProcess, meter.RU())
	return round
}

// saveResult writes the result of an event that had the status from. If the event is gone, its user has been deleted,
// and saveResult deletes the notification too (NT-R10). If another worker has the event, because the claim has ended,
// that worker's result counts.
func (s *Service) saveResult(ctx context.Context, from Status, etag azcore.ETag, e Event, round *WorkResult) {
	_, err := s.store.saveEvent(ctx, from, e, etag)
	if errors.Is(err, cosmosdb.ErrNotFound) {
		err = s.store.deleteNotification(ctx, e.UserID, e.ID)
	} else if err == nil {
		s.count(e, round)
	}
	if err != nil {
		s.cfg.Logger.Warn("event result not saved", slog.String("event_id", string(e.ID)), slog.Any("error", err))
	}
}

func (s *Service) count(e Event, round *WorkResult) {
	switch e.Status {
	case Completed:
		round.Completed++
		s.stats.completed.Add(1)
	case Failed:
		round.Failed++
		s.stats.failed.Add(1)
	case RateLimited:
		round.RateLimited++
		s.stats.limited.Add(1)
	case Deduplicated:
		round.Deduplicated++
		s.stats.deduplicated.Add(1)
	case Processing:
		round.Waiting++
	}
}

// handle is NT-P4: it returns the result of a claimed event. retried means that the event was processed before.
func (s *Service) handle(ctx context.Context, e Event, retried bool, round *WorkResult) (Event, error) {
	prefs, err := s.preferences(ctx, e.UserID)
	if err != nil {
		return e, err
	}
	if !prefs.Categories.allow(e.Category) {
		round.Muted++
		return e.withFinalStatus(Completed, s.cfg.Now()), nil
	}
	n, status, err := s.admit(ctx, e, retried)
	if err != nil {
		return e, err
	}
	if status != Completed {
		return e.withFinalStatus(status, s.cfg.Now()), nil
	}
	if !e.Category.isMandatory() {
		until, ends := prefs.quietUntil(s.cfg.Now())
		switch {
		case !ends: // every hour is quiet: there is no end to wait for
			return e.withFinalStatus(Completed, s.cfg.Now()), nil
		case until.After(s.cfg.Now().Add(time.Millisecond)):
			return e.withPushAfter(until), nil
		}
	}
	problem, err := s.dispatch(ctx, n, round)
	if err != nil {
		return e, err
	}
	if problem != "" {
		e.LastError = Text(problem)
	}
	return e.withFinalStatus(Completed, s.cfg.Now()), nil
}
