package drill

import (
	"context"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/jobs"
)

// compareCopy compares a page of the copy with the same items of the table.
func (d *drill) compareCopy(ctx context.Context, in jobs.StepInput) (jobs.StepResult, error) {
	page, next, err := d.page(ctx, in.Parameters[paramCopy], in.After)
	if err != nil {
		return jobs.StepResult{}, err
	}
	live, err := d.matchingItems(ctx, d.table, page)
	if err != nil {
		return jobs.StepResult{}, err
	}
	counts := map[string]int64{Restored: int64(len(page.items))}
	total := parseHashSum(ddb.Text(in.After[paramSum]))
	for _, it := range page.items {
		total.add(it)
		switch current, found := live[page.keyHash(it)]; {
		case !found:
			counts[Gone]++
		case hash(current) == hash(it):
			counts[Same]++
		default:
			counts[Changed]++
		}
	}
	restored := ddb.Integer(in.After[paramItems]) + int64(len(page.items))
	if next == nil {
		verify(in.Parameters, restored, total.String(), counts)
		return jobs.StepResult{Next: ddb.Item{"phase": ddb.Str(phaseCompareTable)}, Counts: counts}, nil
	}
	return jobs.StepResult{Counts: counts, Next: ddb.Item{
		"phase": ddb.Str(phaseCompareCopy), "after": ddb.Object(next), paramSum: ddb.Str(total.String()),
		paramItems: ddb.Number(restored),
	}}, nil
}

// verify compares the copy with the expected fingerprint, if there is one.
func verify(parameters map[string]string, restored int64, total string, counts map[string]int64) {
	switch {
	case parameters[paramSum] == "":
	case parameters[paramSum] == total && parameters[paramItems] == strconv.FormatInt(restored, 10):
		counts[Verified] = 1
	default:
		counts[Differs] = 1
	}
}

// compareTable counts the items of the table that the copy lacks.
func (d *drill) compareTable(ctx context.Context, in jobs.StepInput) (jobs.StepResult, error) {
	page, next, err := d.page(ctx, d.table, in.After)
	if err != nil {
		return jobs.StepResult{}, err
	}
	restored, err := d.matchingItems(ctx, in.Parameters[paramCopy], page)
	if err != nil {
		return jobs.StepResult{}, err
	}
	step := phase(phaseDelete)
	step.Counts = map[string]int64{New: int64(len(page.items) - len(restored))}
	if next != nil {
		step.Next = ddb.Item{"phase": ddb.Str(phaseCompareTable), "after": ddb.Object(next)}
	} else if in.Parameters[paramKeep] == "true" {
		step.Next = nil
	}
	return step, nil
}

// page holds a page of a table's items and the names of the table's key attributes.
type page struct {
	items []ddb.Item
	key   []string
}

func (d *drill) page(ctx context.Context, table string, after ddb.Item) (page, ddb.Item, error) {
	described, err := d.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
	if err != nil {
		return page{}, nil, ddb.MapError(err)
	}
	p := page{}
	for _, k := range described.Table.KeySchema {
		p.key = append(p.key, aws.ToString(k.AttributeName))
	}
	out, err := d.client.Scan(ctx, &dynamodb.ScanInput{
		TableName: &table, ConsistentRead: aws.Bool(true), Limit: aws.Int32(pageSize),
		ExclusiveStartKey: ddb.Members(after["after"]),
	})
	if err != nil {
		return page{}, nil, ddb.MapError(err)
	}
	p.items = out.Items
	return p, out.LastEvaluatedKey, nil
}

// keyOf returns the key of an item of the page's table.
func (p page) keyOf(it ddb.Item) ddb.Item {
	key := ddb.Item{}
	for _, name := range p.key {
		key[name] = it[name]
	}
	return key
}

// keyHash returns a hash that identifies an item of the page's table.
func (p page) keyHash(it ddb.Item) [32]byte { return hash(p.keyOf(it)) }

// matchingItems reads the items of another table that have the keys of the page's items; the map's keys are their
// names.
func (d *drill) matchingItems(ctx context.Context, table string, p page) (map[[32]byte]ddb.Item, error) {
	var keys []ddb.Item
	for _, it := range p.items {
		keys = append(keys, p.keyOf(it))
	}
	found, err := ddb.GetAll(ctx, d.client, table, keys, d.wait)
	if err != nil {
		return nil, err
	}
	byName := map[[32]byte]ddb.Item{}
	for _, it := range found {
		byName[p.keyHash(it)] = it
	}
	return byName, nil
}
