package kefir

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/push"
)

const (
	// leaseTime is how long a claim holds. Sending ends a minute before it does, so that nothing is pushed for a
	// reminder that somebody may have cancelled by then.
	leaseTime    = 5 * time.Minute
	sendingTime  = 4 * time.Minute
	claimsAtOnce = 100            // reminders of one round of claim, push and note
	parallel     = 8              // database calls of a round under way
	patience     = 24 * time.Hour // after it was due a reminder that cannot be pushed is given up
	// settled is how long after its end an hour may still get reminders that a read of the index did not show.
	settled = time.Hour
)

// Scheduler sends reminders that are due to the devices of their users. Any number may run at once, here and elsewhere.
//
// For each reminder it makes a claim, pushes, and then notes it as sent. Both writes have the condition that the
// reminder is pending, the second also that the claim is still this one. So:
//   - a reminder becomes sent, or cancelled, exactly once, whoever races;
//   - nothing is pushed for a reminder that was cancelled before it was claimed, and none can be cancelled while a claim on
//     it holds: whoever tries is told that it is being sent;
//   - a push may be repeated: a scheduler that dies between push and note leaves a claim that ends after five minutes, and
//     the next one pushes again. Its data has the reminderId, so that an app can show it once.
//
// A user without devices, or who has turned notifications off, gets no push; the reminder is noted as sent all the
// same, for the app shows it. A device that the push service does not know any more is removed. When no device could be
// reached for a passing reason, the reminder stays pending and is tried again once its claim ends, for a day; then it
// is cancelled.
type Scheduler struct {
	service *Service
	sender  push.Sender
}

// NewScheduler sends by sender the reminders of service, whose clock says what is due.
func NewScheduler(service *Service, sender push.Sender) *Scheduler {
	return &Scheduler{service, sender}
}

// Run is what a scheduler did.
type Run struct {
	Due            int     `json:"due"`            // reminders that were found due
	Sent           int     `json:"sent"`           // noted as sent
	Taken          int     `json:"taken"`          // not ours: another scheduler has them, or they were cancelled meanwhile
	Failed         int     `json:"failed"`         // could not be pushed now, and stay pending
	GivenUp        int     `json:"givenUp"`        // could not be pushed for a day, and were cancelled
	Pushed         int     `json:"pushed"`         // messages that the push service took
	DevicesRemoved int     `json:"devicesRemoved"` // that the push service does not know any more
	ReadUnits      float64 `json:"readUnits"`      // consumed by finding what is due
}

// RunOnce sends what is due now, by the index of hours (KF-D3): from the hour at which the last run left off, so that
// nothing is forgotten however long no scheduler ran. The first run of all scans.
func (s *Scheduler) RunOnce(ctx context.Context) (Run, error) {
	from, known, err := s.service.firstHour(ctx)
	if err != nil {
		return Run{}, err
	}
	if !known {
		return s.firstRun(ctx)
	}
	var run Run
	now := s.service.cfg.Now()
	next := now.Add(-settled).Truncate(bucketSpan) // unless an hour before it is not empty
	for hour := from; !hour.After(now); hour = hour.Add(bucketSpan) {
		before := run.Due
		units, err := s.service.store.dueIn(ctx, bucketAt(hour), timestamp(now), func(found []ddb.Item) error { return s.send(ctx, found, &run) })
		run.ReadUnits += units
		if err != nil {
			return run, err
		}
		if run.Due > before && hour.Before(next) {
			next = hour
		}
	}
	if next.After(from) {
		err = s.service.store.advance(ctx, bucketAt(next), s.service.now())
	}
	return run, err
}

// firstRun sends what is due now by the documented scan (KF-P10), which finds also what has no place in the index of
// hours, such as reminders of 1.0.0 that were not migrated yet. It sets the checkpoint, so that the runs after it read
// the index alone: to the first hour of what is left pending, for one reminder that cannot be pushed must not have each
// run scan. Only while something is left that has no place in the index the next run scans again.
func (s *Scheduler) firstRun(ctx context.Context) (Run, error) {
	var run Run
	now := s.service.cfg.Now()
	next := bucketAt(now.Add(-settled))
	units, err := s.service.store.scanDue(ctx, timestamp(now), func(found []ddb.Item) error {
		before := run.Failed + run.Taken
		err := s.send(ctx, found, &run)
		if run.Failed+run.Taken > before { // some of these are left
			for _, in := range found {
				next = min(next, ddb.Text(in["GSI3PK"]))
			}
		}
		return err
	})
	run.ReadUnits = units
	if err != nil || next == "" {
		return run, err
	}
	return run, s.service.store.advance(ctx, next, s.service.now())
}

// send does what is due, so many at a time that their claims hold until the end.
func (s *Scheduler) send(ctx context.Context, found []ddb.Item, run *Run) error {
	run.Due += len(found)
	for some := range slices.Chunk(found, claimsAtOnce) {
		r := round{Service: s.service, sender: s.sender, claim: uuid.NewString(), run: run}
		if err := r.do(ctx, some); err != nil {
			return err
		}
	}
	return nil
}
