package kefir

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
	"github.com/tabletop-db/tabletop/backend/internal/retry"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// createBatch creates a batch; a repeat with the same idempotency key returns the same batch (KF-R12).
func (s *Service) createBatch(ctx context.Context, user string, in batchRequest, key string) (Batch, bool, error) {
	r, err := s.markers.Request(s.cfg.Now(), user, "create-batch", key, in)
	if err != nil {
		return Batch{}, false, err
	}
	return idempotency.Once(ctx, s.markers, r,
		func(mark idempotency.Mark) (Batch, error) { return s.newBatch(ctx, user, in, mark) },
		func(ref string) (Batch, error) { return s.ownBatch(ctx, user, ID(ref)) })
}

func (s *Service) newBatch(ctx context.Context, user string, in batchRequest, mark idempotency.Mark) (Batch, error) {
	id, err := newID()
	if err != nil {
		return Batch{}, err
	}
	now := s.now()
	b := Batch{
		BatchID: id, UserID: user, Name: in.Name, Stage: 1, Status: Active,
		WaterVolumeMl: in.WaterVolumeMl, SugarGrams: in.SugarGrams, Fruits: in.Fruits, StartTime: in.StartTime,
		TargetHoursStage1: in.TargetHoursStage1, CreatedAt: now, UpdatedAt: now, IsPublic: in.IsPublic,
		PublicNote: in.PublicNote,
	}
	if b.StartTime == "" {
		b.StartTime = now
	}
	if b.TemperatureC, err = s.temperature(ctx, user, in.TemperatureC); err != nil {
		return Batch{}, err
	}
	err = s.store.createBatch(ctx, b, mark)
	if err == nil {
		s.stats.batches.Add(1)
	}
	return b, err
}

// temperature returns the requested temperature, or else the user's preference.
func (s *Service) temperature(ctx context.Context, user string, requested *Decimal) (Decimal, error) {
	if requested != nil {
		return *requested, nil
	}
	u, ok, err := s.store.user(ctx, user)
	if !ok {
		return defaultPreferences().DefaultTemperatureC, err
	}
	return u.Preferences.DefaultTemperatureC, nil
}

func (s *Service) listBatches(ctx context.Context, user string, q batchesQuery) ([]Batch, string, error) {
	after, err := web.DecodeCursor(q.Cursor, map[string]func(string) bool{
		"PK": web.Equals(userPK(user)), "SK": withPrefix(prefixBatch, validID),
	})
	if err != nil {
		return nil, "", err
	}
	batches, last, err := s.store.batches(ctx, user, q.Status, q.Limit, after)
	return batches, web.EncodeCursor(last), err
}

func (s *Service) listByStatus(ctx context.Context, q statusQuery) ([]Batch, string, error) {
	after, err := web.DecodeCursor(q.Cursor, map[string]func(string) bool{
		"PK": withPrefix(prefixUser, func(string) bool { return true }), "SK": withPrefix(prefixBatch, validID),
		"GSI2PK": web.Equals(prefixStatus + q.Status), "GSI2SK": validTimeAndID,
	})
	if err != nil {
		return nil, "", err
	}
	batches, last, err := s.store.batchesByStatus(ctx, q.Status, q.Limit, after)
	return batches, web.EncodeCursor(last), err
}

// batch returns a user's own batch: the index finds its owner (KF-P4), and the table has its current state. A batch
// that is not in the index yet is looked up among the user's own at once.
func (s *Service) batch(ctx context.Context, user string, id ID) (Batch, error) {
	listed, ok, err := s.store.findBatch(ctx, id)
	if err != nil || ok && listed.UserID != user {
		return Batch{}, firstError(err, errNoBatch)
	}
	return s.ownBatch(ctx, user, id)
}

// ownBatch reads a user's batch consistently; every write to a batch starts with it.
func (s *Service) ownBatch(ctx context.Context, user string, id ID) (Batch, error) {
	b, ok, err := s.store.batch(ctx, user, id)
	return web.Found(b, ok, err, errNoBatch)
}

// indexedBatch returns a user's batch as the index has it, for reads of what belongs to the batch.
func (s *Service) indexedBatch(ctx context.Context, user string, id ID) (Batch, error) {
	b, ok, err := s.store.findBatch(ctx, id)
	switch {
	case err != nil || ok && b.UserID != user:
		return Batch{}, firstError(err, errNoBatch)
	case ok:
		return b, nil
	}
	return s.ownBatch(ctx, user, id)
}

