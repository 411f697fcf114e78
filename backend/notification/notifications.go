package notification

import (
	"context"
	"errors"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// listNotifications is NT-P6. The cursor contains the database's continuation token and the listing it belongs to.
func (s *Service) listNotifications(ctx context.Context, user UserID, q notificationsQuery) ([]Notification,
	string, error) {
	from, err := web.DecodeCursor(q.Cursor, map[string]func(string) bool{
		"user": web.Equals(user), "category": web.Equals(q.Category), "token": func(token string) bool { return token != "" },
	})
	if err != nil {
		return nil, "", err
	}
	page, next, err := s.store.list(ctx, user, q.Category, q.Limit, from["token"])
	switch {
	case errors.Is(err, cosmosdb.ErrToken):
		return nil, "", errCursor
	case err != nil || next == "":
		return page, "", err
	}
	return page, web.EncodeCursor(map[string]string{"user": string(user), "category": string(q.Category), "token": next}),
		nil
}

// markNotification is NT-P8; it is idempotent.
func (s *Service) markNotification(ctx context.Context, user UserID, id ID, m mark) (Notification, error) {
	n, ok, err := s.store.mark(ctx, user, id, m, s.now())
	return web.Found(n, ok, err, errNoNotification)
}

// readAll marks every unread notification as read and returns their number. It retries a batch that conflicts with
// another change.
func (s *Service) readAll(ctx context.Context, user UserID) (count int, err error) {
	err = s.retryConflicts(ctx, func() (bool, error) {
		for {
			ids, err := s.store.unreadIDs(ctx, user, cosmosdb.MaxBatch)
			if err != nil || len(ids) == 0 {
				return true, err
			}
			ok, err := s.store.readAll(ctx, user, ids, s.now())
			if !ok || err != nil {
				return false, err
			}
			count += len(ids)
		}
	})
	return count, err
}
