package notification

import (
	"cmp"
	"context"
	"slices"
)

// maxEventsOfUser is how many events of a user are enough for a round in which other users' events may be waiting.
const maxEventsOfUser = MaxEventsPerRound / 10

// findWork finds the events of a round: up to 100, alternately new or retried ones (NT-P2) and overdue ones, so that
// neither kind waits for the end of the other's backlog.
func (s *Service) findWork(ctx context.Context) ([]stored[Event], error) {
	now := s.now()
	work, err := findFairly(func(except []UserID) ([]stored[Event], error) {
		return metered(ctx, s, patternFind, func(ctx context.Context) ([]stored[Event], error) {
			return s.store.findWork(ctx, now, except, MaxEventsPerRound)
		})
	})
	if err != nil {
		return nil, err
	}
	overdue, err := findFairly(func(except []UserID) ([]stored[Event], error) {
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
	return events[:min(len(events), MaxEventsPerRound)], err
}

// findFairly returns up to 100 events that query finds: the first of each user, then the second of each user, and so
// on. query returns up to 100 events of users that are not in except. If it returns 100, the events of more users may
// be behind a backlog: findFairly queries again without the users of whom it has enough. These become more with each
// query, so that there are at most ten.
func findFairly(query func(except []UserID) ([]stored[Event], error)) ([]stored[Event], error) {
	type ranked struct {
		event stored[Event]
		rank  int // among the events of its user
	}
	var all []ranked
	var enough []UserID
	ranks := map[UserID]int{}
	for few := 0; few < MaxEventsPerRound; { // events of users of whom there are not too many
		found, err := query(enough)
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			user := e.value.UserID
			all = append(all, ranked{e, ranks[user]})
			if ranks[user]++; ranks[user] <= maxEventsOfUser {
				few++
			}
			if ranks[user] == maxEventsOfUser {
				enough = append(enough, user)
			}
		}
		if len(found) < MaxEventsPerRound {
			break
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	events := make([]stored[Event], min(len(all), MaxEventsPerRound))
	for i := range events {
		events[i] = all[i].event
	}
	return events, nil
}
