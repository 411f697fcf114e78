package kefir

import (
	"context"
	"log/slog"
	"strings"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// deleteAccount deletes everything of a user: the profile, the batches with their events and reminders, and the
// devices. It is not a transaction: after an error or a crash, the same request continues where it stopped, because
// references to an item are deleted after the item. Deleting nothing is not an error.
func (s *Service) deleteAccount(ctx context.Context, user string) error {
	deleted := 0
	err := s.store.readPartition(ctx, userPK(user), func(items []ddb.Item) error {
		for _, in := range items {
			if id, ok := strings.CutPrefix(ddb.Text(in["SK"]), prefixBatch); ok {
				if err := s.store.deletePartition(ctx, batchPK(ID(id))); err != nil {
					return err
				}
			}
		}
		if err := s.store.deleteItems(ctx, items); err != nil {
			return err
		}
		deleted += len(items)
		return s.deleteLateWrites(ctx, items)
	})
	if err == nil {
		s.cfg.Logger.Info("account deleted", slog.Int("items_of_the_user", deleted))
	}
	return err
}

// deleteLateWrites deletes what was added to a batch between the deletion of its partition and that of the batch
// itself. Every write to a batch reads the batch first, so only a request that had already read it can leave something
// behind.
func (s *Service) deleteLateWrites(ctx context.Context, items []ddb.Item) error {
	for _, in := range items {
		if id, ok := strings.CutPrefix(ddb.Text(in["SK"]), prefixBatch); ok {
			if err := s.store.deletePartition(ctx, batchPK(ID(id))); err != nil {
				return err
			}
		}
	}
	return nil
}
