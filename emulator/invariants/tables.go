package invariants

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/internal/model/condition"
)

// item is an item of a table.
type item = map[string]types.AttributeValue

// scan passes the items of a table to do, with strong consistency. more completes the request.
func (d Databases) scan(ctx context.Context, table string, more func(*dynamodb.ScanInput), do func(item)) error {
	in := &dynamodb.ScanInput{TableName: aws.String(d.Prefix + table), ConsistentRead: aws.Bool(true)}
	if more != nil {
		more(in)
	}
	for pages := dynamodb.NewScanPaginator(d.DynamoDB, in); pages.HasMorePages(); {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, each := range page.Items {
			do(each)
		}
	}
	return nil
}

// checkEach finds the items that do not meet the condition.
func (v *Invariant) checkEach(ctx context.Context, d Databases, b *Break) error {
	var e condition.Expressions
	meets, err := e.Condition(v.Each)
	if err != nil {
		return err
	}
	return d.scan(ctx, v.Table, func(in *dynamodb.ScanInput) {
		in.FilterExpression = aws.String("NOT (" + *meets + ")")
		in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.Names, e.Values
	}, func(each item) { b.add("%s", show(each)) })
}

// checkSum compares the sum of an attribute.
func (v *Invariant) checkSum(ctx context.Context, d Databases, b *Break) error {
	sum := new(big.Rat)
	err := d.scan(ctx, v.Table, nil, func(each item) {
		if n, ok := each[v.Sum.Of].(*types.AttributeValueMemberN); ok {
			if r := parseNumber(n.Value); r != nil {
				sum.Add(sum, r)
			}
		}
	})
	if want := v.Sum.Equals.value; err == nil && sum.Cmp(want) != 0 {
		b.add("the sum of %s is %s, want %s", v.Sum.Of, decimal(sum), decimal(want))
	}
	return err
}

// checkUnique finds items that share all of the attributes.
func (v *Invariant) checkUnique(ctx context.Context, d Databases, b *Break) error {
	count := map[string]int{}
	err := d.scan(ctx, v.Table, nil, func(each item) {
		if key, ok := keyOf(each, v.Unique); ok {
			count[key]++
		}
	})
	for _, key := range slices.Sorted(maps.Keys(count)) {
		if count[key] > 1 {
			b.add("%d items have %s %s", count[key], strings.Join(v.Unique, ", "), key)
		}
	}
	return err
}

// checkHas finds items to which another number of items belongs.
func (v *Invariant) checkHas(ctx context.Context, d Databases, b *Break) error {
	theirs := slices.Sorted(maps.Keys(v.Has.Where))
	mine := make([]string, len(theirs))
	for i, name := range theirs {
		mine[i] = v.Has.Where[name]
	}
	count := map[string]int{}
	if err := d.scan(ctx, v.Has.In, nil, func(each item) {
		if key, ok := keyOf(each, theirs); ok {
			count[key]++
		}
	}); err != nil {
		return err
	}
	return d.scan(ctx, v.Table, nil, func(each item) {
		key, _ := keyOf(each, mine)
		if n := count[key]; n != v.Has.Count {
			b.add("%s has %d in %s, want %d", show(each), n, v.Has.In, v.Has.Count)
		}
	})
}

// keyOf returns the values of attributes as one text; ok is false if the item lacks one.
func keyOf(each item, names []string) (key string, ok bool) {
	values := make([]string, len(names))
	for i, name := range names {
		v, has := each[name]
		if !has {
			return "", false
		}
		values[i] = keyText(v)
	}
	return strings.Join(values, ", "), true
}

// maxShown is the number of characters of an item that are shown.
const maxShown = 200

// show returns an item as one line, with its attributes in alphabetical order.
func show(each item) string {
	parts := make([]string, 0, len(each))
	for _, name := range slices.Sorted(maps.Keys(each)) {
		parts = append(parts, fmt.Sprintf("%s: %s", name, textOf(each[name])))
	}
	return shorten("{" + strings.Join(parts, ", ") + "}")
}

// shorten returns a text of at most maxShown characters.
func shorten(text string) string {
	if r := []rune(text); len(r) > maxShown {
		return string(r[:maxShown]) + "…"
	}
	return text
}
