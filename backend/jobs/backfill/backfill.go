// Package backfill adds missing attributes to the items of a table, such as the keys of an index that was added later,
// while other programs read and write the table.
//
// Each update is conditional: the item must still have none of the attributes, and what they are derived from must be
// as it was read. An item that changed in between is read again. So it does not matter who writes an item last: a
// program that knows the new attributes, one that does not, or the backfill. Start it when every program that writes
// the table knows the attributes: an older program that changes an item after the backfill has passed leaves the old
// keys in place.
package backfill

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/retry"
	"github.com/tabletop-db/tabletop/backend/jobs"
)

// Names of a run's counts.
const (
	Scanned = "scanned" // items read
	Lacking = "lacking" // of these, items that lacked attributes
	Filled  = "filled"  // of these, items that this run filled
	Kept    = "kept"    // of these, items that others filled or deleted first
)

const (
	pageSize    = 200 // items per step
	maxAttempts = 10  // for an item that changes each time it is read
)

// Plan describes the missing attributes of a table.
type Plan struct {
	Table string
	Key   []string // names of the key attributes
	// Missing returns the attributes that an item lacks; none when it is complete.
	Missing func(ddb.Item) ddb.Item
	// From lists the mutable attributes from which Missing derives its result.
	From []string
}

// Job returns the job of a plan. It is idempotent: it does not change items that have the attributes.
func Job(client *dynamodb.Client, p Plan, segments int) jobs.Job {
	f := &filler{client: client, plan: p}
	return jobs.Job{Name: "backfill " + p.Table, Segments: segments, Step: f.step}
}

type filler struct {
	client *dynamodb.Client
	plan   Plan
}

func (f *filler) step(ctx context.Context, in jobs.StepInput) (jobs.StepResult, error) {
	page, err := f.client.Scan(ctx, &dynamodb.ScanInput{
		TableName: &f.plan.Table, ConsistentRead: aws.Bool(true), Limit: aws.Int32(pageSize), ExclusiveStartKey: in.After,
		Segment: aws.Int32(int32(in.Segment)), TotalSegments: aws.Int32(int32(in.Segments)),
	})
	if err != nil {
		return jobs.StepResult{}, ddb.MapError(err)
	}
	step := jobs.StepResult{Next: page.LastEvaluatedKey, Counts: map[string]int64{Scanned: int64(len(page.Items))}}
	for _, it := range page.Items {
		if len(f.plan.Missing(it)) == 0 {
			continue
		}
		step.Counts[Lacking]++
		if in.DryRun {
			continue
		}
		filled, err := f.fill(ctx, it)
		if err != nil {
			return step, err
		}
		step.Counts[filled]++
	}
	return step, nil
}

// fill adds the missing attributes of an item and returns Filled or Kept.
func (f *filler) fill(ctx context.Context, it ddb.Item) (string, error) {
	outcome := ""
	policy := retry.Policy{Retryable: []error{errChanged}, MaxAttempts: maxAttempts, FirstPause: 2 * time.Millisecond,
		MaxPause: 100 * time.Millisecond}
	err := policy.Do(ctx, func() (err error) {
		outcome, it, err = f.fillOnce(ctx, it)
		return err
	})
	if errors.Is(err, errChanged) {
		err = fmt.Errorf("table %s: %w", f.plan.Table, err)
	}
	return outcome, err
}

var errChanged = errors.New("an item changes faster than it can be backfilled: run the job again")

// fillOnce makes one attempt. Errors: errChanged, with the item's current state, when the item changed since it was
// read.
func (f *filler) fillOnce(ctx context.Context, it ddb.Item) (string, ddb.Item, error) {
	missing := f.plan.Missing(it)
	if len(missing) == 0 {
		return Kept, it, nil
	}
	err := f.update(ctx, it, missing)
	if err == nil {
		return Filled, it, nil
	}
	if !ddb.ConditionFailed(err) {
		return "", it, ddb.MapError(err)
	}
	out, err := f.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &f.plan.Table, Key: f.keyOf(it),
		ConsistentRead: aws.Bool(true)})
	if err != nil {
		return "", it, ddb.MapError(err)
	}
	if out.Item == nil {
		return Kept, nil, nil
	}
	return "", out.Item, errChanged
}

// update sets the missing attributes if the item has none of them and all that they derive from is unchanged.
func (f *filler) update(ctx context.Context, it, missing ddb.Item) error {
	names, values := map[string]string{}, ddb.Item{}
	var assignments, conditions []string
	for i, name := range slices.Sorted(maps.Keys(missing)) {
		n, v := fmt.Sprintf("#m%d", i), fmt.Sprintf(":m%d", i)
		names[n], values[v] = name, missing[name]
		assignments, conditions = append(assignments, n+" = "+v), append(conditions, "attribute_not_exists("+n+")")
	}
	for i, name := range f.plan.From {
		n, v := fmt.Sprintf("#f%d", i), fmt.Sprintf(":f%d", i)
		names[n] = name
		if it[name] == nil {
			conditions = append(conditions, "attribute_not_exists("+n+")")
			continue
		}
		values[v], conditions = it[name], append(conditions, n+" = "+v)
	}
	names["#key"] = f.plan.Key[0]
	_, err := f.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &f.plan.Table, Key: f.keyOf(it), UpdateExpression: aws.String("SET " + strings.Join(assignments, ", ")),
		ConditionExpression:      aws.String("attribute_exists(#key) AND " + strings.Join(conditions, " AND ")),
		ExpressionAttributeNames: names, ExpressionAttributeValues: values,
	})
	return err
}

func (f *filler) keyOf(it ddb.Item) ddb.Item {
	key := ddb.Item{}
	for _, name := range f.plan.Key {
		key[name] = it[name]
	}
	return key
}
