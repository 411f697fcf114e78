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
	// leaseDuration is how long a claim is valid. Sending stops a minute earlier, so that nothing is pushed for a reminder
	// that may have been cancelled after the claim's end.
	leaseDuration = 5 * time.Minute
	sendTimeout   = 4 * time.Minute
	roundSize     = 100            // reminders of one round of claim, push and record
	maxConcurrent = 8              // concurrent database calls of a round
	maxDevices    = 100            // devices of a user that get a reminder: see findDevices
	giveUpAfter   = 24 * time.Hour // how long after its due time a reminder that cannot be pushed is given up
	// indexSettleTime is how long after its end an hour may still get reminders that an earlier read of the index missed.
	indexSettleTime = time.Hour
)

// Scheduler sends reminders that are due to their users' devices. Any number of schedulers may run concurrently, in
// this process and elsewhere.
//
// For each reminder it writes a claim, pushes, and then records it as sent. Both writes require that the reminder is
// pending, and the second one that the claim is still the scheduler's own. Therefore:
//   - a reminder becomes sent, or cancelled, exactly once, in every race;
//   - nothing is pushed for a reminder that was cancelled before it was claimed, and a claimed reminder cannot be
//     cancelled: the caller learns that it is being sent;
//   - a push may be repeated: a scheduler that dies between the push and the record leaves a claim that ends after five
//     minutes, and the next scheduler pushes again. The push data has the reminderId, so that an app can show it once.
//
// A user without devices, or with notifications turned off, gets no push; the reminder is still recorded as sent,
// because the app shows it. Of a user with very many devices, those seen last get it. A device that the push service no
// longer knows is removed. If no device could be reached for a transient reason, the reminder stays pending and is
// retried after its claim ends, for a day; then it is cancelled.
type Scheduler struct {
	service *Service
	sender  push.Sender
}

// NewScheduler returns a scheduler that sends the reminders of service by sender. The service's clock decides what is
// due.
func NewScheduler(service *Service, sender push.Sender) *Scheduler {
	return &Scheduler{service, sender}
}

// Run is the result of a scheduler's run.
type Run struct {
	Due            int     `json:"due"`            // reminders found due
	Sent           int     `json:"sent"`           // recorded as sent
	Taken          int     `json:"taken"`          // claimed by other schedulers, or cancelled in the meantime
	Failed         int     `json:"failed"`         // could not be pushed now and stay pending
	GivenUp        int     `json:"givenUp"`        // could not be pushed for a day and were cancelled
	Pushed         int     `json:"pushed"`         // messages that the push service accepted
	DevicesRemoved int     `json:"devicesRemoved"` // devices that the push service no longer knows
	ReadUnits      float64 `json:"readUnits"`      // consumed to find what is due
}

// RunOnce sends what is due now, by the index of hours (KF-D3). It starts at the hour where the last run stopped, so
// that nothing is missed however long no scheduler ran. The very first run, and one after a backfill, scans. When ctx
// ends, the run ends after the round in progress, so that every push is recorded.
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
	next := now.Add(-indexSettleTime).Truncate(bucketSpan) // unless an earlier hour is not empty
	for hour := from; !hour.After(now); hour = hour.Add(bucketSpan) {
		before := run.Due
		units, err := s.service.store.dueInHour(ctx, bucketAt(hour), timestamp(now), func(found []ddb.Item) error {
			return s.send(ctx, found, &run)
		})
		run.ReadUnits += units
		if err != nil {
			return run, err
		}
		if run.Due > before && hour.Before(next) {
			next = hour
		}
	}
	if next.After(from) {
		err = s.service.store.moveCheckpoint(ctx, bucketAt(from), bucketAt(next), s.service.now())
	}
	return run, err
}

// firstRun sends what is due now by the documented scan (KF-P10), which also finds reminders that are not in the index
// of hours, such as those of 1.0.0 before the migration. It sets the checkpoint to the first hour of what is left
// pending, so that later runs read only the index: one reminder that cannot be pushed must not make every run scan.
// Only while a reminder without index keys is left, due or not, does the next run scan again.
func (s *Scheduler) firstRun(ctx context.Context) (Run, error) {
	var run Run
	now := s.service.cfg.Now()
	next := bucketAt(now.Add(-indexSettleTime))
	wanted := dueBy(timestamp(now)).Or(unindexed())
	units, err := s.service.store.scanReminders(ctx, wanted, func(found []ddb.Item) error {
		pending := len(found)
		found = slices.DeleteFunc(found, func(in ddb.Item) bool { return ddb.Text(in["GSI1SK"]) > dueSK(timestamp(now)) })
		if len(found) < pending { // the index will not show the others when they become due
			next = ""
		}
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
	return run, s.service.store.moveCheckpoint(ctx, "", next, s.service.now())
}

// send sends what is due, in rounds that are small enough for their claims to last. It completes a round even if ctx
// ends.
func (s *Scheduler) send(ctx context.Context, found []ddb.Item, run *Run) error {
	run.Due += len(found)
	for chunk := range slices.Chunk(found, roundSize) {
		r := round{Service: s.service, sender: s.sender, claim: uuid.NewString(), run: run,
			unregistered: map[*Device]bool{}}
		err := r.process(context.WithoutCancel(ctx), chunk)
		if err = firstError(err, ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}
