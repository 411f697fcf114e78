package steps

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/wire"
)

// Item is a stored item.
type Item = map[string]types.AttributeValue

func (w *World) registerItems(sc *godog.ScenarioContext) {
	sc.Step(`^table "([^"]*)" holds (no|\d+) items?$`, w.holds)
	sc.Step(`^the item of "([^"]*)" where "([^"]*)" has:$`, w.itemHas)
	sc.Step(`^the item of "([^"]*)" where "([^"]*)" has no "([^"]*)"$`, w.itemLacks)
	sc.Step(`^there is no item of "([^"]*)" where "([^"]*)"$`, w.noItem)
	sc.Step(`^the item of "([^"]*)" where "([^"]*)" is taken out of the store$`, w.takeOut)
	sc.Step(`^no table shows "([^"]*)"$`, w.nowhere)
	sc.Step(`^the store refuses it with (\w+)$`, func(code string) error { return w.refused(code, "") })
	sc.Step(`^the store refuses it with (\w+) because "([^"]*)"$`, w.refused)
}

// Items reads a whole table, consistently.
func (w *World) Items(ctx context.Context, table string) ([]Item, error) {
	return w.scan(ctx, &dynamodb.ScanInput{TableName: w.Table(table), ConsistentRead: aws.Bool(true)})
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

var keyPart = regexp.MustCompile(`(\w+) = '([^']*)'`)

// item reads one item by a key of strings, written name = 'value' AND …; it is nil when there is none.
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
	k := Item{}
	for _, m := range keyPart.FindAllStringSubmatch(text, -1) {
		k[m[1]] = &types.AttributeValueMemberS{Value: m[2]}
	}
	return k, err
}

func (w *World) itemHas(ctx context.Context, table, key string, rows *godog.Table) error {
	item, err := w.item(ctx, table, key)
	if err != nil {
		return err
	}
	if item == nil {
		return errors.New("there is no such item")
	}
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

// takeOut does to one item what its lifetime would, on stores whose clock cannot be moved.
func (w *World) takeOut(ctx context.Context, table, key string) error {
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

func (w *World) nowhere(ctx context.Context, text string) error {
	secret, err := w.Fill(text)
	if err != nil {
		return err
	}
	tables, err := w.tables(ctx)
	if err != nil {
		return err
	}
	for _, table := range tables {
		items, err := w.Items(ctx, table)
		if err != nil {
			return err
		}
		for _, item := range items {
			text := wire.Value(&types.AttributeValueMemberM{Value: item})
			if strings.Contains(strings.ToLower(text), strings.ToLower(secret)) {
				return fmt.Errorf("table %s shows it: %s", table, text)
			}
		}
	}
	return nil
}

// refused looks at Err. The reasons of a cancelled transaction are written "ConditionalCheckFailed, None"; other
// errors are searched for the text.
func (w *World) refused(code, because string) error {
	var api smithy.APIError
	if !errors.As(w.Err, &api) {
		return fmt.Errorf("it was not refused: %v", w.Err)
	}
	got := api.ErrorMessage()
	var cancelled *types.TransactionCanceledException
	if errors.As(w.Err, &cancelled) {
		got = reasons(cancelled)
	}
	if api.ErrorCode() != code || !strings.Contains(got, because) {
		return fmt.Errorf("it was refused with %s because %q", api.ErrorCode(), got)
	}
	return nil
}

func reasons(e *types.TransactionCanceledException) string {
	codes := make([]string, len(e.CancellationReasons))
	for i, r := range e.CancellationReasons {
		codes[i] = aws.ToString(r.Code)
	}
	return strings.Join(codes, ", ")
}
