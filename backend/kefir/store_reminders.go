package kefir

import (
	"context"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
)

func (s *store) createReminder(ctx context.Context, r Reminder, mark idempotency.Mark) error {
	return s.create(ctx, reminderItem(r), mark, string(r.ReminderID))
}

func (s *store) reminder(ctx context.Context, batch, id ID) (Reminder, bool, error) {
	in, err := s.get(ctx, reminderKey(batch, id))
	return reminderOf(in), in != nil, err
}

// reminders is KF-P8.
func (s *store) reminders(ctx context.Context, batch ID, limit int, after ddb.Key) ([]Reminder, ddb.Key, error) {
	items, last, err := ddb.Query(ctx, s.client, s.beginsWith(batchPK(batch), prefixReminder), limit, after)
	return ddb.DecodeAll(items, reminderOf), last, err
}

// upcoming is KF-P9, with the document's BETWEEN (KF-D2). A reminder that has ended no longer has index keys; the
// filter excludes those that ended under 1.0.0 or a moment ago (KF-D5).
func (s *store) upcoming(ctx context.Context, user string, from, to Timestamp, limit int, after ddb.Key) ([]Reminder,
	ddb.Key, error) {
	items, last, err := ddb.Query(ctx, s.client, ddb.Where(&dynamodb.QueryInput{TableName: s.table,
		IndexName: aws.String(indexGSI1)},
		keyEquals("GSI1PK", userPK(user)).And(expression.Key("GSI1SK").Between(expression.Value(dueSK(from)),
			expression.Value(dueSK(to)))),
		pending()), limit, after)
	return ddb.DecodeAll(items, reminderOf), last, err
}

func pending() expression.ConditionBuilder {
	return expression.Name("status").Equal(expression.Value(Pending))
}

// unclaimed is the condition that a scheduler may claim the reminder: none is sending it, and a failed attempt was
// long enough ago.
func unclaimed(now Timestamp) expression.ConditionBuilder {
	until := expression.Name("claimedUntil")
	return until.AttributeNotExists().Or(until.LessThan(expression.Value(now)))
}

// notBeingSent is the condition that no scheduler is sending the reminder.
func notBeingSent(now Timestamp) expression.ConditionBuilder {
	return expression.Name("claim").AttributeNotExists().Or(
		expression.Name("claimedUntil").LessThan(expression.Value(now)))
}

// claimedBy is the condition that the reminder is pending and has this claim.
func claimedBy(claim string) expression.ConditionBuilder {
	return pending().And(expression.Name("claim").Equal(expression.Value(claim)))
}

// endUpdate returns the change that makes a reminder sent or cancelled: it leaves the indexes (KF-D5).
func endUpdate(status ReminderStatus, now Timestamp) expression.UpdateBuilder {
	timeAttribute := map[ReminderStatus]string{Sent: "sentAt", Cancelled: "cancelledAt"}[status]
	change := expression.Set(expression.Name("status"), expression.Value(status)).Set(expression.Name(timeAttribute),
		expression.Value(now))
	for _, name := range []string{"GSI1PK", "GSI1SK", "GSI3PK", "GSI3SK", "claim", "claimedUntil"} {
		change = change.Remove(expression.Name(name))
	}
	return change
}

// cancelReminder cancels a pending reminder that no scheduler is sending; it returns false when it is not in this
// state.
func (s *store) cancelReminder(ctx context.Context, batch, id ID, now Timestamp) (Reminder, bool, error) {
	in, err := s.updateIf(ctx, reminderKey(batch, id), endUpdate(Cancelled, now), pending().And(notBeingSent(now)))
	return reminderOf(in), in != nil, err
}

// claimReminder claims a pending reminder that is due until a time; it returns false when the reminder is not pending,
// not due, missing, or claimed by another scheduler.
func (s *store) claimReminder(ctx context.Context, at ddb.Item, claim string, now, until Timestamp) (Reminder, bool,
	error) {
	in, err := s.updateIf(ctx, at,
		expression.Set(expression.Name("claim"), expression.Value(claim)).Set(expression.Name("claimedUntil"),
			expression.Value(until)),
		pending().And(expression.Name("dueAt").LessThanEqual(expression.Value(now)),
			unclaimed(now).Or(expression.Name("claim").Equal(expression.Value(claim))))) // the last one for a lost response
	return reminderOf(in), in != nil, err
}

