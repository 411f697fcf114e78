package steps

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/wire"
)

// Item is a stored item.
type Item = map[string]types.AttributeValue

func (w *World) itemSteps() Group {
	return Group{Title: "Stored items", Intro: "Read consistently, whoever wrote them.", Steps: []Step{
		{`^table "([^"]*)" holds (no|\d+) items?$`, w.holds, `table "orders" holds 2 items`,
			"The number of items that a scan of the table finds."},
		{`^the item of "([^"]*)" where "([^"]*)" has:$`, w.itemHas, `the item of "orders" where "id = '7'" has:`,
			"The item with this key has the attributes of the table below (name, value)."},
		{`^the item of "([^"]*)" where "([^"]*)" has no "([^"]*)"$`, w.itemLacks,
			`the item of "orders" where "id = '7'" has no "state"`, "The item exists and does not have this attribute."},
		{`^there is no item of "([^"]*)" where "([^"]*)"$`, w.noItem, `there is no item of "orders" where "id = '7'"`,
			"No item has this key."},
		{`^the item of "([^"]*)" where "([^"]*)" is removed from the store$`, w.deleteItem,
			`the item of "orders" where "id = '7'" is removed from the store`,
			"Deletes the item as if it had expired, for stores whose clock cannot be moved."},
		{`^no table contains "([^"]*)"$`, w.noTableContains, `no table contains "{secret}"`,
			"No item of the scenario's tables contains this text, in upper or lower case; there is at least one item."},
	}}
}

// Items returns all items of a table, with consistent reads.
func (w *World) Items(ctx context.Context, table string) ([]Item, error) {
	return w.scan(ctx, &dynamodb.ScanInput{TableName: w.Table(table), ConsistentRead: aws.Bool(true)})
}

// CountWithPrefix returns the number of items in which one of these keys is a string that begins with prefix.
func CountWithPrefix(items []Item, prefix string, keys ...string) int {
	return len(ItemsWithPrefix(items, prefix, keys...))
}

// ItemsWithPrefix returns the items in which one of these keys is a string that begins with prefix.
func ItemsWithPrefix(items []Item, prefix string, keys ...string) (found []Item) {
	for _, item := range items {
		if slices.ContainsFunc(keys, func(key string) bool {
			text, is := item[key].(*types.AttributeValueMemberS)
			return is && strings.HasPrefix(text.Value, prefix)
		}) {
			found = append(found, item)
		}
	}
	return found
}

// LackText returns an error if one of these items contains the text, or if there are no items.
func LackText(items []Item, text string) error {
	if len(items) == 0 {
		return errors.New("there are no such items")
	}
	if item := FindText(items, text); item != nil {
		return fmt.Errorf("one does: %s", wire.Value(&types.AttributeValueMemberM{Value: item}))
	}
	return nil
}

func (w *World) scan(ctx context.Context, in *dynamodb.ScanInput) ([]Item, error) {
	var items []Item
	pages := dynamodb.NewScanPaginator(w.Client, in)
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		items = append(items, page.Items...)
	}
	return items, nil
}

func (w *World) holds(ctx context.Context, table, count string) error {
	items, err := w.Items(ctx, table)
	if err != nil {
		return err
	}
	return equal(len(items), Count(count))
}

// item reads one item by its key, written name = 'value' AND …, and returns nil if there is none.
func (w *World) item(ctx context.Context, table, key string) (Item, error) {
	k, err := w.key(key)
	if err != nil {
		return nil, err
	}
	out, err := w.Client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: w.Table(table), Key: k, ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		return nil, err
	}
	return out.Item, nil
}

func (w *World) key(text string) (Item, error) {
	text, err := w.Fill(text)
	if err != nil {
		return nil, err
	}
	return keyOf(text)
}

func (w *World) itemHas(ctx context.Context, table, key string, rows *godog.Table) error {
	item, err := w.item(ctx, table, key)
	if err != nil {
		return err
	}
	if item == nil {
		return errors.New("there is no such item")
	}
	return w.attributesAre(item, rows)
}

func (w *World) attributesAre(item Item, rows *godog.Table) error {
	for _, row := range rows.Rows {
		if err := w.attributeIs(item, row.Cells[0].Value, row.Cells[1].Value); err != nil {
			return err
		}
	}
	return nil
}

func (w *World) attributeIs(item Item, name, want string) error {
	want, err := w.Fill(want)
	if err != nil {
		return err
	}
	v, ok := item[name]
	if !ok {
		return fmt.Errorf("it has no %s", name)
	}
	if got := wire.Value(v); got != want {
		return fmt.Errorf("%s is %s, not %s", name, got, want)
	}
	return nil
}

func (w *World) itemLacks(ctx context.Context, table, key, name string) error {
	item, err := w.item(ctx, table, key)
	if err != nil {
		return err
	}
	if v, ok := item[name]; ok || item == nil {
		return fmt.Errorf("%s is %v in %v", name, v, item)
	}
	return nil
}

func (w *World) noItem(ctx context.Context, table, key string) error {
	item, err := w.item(ctx, table, key)
	if err == nil && item != nil {
		err = fmt.Errorf("there is one: %v", item)
	}
	return err
}

// deleteItem deletes an item as its expiry would, for stores whose clock cannot be moved.
func (w *World) deleteItem(ctx context.Context, table, key string) error {
	k, err := w.key(key)
	if err != nil {
		return err
	}
	out, err := w.Client.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: w.Table(table), Key: k, ReturnValues: types.ReturnValueAllOld,
	})
	if err == nil && out.Attributes == nil {
		err = errors.New("there was no such item")
	}
	return err
}

func (w *World) noTableContains(ctx context.Context, text string) error {
	secret, err := w.Fill(text)
	if err != nil {
		return err
	}
	tables, err := w.tables(ctx)
	if err != nil {
		return err
	}
	searched := 0
	for _, table := range tables {
		items, err := w.Items(ctx, table)
		if err != nil {
			return err
		}
		searched += len(items)
		if item := FindText(items, secret); item != nil {
			return fmt.Errorf("table %s shows it: %s", table, wire.Value(&types.AttributeValueMemberM{Value: item}))
		}
	}
	if searched == 0 {
		return errors.New("the tables have no items")
	}
	return nil
}

// FindText returns an item that contains the text, in upper or lower case, or nil if there is none. It searches names
// and values, and the bytes of binary values.
func FindText(items []Item, text string) Item {
	text = strings.ToLower(text)
	for _, item := range items {
		all := &types.AttributeValueMemberM{Value: item}
		texts := []string{wire.Value(all)}
		for _, b := range binaries(all) {
			texts = append(texts, string(b))
		}
		if slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(strings.ToLower(s), text) }) {
			return item
		}
	}
	return nil
}

// binaries returns all binary values in a value.
func binaries(v types.AttributeValue) (all [][]byte) {
	switch v := v.(type) {
	case *types.AttributeValueMemberB:
		return [][]byte{v.Value}
	case *types.AttributeValueMemberBS:
		return v.Value
	case *types.AttributeValueMemberL:
		for _, one := range v.Value {
			all = append(all, binaries(one)...)
		}
	case *types.AttributeValueMemberM:
		for _, one := range v.Value {
			all = append(all, binaries(one)...)
		}
	}
	return all
}
