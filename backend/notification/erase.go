package notification

import (
	"context"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
)

// DeletedDocuments counts the documents of a user that a deletion removed, by container.
type DeletedDocuments struct {
	Events        int `json:"notification_events"`
	Notifications int `json:"notifications"`
	Preferences   int `json:"notification_preferences"`
	Devices       int `json:"device_tokens"`
}

func (e DeletedDocuments) total() int { return e.Events + e.Notifications + e.Preferences + e.Devices }

// erase deletes every document of a user from the four containers, in the document's order, and counts them (NT-R10).
// It is not a transaction: after an error or a crash, the same request continues with what is left. A worker that is
// processing one of the events finds it gone and deletes what it wrote; so erase repeats until it finds nothing.
func (s *Service) erase(ctx context.Context, user UserID) (sum DeletedDocuments, err error) {
	err = s.retryConflicts(ctx, func() (bool, error) {
		var found DeletedDocuments
		for _, part := range []struct {
			from  *cosmosdb.Container
			count *int
		}{
			{s.store.events, &found.Events}, {s.store.notifications, &found.Notifications},
			{s.store.preferences, &found.Preferences}, {s.store.devices, &found.Devices},
		} {
			if *part.count, err = s.store.deleteUserDocuments(ctx, part.from, user); err != nil {
				break
			}
		}
		sum = DeletedDocuments{
			sum.Events + found.Events, sum.Notifications + found.Notifications, sum.Preferences + found.Preferences,
			sum.Devices + found.Devices,
		}
		return found.total() == 0, err
	})
	if err == nil {
		s.cfg.Logger.Info("user deleted", "documents", sum.total())
	}
	return sum, err
}
