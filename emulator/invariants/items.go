package invariants

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// MaxItems is the number of items that Items returns.
const MaxItems = 1000

// errManyItems ends the reading of too many items.
var errManyItems = errors.New("there are too many items")

// Items returns the items of all tables and containers that the invariants are about, each as one line, by the name of
// its table and its key, such as "stock lamp". known is false if there are more than MaxItems. A table that does not
// exist has no items.
func (s *Set) Items(ctx context.Context, d Databases) (items map[string]string, known bool, err error) {
	items = map[string]string{}
	tables, containers := s.sources(d.Prefix)
	for _, table := range tables {
		if err = d.itemsOfTable(ctx, table, items); err != nil {
			break
		}
	}
	for _, c := range containers {
		if err == nil {
			err = d.itemsOfContainer(ctx, c, items)
		}
	}
	if errors.Is(err, errManyItems) {
		return nil, false, nil
	}
	return items, err == nil, err
}

// tableOfStatement finds the table of a statement in PartiQL.
var tableOfStatement = lazyregexp.New(`(?i)\bFROM\s+"?([A-Za-z0-9_.-]+)`)

// sources returns the full names of the tables, and the containers, each once.
func (s *Set) sources(prefix string) ([]string, []Container) {
	tables, containers := map[string]bool{}, map[Container]bool{}
	add := func(from source) {
		if from.cosmos != nil {
			containers[*from.cosmos] = true
		} else if from.table != "" {
			tables[prefix+from.table] = true
		}
	}
	for i := range s.Invariants {
		v := &s.Invariants[i]
		add(v.source())
		if v.Has != nil {
			add(v.counted())
		}
		if v.Cosmos == nil {
			for _, found := range tableOfStatement.FindAllStringSubmatch(v.Finds) {
				tables[found[1]] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(tables)), slices.Collect(maps.Keys(containers))
}

// itemsOfTable adds the items of a table by its full name.
func (d Databases) itemsOfTable(ctx context.Context, table string, to map[string]string) error {
	described, err := d.DynamoDB.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
	var missing *types.ResourceNotFoundException
	if errors.As(err, &missing) {
		return nil
	}
	if err != nil {
		return err
	}
	in := &dynamodb.ScanInput{TableName: &table, ConsistentRead: aws.Bool(true)}
	return d.scan(ctx, in, func(items []item) error {
		for _, each := range items {
			name := table + " "
			for i, key := range described.Table.KeySchema {
				text, _ := plainText(each[*key.AttributeName])
				name += []string{"", "/"}[min(i, 1)] + text
			}
			to[name] = show(each)
		}
		if len(to) > MaxItems {
			return errManyItems
		}
		return nil
	})
}

// itemsOfContainer adds the documents of a container. Those of one id are told apart by their number.
func (d Databases) itemsOfContainer(ctx context.Context, c Container, to map[string]string) error {
	err := d.readContainer(ctx, c, "", func(each item) {
		id, _ := plainText(each["id"])
		name := c.Container + " " + id
		for to[name] != "" {
			name += "'"
		}
		to[name] = show(each)
	})
	if isMissingContainer(err) {
		return nil
	}
	if err == nil && len(to) > MaxItems {
		return errManyItems
	}
	return err
}
