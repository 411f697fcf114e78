package notification

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
)

// maxEventsOfUser is how many events of a user are enough for a round in which other users' events may be waiting.
const maxEventsOfUser = MaxEventsPerRound / 10

// maxBacklogs limits how many users' backlogs a fairFinder excludes before it starts anew, and thus the query's size.
const maxBacklogs = 100

// findWork finds the events of a round: up to 100, alternately new or retried ones (NT-P2) and overdue ones, so that
// neither kind waits for the end of the other's backlog. Errors: nothing was found because queries failed. What one
// finds is processed even if another one fails, as queries do when they read a long backlog at a low throughput.
func (s *Service) findWork(ctx context.Context) ([]stored[Event], error) {
	now := s.now()
	work, err := s.pending.find(func(except []UserID) ([]stored[Event], error) {
		return metered(ctx, s, patternFind, func(ctx context.Context) ([]stored[Event], error) {
			return s.store.findWork(ctx, now, except, MaxEventsPerRound)
		})
	})
	overdue, overdueErr := s.overdue.find(func(except []UserID) ([]stored[Event], error) {
		return s.store.overdue(ctx, now, except, MaxEventsPerRound)
	})
	var events []stored[Event]
	for i := range MaxEventsPerRound {
		if i < len(work) {
			events = append(events, work[i])
		}
		if i < len(overdue) {
			events = append(events, overdue[i])
		}
	}
	if err = errors.Join(err, overdueErr); err != nil && len(events) > 0 {
		s.cfg.Logger.Warn("a query for events failed; others found some", "error", err)
		err = nil
	}
	return events[:min(len(events), MaxEventsPerRound)], err
}

// fairFinder finds events of one kind for rounds. It is safe for concurrent use.
type fairFinder struct {
	mu       sync.Mutex
	backlogs []UserID // users whose backlogs hid the events of others in the last rounds
}

// find returns up to 100 events: the first of each user, then the second of each user, and so on. query returns up to
// 100 events of users that are not in except. If it returns 100, most of them of a few users, the events of others may
// be behind these backlogs: find queries once more without their users. That query reads the backlogs too, as no index
// excludes users, so that there is only one in a round. If it also returns 100, the next rounds exclude the users of
// both backlogs, and so on, until nobody's events are hidden. With about 100 excluded users it starts anew. It excludes
// no users with at most 10 of 100 events. Errors: also of the second query; the events of the first are valid then.
func (f *fairFinder) find(query func(except []UserID) ([]stored[Event], error)) ([]stored[Event], error) {
	events, err := query(nil)
	if err != nil {
		return nil, err
	}
	if heavy := backlogUsers(events); len(heavy) > 0 {
		except := f.exclude(heavy)
		others, err := query(except)
		if err != nil {
			return fairShare(events), err
		}
		f.remember(except, others)
		events = append(events, others...)
	}
	return fairShare(events), nil
}

// exclude returns the users to exclude: heavy, and those that the last rounds excluded.
func (f *fairFinder) exclude(heavy []UserID) []UserID {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := slices.Concat(heavy, f.backlogs)
	slices.Sort(all)
	return slices.Compact(all)
}

// remember notes whom the next round excludes: except and the users with a backlog in others, or nobody if others
// contains none, because then every user has had a turn, or if they are too many.
func (f *fairFinder) remember(except []UserID, others []stored[Event]) {
	heavy := backlogUsers(others)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.backlogs = nil
	if len(heavy) > 0 && len(except) < maxBacklogs {
		f.backlogs = slices.Concat(except, heavy)
	}
}

// backlogUsers returns the users with more than 10 of the events, if these are 100: there may be more.
func backlogUsers(events []stored[Event]) (users []UserID) {
	if len(events) < MaxEventsPerRound {
		return nil
	}
	counts := map[UserID]int{}
	for _, e := range events {
		user := e.value.UserID
		if counts[user]++; counts[user] == maxEventsOfUser+1 {
			users = append(users, user)
		}
	}
	return users
}

// fairShare returns up to 100 of the events, each once: the first of each user, then the second of each user, and so
// on.
func fairShare(all []stored[Event]) []stored[Event] {
	type ranked struct {
		event stored[Event]
		rank  int // among the events of its user
	}
	type key struct {
		user UserID
		id   ID
	}
	var events []ranked
	ranks, seen := map[UserID]int{}, map[key]bool{}
	for _, e := range all {
		user := e.value.UserID
		k := key{user, e.value.ID}
		if seen[k] { // of a user with few events, whom the second query does not exclude
			continue
		}
		seen[k] = true
		events = append(events, ranked{e, ranks[user]})
		ranks[user]++
	}
	slices.SortStableFunc(events, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	share := make([]stored[Event], min(len(events), MaxEventsPerRound))
	for i := range share {
		share[i] = events[i].event
	}
	return share
}
