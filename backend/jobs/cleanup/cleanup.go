// Package cleanup deletes unused device tokens: those that are inactive and were not updated for 30 days.
//
// It finds them by the documented Scan, in segments, and deletes each on condition that it is still inactive and old:
// between the Scan and the delete, the device may have registered again. BatchWriteItem accepts no conditions and would
// delete it anyway, so the deletes of a page are single requests, 25 at a time.
package cleanup

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/jobs"
)

// Unused is how long an inactive device must be without an update before it is deleted.
const Unused = 30 * 24 * time.Hour

const (
	condition            = "isActive = :false AND updatedAt < :cutoff" // as documented
	pageSize             = 500                                         // items per step
	maxConcurrentDeletes = 25                                          // concurrent deletes, as many as a batch would hold
)

// cutoff is the name of the run's only parameter: the time, in RFC 3339, before which a device must have been updated
// last.
const cutoff = "cutoff"

// Job returns the job that deletes devices that have been inactive since before now minus Unused. It counts the devices
// that the Scan found, those it deleted, and those it kept because they had come back or were already gone.
func Job(client *dynamodb.Client, table string, now time.Time, segments int) jobs.Job {
	c := &cleaner{client: client, table: table}
	return jobs.Job{
		Name: "cleanup " + table, Segments: segments, Step: c.step,
		Parameters: map[string]string{cutoff: now.Add(-Unused).UTC().Format(time.RFC3339)},
	}
}

type cleaner struct {
	client *dynamodb.Client
	table  string
}

func (c *cleaner) step(ctx context.Context, in jobs.StepInput) (jobs.StepResult, error) {
	values := ddb.Marshal(map[string]any{":false": false, ":cutoff": in.Parameters[cutoff]})
	page, err := c.client.Scan(ctx, &dynamodb.ScanInput{
		TableName: &c.table, FilterExpression: aws.String(condition), ProjectionExpression: aws.String("userId, deviceId"),
		ExpressionAttributeValues: values, ExclusiveStartKey: in.After, Limit: aws.Int32(pageSize),
		Segment: aws.Int32(int32(in.Segment)), TotalSegments: aws.Int32(int32(in.Segments)),
	})
	if err != nil {
		return jobs.StepResult{}, ddb.MapError(err)
	}
	step := jobs.StepResult{Next: page.LastEvaluatedKey, Counts: map[string]int64{
		"scanned": int64(page.ScannedCount), "found": int64(len(page.Items)),
	}}
	if in.DryRun {
		return step, nil
	}
	step.Counts["deleted"], step.Counts["kept"], err = c.deleteAll(ctx, page.Items, values)
	return step, err
}

func (c *cleaner) deleteAll(ctx context.Context, keys []ddb.Item, values ddb.Item) (int64, int64, error) {
	var deleted, kept atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxConcurrentDeletes)
	for _, key := range keys {
		group.Go(func() error {
			_, err := c.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{
				TableName: &c.table, Key: key, ConditionExpression: aws.String(condition), ExpressionAttributeValues: values,
			})
			switch {
			case ddb.ConditionFailed(err):
				kept.Add(1)
			case err != nil:
				return ddb.MapError(err)
			default:
				deleted.Add(1)
			}
			return nil
		})
	}
	err := group.Wait()
	return deleted.Load(), kept.Load(), err
}
