package kefir

import (
	"context"
	"errors"
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
// itself. Every write to a batch reads the batch first, so only a request that had already read it can add something.
// What it adds after this, it deletes itself: see confirmBatch.
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

// confirmBatch reads a batch again after an item was added to it. If the account was deleted meanwhile, the deletion
// may have passed the batch before the item arrived, so the item is deleted too. If the batch cannot be read, the item
// stays. Errors: errNoBatch.
func (s *Service) confirmBatch(ctx context.Context, user string, batch ID, added string) error {
	ctx = context.WithoutCancel(ctx) // the caller may have given up
	if _, err := s.ownBatch(ctx, user, batch); !errors.Is(err, errNoBatch) {
		return nil
	}
	return firstError(s.store.deleteItems(ctx, []ddb.Item{key(batchPK(batch), added)}), errNoBatch)
}
