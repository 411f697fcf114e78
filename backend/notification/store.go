package notification

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
	"github.com/tabletop-db/tabletop/backend/internal/retry"
)

// store accesses Cosmos DB: one method per pattern of doc.go. Only store.go and store_*.go use the SDK. Methods return
// false for what is missing or has changed; errors are the database's.
type store struct {
	events, notifications, preferences, devices *cosmosdb.Container
}

func newStore(client *azcosmos.Client, database string, wait retry.Wait, logger *slog.Logger) (*store, error) {
	s := &store{}
	for name, field := range map[string]**cosmosdb.Container{
		EventsContainer: &s.events, NotificationsContainer: &s.notifications,
		PreferencesContainer: &s.preferences, DevicesContainer: &s.devices,
	} {
		container, err := client.NewContainer(database, name)
		if err != nil {
			return nil, err
		}
		*field = cosmosdb.NewContainer(container, wait, logger)
	}
	return s, nil
}

// stored is a document with the ETag it was read with, which is the condition of the next write.
type stored[T any] struct {
	value T
	etag  azcore.ETag
}

// UnmarshalJSON decodes a document and its system properties.
func (s *stored[T]) UnmarshalJSON(text []byte) error {
	var system struct {
		ETag azcore.ETag `json:"_etag"`
	}
	err := errors.Join(json.Unmarshal(text, &s.value), json.Unmarshal(text, &system))
	s.etag = system.ETag
	return err
}

// exists returns false, without an error, for ErrNotFound.
func exists(err error) (bool, error) { return succeeded(err, cosmosdb.ErrNotFound) }

// succeeded returns false, without an error, for errors of these kinds.
func succeeded(err error, kinds ...error) (bool, error) {
	for _, kind := range kinds {
		if errors.Is(err, kind) {
			return false, nil
		}
	}
	return err == nil, err
}

// preferencesOf is NT-P9: a point read by id = userId for 1 RU; the document's query WHERE c.id = @userId would cost
// more.
func (s *store) preferencesOf(ctx context.Context, user UserID) (p Preferences, ok bool, err error) {
	_, err = s.preferences.Read(ctx, string(user), string(user), &p)
	ok, err = exists(err)
	return p, ok, err
}

// savePreferences is NT-P9: upsert.
func (s *store) savePreferences(ctx context.Context, p Preferences) error {
	return s.preferences.Upsert(ctx, string(p.UserID), p)
}

// reachable reads the preferences of a user that cannot exist: for one request unit it checks that the database and its
// containers respond.
func (s *store) reachable(ctx context.Context) error {
	_, _, err := s.preferencesOf(ctx, nonexistentUser)
	return err
}

// guard serializes what must not happen concurrently in a user's partition: every admission to the notification centre
// and every registration of a device replaces the guard in its transactional batch, on condition that the guard is as
// it was before the counting. It lacks the properties that its container's documented queries look for.
type guard struct {
	ID        ID            `json:"id"`
	UserID    UserID        `json:"userId"`
	Recent    []recentEvent `json:"recent,omitempty"`    // only in device_tokens: not null, so not an active device
	RevokedAt string        `json:"revokedAt,omitempty"` // only in device_tokens: not null, so not active
	TTL       int           `json:"ttl,omitempty"`       // seconds, where its container has a time to live
}

// recentEvent is an event with a dedupeKey for which there is a notification.
type recentEvent struct {
	Key   DedupeKey `json:"key"`
	Event ID        `json:"event"`
	At    Moment    `json:"at"` // the event's createdAt
}

// readGuard reads a user's guard in a container, with the ETag to pass to addGuard; empty when the user has no guard
// yet. Later reads of the same work are at least as recent.
func readGuard(ctx context.Context, c *cosmosdb.Container, user UserID) (g guard, etag azcore.ETag, err error) {
	etag, err = c.Read(ctx, string(user), string(guardID), &g)
	_, err = exists(err)
	g.ID, g.UserID = guardID, user
	return g, etag, err
}

// addGuard adds the guard to a batch as its first operation: the batch is applied only if the guard has not changed
// since.
func addGuard(b *azcosmos.TransactionalBatch, g guard, etag azcore.ETag) {
	if etag == "" {
		b.CreateItem(jsonOf(g), nil)
		return
	}
	b.ReplaceItem(string(guardID), jsonOf(g), &azcosmos.TransactionalBatchItemOptions{IfMatchETag: &etag})
}

// jsonOf encodes a document of this package, which consists of strings, numbers and booleans and cannot fail.
func jsonOf(document any) []byte {
	text, _ := json.Marshal(document)
	return text
}
