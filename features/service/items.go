package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/cucumber/godog"
)

// item is attributes as the SDK has them.
type item = map[string]types.AttributeValue

// reply is what came of a request.
type reply struct {
	item item // that was read; nil: none
	err  error
}

func (w *world) items(sc *godog.ScenarioContext) {
	sc.Step(`^the item (\{.*\}) is put into "([^"]*)"$`, w.put)
	sc.Step(`^the item (\{.*\}) of "([^"]*)" is read$`, func(ctx context.Context, key, table string) error { return w.get(ctx, key, table, false) })
	sc.Step(`^the item (\{.*\}) of "([^"]*)" is read consistently$`, func(ctx context.Context, key, table string) error { return w.get(ctx, key, table, true) })
	sc.Step(`^the item (\{.*\}) of "([^"]*)" is deleted$`, w.remove)
	sc.Step(`^it succeeds$`, func() error { return w.last.err })
	sc.Step(`^it is refused with (\w+)$`, func(code string) error { return w.refusedWith(code, "") })
	sc.Step(`^it is refused with (\w+) because "([^"]*)"$`, w.refusedWith)
	sc.Step(`^it is (\{.*\})$`, w.itemIs)
	sc.Step(`^there is no such item$`, func() error {
		if w.last.err != nil || w.last.item != nil {
			return fmt.Errorf("the answer is %v, %v", w.last.item, w.last.err)
		}
		return nil
	})
}

// itemOf reads an item that a scenario writes as plain JSON.
func itemOf(text string) (item, error) {
	var plain map[string]any
	if err := json.Unmarshal([]byte(text), &plain); err != nil {
		return nil, fmt.Errorf("the scenario's item %s: %w", text, err)
	}
	return attributevalue.MarshalMap(plain)
}

func (w *world) put(ctx context.Context, text, table string) error {
	it, err := itemOf(text)
	if err != nil {
		return err
	}
	_, err = w.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: w.table(table), Item: it})
	w.last = reply{err: err}
	return nil
}

func (w *world) get(ctx context.Context, text, table string, consistently bool) error {
	key, err := itemOf(text)
	if err != nil {
		return err
	}
	out, err := w.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: w.table(table), Key: key, ConsistentRead: &consistently})
	if w.last = (reply{err: err}); err == nil {
		w.last.item = out.Item
	}
	return nil
}

func (w *world) remove(ctx context.Context, text, table string) error {
	key, err := itemOf(text)
	if err != nil {
		return err
	}
	_, err = w.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: w.table(table), Key: key})
	w.last = reply{err: err}
	return nil
}

// table is a table's name on the target.
func (w *world) table(name string) *string {
	name = w.Prefix + name
	return &name
}

// refusedWith holds the last request's error: its code, and words of its message, empty for any.
func (w *world) refusedWith(code, because string) error {
	var api smithy.APIError
	if !errors.As(w.last.err, &api) {
		return fmt.Errorf("it is not refused: %v, %v", w.last.item, w.last.err)
	}
	if api.ErrorCode() != code || !strings.Contains(api.ErrorMessage(), because) {
		return fmt.Errorf("it is refused with %s: %s", api.ErrorCode(), api.ErrorMessage())
	}
	return nil
}

// itemIs holds the item that was read.
func (w *world) itemIs(text string) error {
	if w.last.err != nil {
		return w.last.err
	}
	var want, got map[string]any
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		return err
	}
	if err := attributevalue.UnmarshalMap(w.last.item, &got); err != nil {
		return err
	}
	if fmt.Sprint(want) != fmt.Sprint(got) {
		return fmt.Errorf("it is %v", got)
	}
	return nil
}
