package kefir

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/push"
)

// round handles one claim of a scheduler on some reminders, from the claim until they are recorded as sent.
type round struct {
	*Service
	sender push.Sender
	claim  string
	run    *Run

	mu           sync.Mutex // guards run and what follows
	claimed      []Reminder
	devices      map[string][]Device // by user: those to push to
	unregistered map[*Device]bool    // of devices: those that the push service no longer knows
}

// message is one push of a round.
type message struct {
	reminder int     // index of the reminder
	device   *Device // of the round's devices
}

// outcome is the result of a reminder's messages.
type outcome struct {
	accepted  int  // messages that the push service accepted
	transient bool // a message failed for a transient reason
	unknown   bool // a message may still arrive: sending timed out
}

func (r *round) process(ctx context.Context, found []ddb.Item) error {
	sendCtx, cancel := context.WithTimeout(ctx, sendTimeout) // starts before the first claim, and ends before it
	defer cancel()
	if err := r.claimAll(ctx, found); err != nil || len(r.claimed) == 0 {
		return err
	}
	if err := r.findDevices(ctx); err != nil {
		return err
	}
	outcomes := r.push(sendCtx)
	// record first: removing many devices could take longer than the claims last
	return firstError(r.recordAll(ctx, outcomes), r.removeUnregistered(ctx))
}

// recordAll records the outcomes of all claimed reminders. One that fails does not keep the others from being recorded,
// which would be pushed again.
func (r *round) recordAll(ctx context.Context, outcomes []outcome) error {
	var group errgroup.Group
	group.SetLimit(maxConcurrent)
	for i, m := range r.claimed {
		group.Go(func() error { return r.recordOutcome(ctx, m, outcomes[i]) })
	}
	return group.Wait()
}

// each calls do for 0 to n-1, some concurrently, until one fails.
func (r *round) each(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxConcurrent)
	for i := range n {
		group.Go(func() error { return do(ctx, i) })
	}
	return group.Wait()
}

func (r *round) claimAll(ctx context.Context, found []ddb.Item) error {
	now := r.cfg.Now()
	return r.each(ctx, len(found), func(ctx context.Context, i int) error {
		at := ddb.Item{"PK": found[i]["PK"], "SK": found[i]["SK"]}
		m, ok, err := r.store.claimReminder(ctx, at, r.claim, timestamp(now), timestamp(now.Add(leaseDuration)))
		r.mu.Lock()
		defer r.mu.Unlock()
		if ok {
			r.claimed = append(r.claimed, m)
		} else if err == nil {
			r.run.Taken++
		}
		return err
	})
}

// findDevices reads the devices to push to: of each user who wants notifications, those that were seen last, among the
// first page. A user with more devices must not delay others. Profiles are read in batches (KF-R9);
// a user without a profile has the defaults.
func (r *round) findDevices(ctx context.Context) error {
	r.devices = map[string][]Device{}
	var users []string
	var keys []ddb.Item
	for _, m := range r.claimed {
		if _, seen := r.devices[m.UserID]; !seen {
			r.devices[m.UserID] = nil
			users, keys = append(users, m.UserID), append(keys, userKey(m.UserID))
		}
	}
	profiles, err := ddb.GetAll(ctx, r.store.client, *r.store.table, keys, r.store.wait)
	if err != nil {
		return err
	}
	muted := map[string]bool{}
	for _, u := range ddb.DecodeAll(profiles, userOf) {
		muted[u.UserID] = !u.Preferences.NotificationsEnabled
	}
	return r.each(ctx, len(users), func(ctx context.Context, i int) error {
		if muted[users[i]] {
			return nil
		}
		devices, _, err := r.store.devices(ctx, users[i], 0, nil) // up to 1 MB, about a thousand devices
		slices.SortStableFunc(devices, func(a, b Device) int { return cmp.Compare(b.LastSeenAt, a.LastSeenAt) })
		r.mu.Lock()
		defer r.mu.Unlock()
		r.devices[users[i]] = devices[:min(len(devices), maxDevices)]
		return err
	})
}

