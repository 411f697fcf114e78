package notification

import (
	"context"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
)

// Erased is how many documents of a user a deletion removed, by container.
type Erased struct {
	Events        int `json:"notification_events"`
	Notifications int `json:"notifications"`
	Preferences   int `json:"notification_preferences"`
	Devices       int `json:"device_tokens"`
}

func (e Erased) total() int { return e.Events + e.Notifications + e.Preferences + e.Devices }

// erase removes every document of a user from the four containers, in the document's order, and says what it removed
// (NT-R10). It is no transaction: after an error, or an end of the process, the same request goes on where it stopped,
// since it looks for what is there. A worker that has one of the events under way finds it gone and takes back what it
// wrote; so it looks until it finds nothing more.
func (s *Service) erase(ctx context.Context, user UserID) (sum Erased, err error) {
	err = s.settle(ctx, func() (bool, error) {
		var found Erased
		for _, part := range []struct {
			from  *cosmosdb.Container
			count *int
		}{
			{s.store.events, &found.Events}, {s.store.notifications, &found.Notifications},
			{s.store.preferences, &found.Preferences}, {s.store.devices, &found.Devices},
		} {
			if *part.count, err = s.store.clear(ctx, part.from, user); err != nil {
				break
			}
		}
		sum = Erased{
			sum.Events + found.Events, sum.Notifications + found.Notifications, sum.Preferences + found.Preferences, sum.Devices + found.Devices,
		}
		return found.total() == 0, err
	})
	if err == nil {
		s.cfg.Logger.Info("user deleted", "documents", sum.total())
	}
	return sum, err
}
