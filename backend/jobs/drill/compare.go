package drill

import (
	"context"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/jobs"
)

// forth compares a page of the copy with the same items of the table.
func (d *drill) forth(ctx context.Context, place jobs.Place) (jobs.Step, error) {
	page, next, err := d.page(ctx, place.Parameters[copied], place.After)
	if err != nil {
		return jobs.Step{}, err
	}
	live, err := d.same(ctx, d.table, page)
	if err != nil {
		return jobs.Step{}, err
	}
	counts := map[string]int64{Restored: int64(len(page.items))}
	total := sumOf(ddb.Text(place.After[sum]))
	for _, it := range page.items {
		total.add(it)
		switch now, there := live[page.name(it)]; {
		case !there:
			counts[Gone]++
		case hash(now) == hash(it):
			counts[Same]++
		default:
			counts[Changed]++
		}
	}
	restored := ddb.Integer(place.After[items]) + int64(len(page.items))
	if next == nil {
		verify(place.Parameters, restored, total.String(), counts)
		return jobs.Step{Next: ddb.Item{"phase": ddb.Str(phaseBack)}, Counts: counts}, nil
	}
	return jobs.Step{Counts: counts, Next: ddb.Item{
		"phase": ddb.Str(phaseForth), "after": ddb.Object(next), sum: ddb.Str(total.String()), items: ddb.Number(restored),
	}}, nil
}

// verify compares the copy with the expected fingerprint, if there is one.
func verify(parameters map[string]string, restored int64, total string, counts map[string]int64) {
	switch {
	case parameters[sum] == "":
	case parameters[sum] == total && parameters[items] == strconv.FormatInt(restored, 10):
		counts[Verified] = 1
	default:
		counts[Differs] = 1
	}
}

// back counts the items of the table that the copy lacks.
func (d *drill) back(ctx context.Context, place jobs.Place) (jobs.Step, error) {
	page, next, err := d.page(ctx, d.table, place.After)
	if err != nil {
		return jobs.Step{}, err
	}
	restored, err := d.same(ctx, place.Parameters[copied], page)
	if err != nil {
		return jobs.Step{}, err
	}
	step := phase(phaseDelete)
	step.Counts = map[string]int64{New: int64(len(page.items) - len(restored))}
	if next != nil {
		step.Next = ddb.Item{"phase": ddb.Str(phaseBack), "after": ddb.Object(next)}
	} else if place.Parameters[keep] == "true" {
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

// name returns a hash that identifies an item of the page's table.
func (p page) name(it ddb.Item) [32]byte { return hash(p.keyOf(it)) }

// same reads the items of another table that have the keys of the page's items; the map's keys are their names.
func (d *drill) same(ctx context.Context, table string, p page) (map[[32]byte]ddb.Item, error) {
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
		byName[p.name(it)] = it
	}
	return byName, nil
}