// push sends a message to each device for each reminder. If sending times out, the unknown results count as transient
// failures.
func (r *round) push(ctx context.Context) []outcome {
	messages := r.messages()
	outcomes := make([]outcome, len(r.claimed))
	if len(messages) == 0 {
		return outcomes
	}
	out := make([]push.Message, len(messages))
	for i, at := range messages {
		m := r.claimed[at.reminder]
		out[i] = push.Message{
			To: string(at.device.PushToken), Title: "Kefir", Body: m.Message,
			Data: map[string]string{"type": "reminder", "reminderId": string(m.ReminderID), "batchId": string(m.BatchID)},
		}
	}
	results, ended := r.sender.Send(ctx, out) // when ctx ends early, the results say what was sent before
	unsent := 0
	for i, m := range messages {
		if i >= len(results) || ended != nil && errors.Is(results[i].Err, push.ErrUnavailable) {
			outcomes[m.reminder].transient, outcomes[m.reminder].unknown = true, true
			unsent++
			continue
		}
		r.recordResult(m, results[i].Err, &outcomes[m.reminder])
	}
	if unsent > 0 { // one line, as there may be thousands of messages
		r.cfg.Logger.Warn("sending ended before the push service accepted all messages", slog.Int("unsent", unsent),
			slog.Int("messages", len(messages)), slog.Any("error", ended))
	}
	return outcomes
}

// messages returns a message to each device for each reminder: those to the users' first devices, then to their second
// ones, and so on, so that reminders do not wait for a user with many devices.
func (r *round) messages() (messages []message) {
	for n := range maxDevices {
		for i, m := range r.claimed {
			if devices := r.devices[m.UserID]; n < len(devices) {
				messages = append(messages, message{i, &devices[n]})
			}
		}
	}
	return messages
}

// recordResult adds the result of one message to the reminder's outcome.
func (r *round) recordResult(m message, pushErr error, o *outcome) {
	switch {
	case pushErr == nil:
		o.accepted++
		r.run.Pushed++
		return
	case errors.Is(pushErr, push.ErrUnregistered):
		r.unregistered[m.device] = true
		return
	}
	r.cfg.Logger.Warn("reminder not pushed to a device",
		slog.String("reminder_id", string(r.claimed[m.reminder].ReminderID)), slog.Any("error", pushErr))
	o.transient = o.transient || !errors.Is(pushErr, push.ErrInvalid) && !errors.Is(pushErr, push.ErrTooBig)
}

// removeUnregistered removes the devices that the push service no longer knows, unless they registered meanwhile.
func (r *round) removeUnregistered(ctx context.Context) error {
	devices := slices.Collect(maps.Keys(r.unregistered))
	return r.each(ctx, len(devices), func(ctx context.Context, i int) error {
		removed, err := r.store.removeUnregistered(ctx, devices[i])
		if removed {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.run.DevicesRemoved++
		}
		return err
	})
}

// recordOutcome ends a reminder that was pushed, and leaves one that may be retried until its claim would end. It tries
// again while the database is busy: after a push that is not recorded, the next scheduler pushes again.
func (r *round) recordOutcome(ctx context.Context, m Reminder, o outcome) error {
	now, status := r.cfg.Now(), Sent
	count := &r.run.Sent
	if o.transient && o.accepted == 0 {
		if m.DueAt > timestamp(now.Add(-giveUpAfter)) {
			return r.recordFailure(ctx, m, o)
		}
		status, count = Cancelled, &r.run.GivenUp
	}
	var owned bool
	err := r.retryConflicts(ctx, func() (done bool, err error) {
		owned, err = r.store.endReminder(ctx, m, r.claim, status, timestamp(now))
		return err == nil, err
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	if owned {
		*count++
	} else if err == nil {
		r.run.Taken++
	}
	return err
}

// recordFailure leaves a reminder to the next attempt. Before that it can be cancelled, unless a push may still arrive.
func (r *round) recordFailure(ctx context.Context, m Reminder, o outcome) error {
	r.mu.Lock()
	r.run.Failed++
	r.mu.Unlock()
	if o.unknown {
		return nil
	}
	return r.store.releaseReminder(ctx, m, r.claim)
}
