package notification

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
)

// The queries of notifications, each in one partition (NT-D4: the document's, with SELECT * FROM c).
const (
	queryUnread   = "SELECT VALUE COUNT(1) FROM c WHERE c.userId = @userId AND c.read = false AND c.dismissed = false"
	queryList     = "SELECT * FROM c WHERE c.userId = @userId AND c.dismissed = false ORDER BY c.createdAt DESC"
	queryListOf   = "SELECT * FROM c WHERE c.userId = @userId AND c.dismissed = false AND c.category = @category ORDER BY c.createdAt DESC"
	queryRate     = "SELECT * FROM c WHERE c.userId = @userId AND c.category = @category AND c.createdAt >= @window"
	queryUnreadID = "SELECT VALUE c.id FROM c WHERE c.userId = @userId AND c.read = false AND c.dismissed = false"
)

// notification reads one notification.
func (s *store) notification(ctx context.Context, user UserID, id ID) (n Notification, ok bool, err error) {
	_, err = s.notifications.Read(ctx, string(user), string(id), &n)
	ok, err = exists(err)
	return n, ok, err
}

// unread is NT-P5. Each page has a partial count; unread sums them.
func (s *store) unread(ctx context.Context, user UserID) (count int, err error) {
	err = cosmosdb.QueryPages(ctx, s.notifications, cosmosdb.Query{PartitionKey: string(user), Text: queryUnread,
		Parameters: map[string]any{"@userId": user}},
		func(counts []int) (bool, error) {
			for _, n := range counts {
				count += n
			}
			return true, nil
		})
	return count, err
}

// list is NT-P6: notifications that are not dismissed, newest first, of one category if one is given.
func (s *store) list(ctx context.Context, user UserID, category Category, limit int, token string) ([]Notification,
	string, error) {
	q := cosmosdb.Query{PartitionKey: string(user), Text: queryList, Parameters: map[string]any{"@userId": user},
		PageSize: limit}
	if category != "" {
		q.Text, q.Parameters["@category"] = queryListOf, category
	}
	for {
		page, next, err := cosmosdb.QueryPage[Notification](ctx, s.notifications, q, token)
		if err != nil || len(page) > 0 || next == "" {
			return page, next, err
		}
		token = next // skip an empty page that is not the last
	}
}

// countRecent is NT-P7: the number of notifications of a category that the user got since the window started, counting
// up to limit.
func (s *store) countRecent(ctx context.Context, user UserID, category Category, window Moment,
	limit int) (int, error) {
	found, err := cosmosdb.QueryAll[struct{}](ctx, s.notifications, cosmosdb.Query{
		PartitionKey: string(user), Text: queryRate, Parameters: map[string]any{"@userId": user, "@category": category,
			"@window": window},
		PageSize: limit,
	}, limit)
	return len(found), err
}

// createOutcome is the result of an attempt to write a notification.
type createOutcome int

const (
	created       createOutcome = iota // written by this attempt
	alreadyExists                      // existed before
	guardChanged                       // another write came in between: count again
)

// createNotification writes a notification (NT-P4). With a guard, it does so only if the guard has not changed since it
// was read.
func (s *store) createNotification(ctx context.Context, n Notification, g *guard, etag azcore.ETag) (createOutcome,
	error) {
	if g == nil {
		err := s.notifications.Create(ctx, string(n.UserID), n)
		if errors.Is(err, cosmosdb.ErrExists) {
			return alreadyExists, nil
		}
		return created, err
	}
	err := s.notifications.Batch(ctx, string(n.UserID), func(b *azcosmos.TransactionalBatch) {
		addGuard(b, *g, etag)
		b.CreateItem(jsonOf(n), nil)
	})
	var batchErr *cosmosdb.BatchError
	if errors.As(err, &batchErr) && batchErr.Index == 1 && errors.Is(err, cosmosdb.ErrExists) {
		return alreadyExists, nil
	}
	ok, err := succeeded(err, cosmosdb.ErrExists, cosmosdb.ErrChanged, cosmosdb.ErrNotFound)
	if !ok {
		return guardChanged, err
	}
	return created, nil
}

// deleteNotification deletes what createNotification wrote for a user who has been deleted since: the notification, and
// the guard, which contains the user's keys.
func (s *store) deleteNotification(ctx context.Context, user UserID, id ID) error {
	for _, written := range []ID{id, guardID} {
		if _, err := exists(s.notifications.Delete(ctx, string(user), string(written), "")); err != nil {
			return err
		}
	}
	return nil
}

// mark is NT-P8: a patch on condition that the flag is not set yet. A notification that was already marked stays as it
// is. It returns false when there is no such notification.
func (s *store) mark(ctx context.Context, user UserID, id ID, m mark, now Moment) (n Notification, ok bool, err error) {
	if id == guardID { // a document of the container, but no notification
		return n, false, nil
	}
	err = s.notifications.Patch(ctx, string(user), string(id), m.operations(now), &n)
	if errors.Is(err, cosmosdb.ErrChanged) {
		return s.notification(ctx, user, id)
	}
	ok, err = exists(err)
	return n, ok, err
}

// mark is a flag of a notification and the field with the time at which it was set.
type mark struct{ flag, at string }

func markRead() mark      { return mark{"read", "readAt"} }
func markDismissed() mark { return mark{"dismissed", "dismissedAt"} }

func (m mark) operations(now Moment) (ops azcosmos.PatchOperations) {
	ops.SetCondition("FROM c WHERE c." + m.flag + " = false")
	ops.AppendSet("/"+m.flag, true)
	ops.AppendSet("/"+m.at, now)
	return ops
}

// unreadIDs returns the ids of up to limit unread notifications.
func (s *store) unreadIDs(ctx context.Context, user UserID, limit int) ([]ID, error) {
	return cosmosdb.QueryAll[ID](ctx, s.notifications, cosmosdb.Query{
		PartitionKey: string(user), Text: queryUnreadID, Parameters: map[string]any{"@userId": user}, PageSize: limit,
	}, limit)
}

// readAll marks notifications as read in one batch. It returns false, and marks none, when one of them was marked or
// deleted in the meantime.
func (s *store) readAll(ctx context.Context, user UserID, ids []ID, now Moment) (bool, error) {
	err := s.notifications.Batch(ctx, string(user), func(b *azcosmos.TransactionalBatch) {
		for _, id := range ids {
			b.PatchItem(string(id), markRead().operations(now), nil)
		}
	})
	return succeeded(err, cosmosdb.ErrNotFound, cosmosdb.ErrChanged)
}
