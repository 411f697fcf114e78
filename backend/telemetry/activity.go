package telemetry

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"
)

// activityInterval is how far last_seen_at may lag behind a device's latest delivery (TL-D7). A device that sends every
// five minutes is updated once per reading; one that sends a hundred readings at once is also updated once.
const activityInterval = 5 * time.Minute

// recordActivity sets last_seen_at of devices that delivered, unless that was done in the last five minutes. The items
// just read decide this for nearly every delivery, and the condition of the update resolves races. A failure is logged
// and does not fail the delivery, whose readings are stored.
func (s *Service) recordActivity(ctx context.Context, senders map[string]sender) {
	now := s.cfg.Now()
	before := timestamp(now.Add(-activityInterval))
	var updates errgroup.Group
	updates.SetLimit(maxTransactionsRequest)
	for id, device := range senders {
		if device.LastSeenAt > before {
			continue
		}
		updates.Go(func() error {
			if err := s.store.recordActivity(ctx, id, timestamp(now), before); err != nil {
				s.cfg.Logger.Warn("device activity not recorded", slog.String("hardware_id", id), slog.Any("error", err))
			}
			return nil
		})
	}
	_ = updates.Wait() // each failure is logged
}