func firstError(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// publicBatch returns a batch that its owner has made public (KF-R8). The index finds it, and the table decides whether
// it is public, so that a batch made private disappears at once. A batch that is not found may be too new for the
// index: two more attempts, about 100 ms in all, which also slows down anyone who guesses ids.
func (s *Service) publicBatch(ctx context.Context, id ID) (PublicBatch, error) {
	var listed Batch
	policy := retry.Policy{Retryable: []error{errNotPublic}, MaxAttempts: 3, FirstPause: 40 * time.Millisecond,
		Wait: s.cfg.Wait}
	err := policy.Do(ctx, func() (err error) {
		var ok bool
		listed, ok, err = s.store.findBatch(ctx, id)
		_, err = web.Found(listed, ok, err, errNotPublic)
		return err
	})
	if err != nil {
		return PublicBatch{}, err
	}
	b, ok, err := s.store.batch(ctx, listed.UserID, id)
	return web.Found(b.public(), ok && b.IsPublic, err, errNotPublic)
}

// changeBatch changes the fields that the owner may set at any time.
func (s *Service) changeBatch(ctx context.Context, user string, id ID, in batchChange) (Batch, error) {
	b, err := s.ownBatch(ctx, user, id)
	if err != nil {
		return Batch{}, err
	}
	change, err := in.attributes(b.Stage)
	if err != nil {
		return Batch{}, err
	}
	change["updatedAt"] = ddb.Str(s.now())
	b, ok, err := s.store.changeBatch(ctx, user, id, change)
	return web.Found(b, ok, err, errNoBatch)
}

// changeStatus changes a batch's status, its index keys and writes the event, in one transaction (KF-R1). If the batch
// already has the status, nothing changes. Of concurrent requests for the same status, one changes it.
func (s *Service) changeStatus(ctx context.Context, user string, id ID, to Status) (b Batch, err error) {
	err = s.retryConflicts(ctx, func() (bool, error) {
		if b, err = s.ownBatch(ctx, user, id); err != nil || b.Status == to {
			return err == nil, err
		}
		previous, now := b.Status, s.cfg.Now()
		b.Status, b.UpdatedAt, b.ArchivedAt = to, timestamp(now), ""
		if to == Archived {
			b.ArchivedAt = timestamp(now)
		}
		done, err := s.recordTransition(ctx, b, statusUpdate(b, previous), Event{Type: StatusChange,
			FromStatus: previous, ToStatus: to,
			CreatedAt: moment(now)})
		return done, err
	})
	return b, err
}

// moveToStage2 sets the fields of stage 2 and writes the event, in one transaction, once (KF-R2). A repeat, with any
// fields, changes nothing and returns the batch as it is.
func (s *Service) moveToStage2(ctx context.Context, user string, id ID, in stageRequest) (b Batch, err error) {
	err = s.retryConflicts(ctx, func() (bool, error) {
		if b, err = s.ownBatch(ctx, user, id); err != nil || b.Stage == 2 {
			return err == nil, err
		}
		now := s.cfg.Now()
		b.Stage, b.UpdatedAt = 2, timestamp(now)
		b.BottleCount, b.BottleVolumeMl, b.TargetHoursStage2 = in.BottleCount, in.BottleVolumeMl, in.TargetHoursStage2
		b.TemperatureCStage2, b.StartTimeStage2 = in.TemperatureCStage2, in.StartTimeStage2
		if b.StartTimeStage2 == "" {
			b.StartTimeStage2 = b.UpdatedAt
		}
		return s.recordTransition(ctx, b, stage2Update(b), Event{Type: StageTransition, FromStage: 1, ToStage: 2,
			CreatedAt: moment(now)})
	})
	return b, err
}

// recordTransition changes a batch and writes the event about it, or does neither.
func (s *Service) recordTransition(ctx context.Context, b Batch, change transitionUpdate, e Event) (bool, error) {
	id, err := newID()
	if err != nil {
		return false, err
	}
	e.EventID, e.BatchID = id, b.BatchID
	done, err := s.store.transition(ctx, b, change, e)
	if done {
		s.stats.transitions.Add(1)
	}
	return done, err
}

// timeline returns a batch with its newest events and its reminders, by three queries (KF-P14).
func (s *Service) timeline(ctx context.Context, user string, id ID) (timeline, error) {
	b, err := s.indexedBatch(ctx, user, id)
	if err != nil {
		return timeline{}, err
	}
	out := timeline{Batch: b}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		var more ddb.Key
		out.Events, more, err = s.store.events(ctx, id, false, timelineEvents, nil)
		out.EventsCursor = web.EncodeCursor(more)
		return err
	})
	group.Go(func() (err error) {
		var more ddb.Key
		out.Reminders, more, err = s.store.reminders(ctx, id, timelineReminders, nil)
		out.RemindersCursor = web.EncodeCursor(more)
		return err
	})
	return out, group.Wait()
}

const (
	timelineEvents    = 20 // of a timeline, as documented (KF-P6)
	timelineReminders = 100
)
