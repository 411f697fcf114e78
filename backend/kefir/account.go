package kefir

import (
	"context"
	"log/slog"
	"strings"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// deleteAccount removes everything of a user: profile, batches with their events and reminders, devices. It is no
// transaction: after an error, or an end of the process, the same request goes on where it stopped, since what leads to
// an item goes after the item. Deleting nothing is no error.
func (s *Service) deleteAccount(ctx context.Context, user string) error {
	deleted := 0
	err := s.store.partition(ctx, userPK(user), func(items []ddb.Item) error {
		for _, in := range items {
			if id, ok := strings.CutPrefix(ddb.Text(in["SK"]), prefixBatch); ok {
				if err := s.store.clear(ctx, batchPK(ID(id))); err != nil {
					return err
				}
			}
		}
		if err := s.store.remove(ctx, items); err != nil {
			return err
		}
		deleted += len(items)
		return s.clearStragglers(ctx, items)
	})
	if err == nil {
		s.cfg.Logger.Info("account deleted", slog.Int("items_of_the_user", deleted))
	}
	return err
}

// clearStragglers removes what was added to a batch between its partition being emptied and itself being removed. Every
// write to a batch reads it first, so that only one which had read it and is still on its way can leave something
// behind.
func (s *Service) clearStragglers(ctx context.Context, items []ddb.Item) error {
	for _, in := range items {
		if id, ok := strings.CutPrefix(ddb.Text(in["SK"]), prefixBatch); ok {
			if err := s.store.clear(ctx, batchPK(ID(id))); err != nil {
				return err
			}
		}
	}
	return nil
}
