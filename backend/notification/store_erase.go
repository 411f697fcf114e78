package notification

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
)

const queryIDs = "SELECT VALUE c.id FROM c WHERE c.userId = @userId"

// deleteUserDocuments deletes all documents of a user from a container, a hundred per batch, and counts them; it does
// not count guards, which hold no data of the user.
//
// It deletes the guard first: whether the guard exists or not, the write yields a session token, so the queries after
// it, in the same session, miss nothing that was written before.
func (s *store) deleteUserDocuments(ctx context.Context, from *cosmosdb.Container, user UserID) (count int, err error) {
	if _, err := exists(from.Delete(ctx, string(user), string(guardID), "")); err != nil {
		return 0, err
	}
	for {
		ids, err := cosmosdb.QueryAll[ID](ctx, from, cosmosdb.Query{
			PartitionKey: string(user), Text: queryIDs, Parameters: map[string]any{"@userId": user}, PageSize: cosmosdb.MaxBatch,
		}, cosmosdb.MaxBatch)
		if err != nil || len(ids) == 0 {
			return count, err
		}
		deleted, err := s.deleteDocuments(ctx, from, user, ids)
		count += deleted
		if err != nil {
			return count, err
		}
	}
}

// deleteDocuments deletes documents in one batch, or one by one if some of them are already gone.
func (s *store) deleteDocuments(ctx context.Context, from *cosmosdb.Container, user UserID,
	ids []ID) (count int, err error) {
	err = from.Batch(ctx, string(user), func(b *azcosmos.TransactionalBatch) {
		for _, id := range ids {
			b.DeleteItem(string(id), nil)
		}
	})
	batched := err == nil
	if !batched && !errors.Is(err, cosmosdb.ErrNotFound) {
		return 0, err
	}
	for _, id := range ids {
		deleted := batched
		if !batched {
			if deleted, err = exists(from.Delete(ctx, string(user), string(id), "")); err != nil {
				return count, err
			}
		}
		if deleted && id != guardID {
			count++
		}
	}
	return count, nil
}
