package notification

import (
	"context"
	"fmt"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
)

// The queries of notification_events. The document omits SELECT and FROM: they are SELECT * FROM c (NT-D4).
const (
	// queryWork is NT-P2. It is a cross-partition query, and its request units grow with the number of partitions
	// (NT-D3).
	queryWork = "SELECT * FROM c WHERE c.status = 'PENDING' OR (c.status = 'FAILED' AND c.retryCount < 5 AND c.nextRetryAt <= @now)"
	// queryOverdue finds what the documented query does not: events whose worker died, and pushes that waited for the
	// end of quiet hours.
	queryOverdue = "SELECT * FROM c WHERE c.status = 'PROCESSING' AND c.nextRetryAt <= @now"
	// querySameKey is NT-P3.
	querySameKey = "SELECT * FROM c WHERE c.userId = @userId AND c.dedupeKey = @key AND c.createdAt >= @window"
)

// enqueue is NT-P1.
func (s *store) enqueue(ctx context.Context, e Event) error {
	return s.events.Create(ctx, string(e.UserID), e)
}

// enqueueNamed is NT-P1 for an event whose id derives from an Idempotency-Key. Errors: cosmosdb.ErrExists.
func (s *store) enqueueNamed(ctx context.Context, e Event) error {
	return s.events.CreateNamed(ctx, string(e.UserID), e)
}

// event reads one event.
func (s *store) event(ctx context.Context, user UserID, id ID) (e Event, ok bool, err error) {
	_, err = s.events.Read(ctx, string(user), string(id), &e)
	ok, err = exists(err)
	return e, ok, err
}

// saveEvent replaces the event with this ETag, whose status was from: the claim, and every later transition (NT-R1).
// Errors: an invalid transition, and cosmosdb.ErrChanged or ErrNotFound when another worker or a deletion of the user
// was faster; then nothing is written.
func (s *store) saveEvent(ctx context.Context, from Status, e Event, etag azcore.ETag) (azcore.ETag, error) {
	if !from.canBecome(e.Status) {
		return "", fmt.Errorf("an event cannot change from %s to %s", from, e.Status)
	}
	return s.events.Replace(ctx, string(e.UserID), string(e.ID), e, etag)
}

// findWork is NT-P2: up to limit events of all users except those in except.
func (s *store) findWork(ctx context.Context, now Moment, except []UserID, limit int) ([]stored[Event], error) {
	return s.findEvents(ctx, cosmosdb.Query{Text: queryWork, PageSize: limit}, now, except)
}

// overdue runs queryOverdue: up to limit events of all users except those in except.
func (s *store) overdue(ctx context.Context, now Moment, except []UserID, limit int) ([]stored[Event], error) {
	return s.findEvents(ctx, cosmosdb.Query{Text: queryOverdue, PageSize: limit}, now, except)
}

func (s *store) findEvents(ctx context.Context, q cosmosdb.Query, now Moment, except []UserID) ([]stored[Event],
	error) {
	q.Parameters = map[string]any{"@now": now}
	if len(except) > 0 {
		q.Text = strings.Replace(q.Text, "WHERE ", "WHERE NOT ARRAY_CONTAINS(@except, c.userId) AND (", 1) + ")"
		q.Parameters["@except"] = except
	}
	return cosmosdb.QueryAll[stored[Event]](ctx, s.events, q, q.PageSize)
}

// eventsWithKey is NT-P3: the user's events with this key since the window started.
func (s *store) eventsWithKey(ctx context.Context, user UserID, key DedupeKey, window Moment) ([]Event, error) {
	return cosmosdb.QueryAll[Event](ctx, s.events, cosmosdb.Query{
		PartitionKey: string(user), Text: querySameKey, Parameters: map[string]any{"@userId": user, "@key": key,
			"@window": window},
	}, 0)
}
