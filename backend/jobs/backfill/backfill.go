// Package backfill gives the items of a table attributes that they were written without, such as the keys of an index
// that was added later, while others read and write the table.
//
// An item gets them on condition that it still has none of them, and that what they were derived from is as it was
// read. One that was changed meanwhile is read again. So it does not matter who writes an item last: a program that
// knows the new attributes, one that does not, or the backfill. Begin it when every program that writes knows them:
// what an older one changes after the backfill has passed would keep the keys that it had.
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

// What a run counts.
const (
	Scanned = "scanned" // items that were looked at
	Lacking = "lacking" // of them, those that lacked attributes
	Filled  = "filled"  // those that got them
	Kept    = "kept"    // those that somebody else filled, or deleted, meanwhile
)

const (
	pageSize = 200 // items that a step looks at
	tries    = 10  // for an item that is changed each time that it is read
)

// Plan says what is missing where.
type Plan struct {
	Table string
	Key   []string // the names of its key attributes
	// Missing are the attributes that an item lacks; none when it lacks nothing.
	Missing func(ddb.Item) ddb.Item
	// From are the attributes that change and from which Missing derives what it returns.
	From []string
}

// Job fills the table of a plan, each item once: what has the attributes is left alone, however often it runs.
func Job(client *dynamodb.Client, p Plan, segments int) jobs.Job {
	f := &filler{client: client, plan: p}
	return jobs.Job{Name: "backfill " + p.Table, Segments: segments, Step: f.step}
}

type filler struct {
	client *dynamodb.Client
	plan   Plan
}

func (f *filler) step(ctx context.Context, at jobs.Place) (jobs.Step, error) {
	page, err := f.client.Scan(ctx, &dynamodb.ScanInput{
		TableName: &f.plan.Table, ConsistentRead: aws.Bool(true), Limit: aws.Int32(pageSize), ExclusiveStartKey: at.After,
		Segment: aws.Int32(int32(at.Segment)), TotalSegments: aws.Int32(int32(at.Segments)),
	})
	if err != nil {
		return jobs.Step{}, ddb.Failure(err)
	}
	step := jobs.Step{Next: page.LastEvaluatedKey, Counts: map[string]int64{Scanned: int64(len(page.Items))}}
	for _, it := range page.Items {
		if len(f.plan.Missing(it)) == 0 {
			continue
		}
		step.Counts[Lacking]++
		if at.DryRun {
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

// fill gives an item what it lacks, and says what came of it.
func (f *filler) fill(ctx context.Context, it ddb.Item) (string, error) {
	became := ""
	p := retry.Policy{On: []error{errChanged}, Tries: tries, First: 2 * time.Millisecond, Longest: 100 * time.Millisecond}
	err := p.Do(ctx, func() (err error) {
		became, it, err = f.fillOnce(ctx, it)
		return err
	})
	if errors.Is(err, errChanged) {
		err = fmt.Errorf("table %s: %w", f.plan.Table, err)
	}
	return became, err
}

var errChanged = errors.New("an item changes faster than it can be filled: start again")

// fillOnce fails with errChanged when somebody changed the item since it was read, and returns it as it is now.
func (f *filler) fillOnce(ctx context.Context, it ddb.Item) (string, ddb.Item, error) {
	missing := f.plan.Missing(it)
	if len(missing) == 0 {
		return Kept, it, nil
	}
	err := f.update(ctx, it, missing)
	if err == nil {
		return Filled, it, nil
	}
	if !ddb.Unmet(err) {
		return "", it, ddb.Failure(err)
	}
	out, err := f.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &f.plan.Table, Key: f.keyOf(it), ConsistentRead: aws.Bool(true)})
	if err != nil {
		return "", it, ddb.Failure(err)
	}
	if out.Item == nil {
		return Kept, nil, nil
	}
	return "", out.Item, errChanged
}

// update sets the missing attributes if none is there and the item is what it was in all that they derive from.
func (f *filler) update(ctx context.Context, it, missing ddb.Item) error {
	names, values := map[string]string{}, ddb.Item{}
	var set, only []string
	for i, name := range slices.Sorted(maps.Keys(missing)) {
		n, v := fmt.Sprintf("#m%d", i), fmt.Sprintf(":m%d", i)
		names[n], values[v] = name, missing[name]
		set, only = append(set, n+" = "+v), append(only, "attribute_not_exists("+n+")")
	}
	for i, name := range f.plan.From {
		n, v := fmt.Sprintf("#f%d", i), fmt.Sprintf(":f%d", i)
		names[n] = name
		if it[name] == nil {
			only = append(only, "attribute_not_exists("+n+")")
			continue
		}
		values[v], only = it[name], append(only, n+" = "+v)
	}
	names["#key"] = f.plan.Key[0]
	_, err := f.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &f.plan.Table, Key: f.keyOf(it), UpdateExpression: aws.String("SET " + strings.Join(set, ", ")),
		ConditionExpression:      aws.String("attribute_exists(#key) AND " + strings.Join(only, " AND ")),
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
