package notification

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
)

const queryRanges = "SELECT * FROM c WHERE c.userId = @userId"

// feedRanges returns the ranges of the change feed of notification_events as of the first follower's start: the SDK
// continues the continuation of a range that was split in its parts.
func (s *store) feedRanges(ctx context.Context) ([]stored[feedRange], error) {
	q := cosmosdb.Query{PartitionKey: string(feedUser), Text: queryRanges, Parameters: map[string]any{"@userId": feedUser}}
	ranges, err := cosmosdb.QueryAll[stored[feedRange]](ctx, s.preferences, q, 0)
	if err != nil || len(ranges) > 0 {
		return ranges, err
	}
	current, err := s.events.FeedRanges(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range current {
		initial := feedRange{ID: rangeID(r.Min, r.Max), UserID: feedUser, Range: r}
		if err := s.preferences.Create(ctx, string(feedUser), initial); err != nil && !errors.Is(err, cosmosdb.ErrExists) {
			return nil, err
		}
	}
	return cosmosdb.QueryAll[stored[feedRange]](ctx, s.preferences, q, 0)
}

// saveRange replaces the range that was read.
func (s *store) saveRange(ctx context.Context, r stored[feedRange]) (azcore.ETag, error) {
	return s.preferences.Replace(ctx, string(feedUser), string(r.value.ID), r.value, r.etag)
}

// changes is a page of the change feed and the continuation after it.
type changes struct {
	events []stored[Event]
	empty  bool // there are no changes; without it, events may still be empty: other documents changed
	next   string
}

// changes reads the page after a range's continuation.
func (s *store) changes(ctx context.Context, r feedRange) (page changes, err error) {
	documents, next, err := s.events.Changes(ctx, r.Range, string(r.Continuation), feedPageSize)
	if err != nil {
		return page, err
	}
	events := cosmosdb.Decode[stored[Event]](ctx, s.events, documents)
	return changes{events: events, empty: len(documents) == 0, next: next}, nil
}
