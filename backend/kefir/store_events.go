package kefir

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
)

func (s *store) createEvent(ctx context.Context, e Event, mark idempotency.Mark) error {
	return s.create(ctx, eventItem(e), mark, eventSK(e.CreatedAt, e.EventID))
}

// event reads one event by its sort key.
func (s *store) event(ctx context.Context, batch ID, sk string) (Event, bool, error) {
	in, err := s.get(ctx, key(batchPK(batch), sk))
	return eventOf(in), in != nil, err
}

// events is KF-P5, and descending KF-P6.
func (s *store) events(ctx context.Context, batch ID, ascending bool, limit int, after ddb.Key) ([]Event,
	ddb.Key, error) {
	in := s.beginsWith(batchPK(batch), prefixEvent)
	in.ScanIndexForward = aws.Bool(ascending)
	items, last, err := ddb.Query(ctx, s.client, in, limit, after)
	return ddb.DecodeAll(items, eventOf), last, err
}

// eventsAfter is KF-P7. The document's open-ended SK > EVENT#t would continue into the reminders of the batch, because
// R sorts after E; so the range ends with the events (KF-D4). No key equals EVENT#t, so BETWEEN excludes what > does.
func (s *store) eventsAfter(ctx context.Context, batch ID, from string, ascending bool, limit int,
	after ddb.Key) ([]Event, ddb.Key, error) {
	items, last, err := ddb.Query(ctx, s.client, ddb.Where(&dynamodb.QueryInput{TableName: s.table,
		ScanIndexForward: aws.Bool(ascending)},
		keyEquals("PK", batchPK(batch)).
			And(expression.Key("SK").Between(expression.Value(from), expression.Value(prefixEvent+endOfPrefix)))), limit, after)
	return ddb.DecodeAll(items, eventOf), last, err
}