// releaseReminder removes a claim after a failed attempt, so that the reminder can be cancelled. claimedUntil stays: it
// is the time of the next attempt.
func (s *store) releaseReminder(ctx context.Context, r Reminder, claim string) error {
	_, err := s.updateIf(ctx, reminderKey(r.BatchID, r.ReminderID), expression.Remove(expression.Name("claim")),
		claimedBy(claim))
	return err
}

// endReminder changes a reminder with this claim from pending to sent, or gives it up as cancelled; it returns false
// when the reminder no longer has the claim.
func (s *store) endReminder(ctx context.Context, r Reminder, claim string, status ReminderStatus,
	now Timestamp) (bool, error) {
	in, err := s.updateIf(ctx, reminderKey(r.BatchID, r.ReminderID), endUpdate(status, now), claimedBy(claim))
	return in != nil, err
}

// dueInHour is KF-P10 by the added index (KF-D3): it passes the keys of the due reminders of one hour to page.
func (s *store) dueInHour(ctx context.Context, bucket string, now Timestamp,
	page func([]ddb.Item) error) (units float64,
	err error) {
	pages := dynamodb.NewQueryPaginator(s.client, ddb.Where(&dynamodb.QueryInput{
		TableName: s.table, IndexName: aws.String(indexDue), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}, keyEquals("GSI3PK", bucket).And(expression.Key("GSI3SK").LessThanEqual(expression.Value(string(now)+"#"+
		endOfPrefix)))))
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return units, ddb.MapError(err)
		}
		units += readUnits(out.ConsumedCapacity)
		if err := page(out.Items); err != nil {
			return units, err
		}
	}
	return units, nil
}

// dueBy is the condition of KF-P10 that a reminder is due. The STATUS#… of a batch sorts after DUE#….
func dueBy(now Timestamp) expression.ConditionBuilder {
	return expression.Name("GSI1SK").LessThanEqual(expression.Value(dueSK(now)))
}

// unindexed is the condition that a reminder is not in the index of hours.
func unindexed() expression.ConditionBuilder { return expression.Name("GSI3PK").AttributeNotExists() }

// scanReminders is KF-P10 as documented: a parallel scan of GSI1 that reads every batch and pending reminder and keeps
// the pending reminders of a filter. Pages come from several goroutines, one at a time.
func (s *store) scanReminders(ctx context.Context, filter expression.ConditionBuilder,
	page func([]ddb.Item) error) (units float64, err error) {
	e := ddb.Build(expression.NewBuilder().WithFilter(filter.And(pending())))
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	for segment := range int32(scanSegments) {
		pages := dynamodb.NewScanPaginator(s.client, &dynamodb.ScanInput{
			TableName: s.table, IndexName: aws.String(indexGSI1), Segment: aws.Int32(segment),
			TotalSegments:    aws.Int32(scanSegments),
			FilterExpression: e.Filter(), ExpressionAttributeNames: e.Names(), ExpressionAttributeValues: e.Values(),
			ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		})
		group.Go(func() error {
			for pages.HasMorePages() {
				out, err := pages.NextPage(ctx)
				if err != nil {
					return ddb.MapError(err)
				}
				mu.Lock()
				units += readUnits(out.ConsumedCapacity)
				err = page(out.Items)
				mu.Unlock()
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	err = group.Wait()
	return units, err
}

const scanSegments = 4

func readUnits(c *types.ConsumedCapacity) float64 {
	if c == nil {
		return 0
	}
	return aws.ToFloat64(c.CapacityUnits)
}

// checkpoint returns the first hour that may still have pending reminders; empty before the first complete run of a
// scheduler, and after a backfill.
func (s *store) checkpoint(ctx context.Context) (bucket string, err error) {
	in, err := s.get(ctx, checkpointKey())
	return ddb.Text(in["bucket"]), err
}

// moveCheckpoint sets the checkpoint if it is still from; empty: none. Otherwise another run has set it, or a backfill
// has removed it.
func (s *store) moveCheckpoint(ctx context.Context, from, to string, now Timestamp) error {
	bucket := expression.Name("bucket")
	unchanged := bucket.Equal(expression.Value(from))
	if from == "" {
		unchanged = bucket.AttributeNotExists()
	}
	_, err := s.updateIf(ctx, checkpointKey(),
		expression.Set(bucket, expression.Value(to)).Set(expression.Name("updatedAt"), expression.Value(now)), unchanged)
	return err
}

// removeCheckpoint makes the next run of a scheduler scan.
func (s *store) removeCheckpoint(ctx context.Context) error {
	bucket := expression.Name("bucket")
	_, err := s.updateIf(ctx, checkpointKey(), expression.Remove(bucket), bucket.AttributeExists())
	return err
}
