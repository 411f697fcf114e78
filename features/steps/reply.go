package steps

import (
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/wire"
)

// Reply is the result of the last request that a scenario made itself.
type Reply struct {
	Found    []Item                          // the items that a read returned
	Left     map[string][]types.WriteRequest // the unprocessed items of a batch
	Consumed []types.ConsumedCapacity
	Err      error
}

// Item returns the item that was read, or nil if there was none.
func (r Reply) Item() Item {
	if len(r.Found) == 0 {
		return nil
	}
	return r.Found[0]
}

func (w *World) replySteps() Group {
	return Group{Title: "Results",
		Intro: "Results of the scenario's own last request. Values are written like this: 'text', 12.5, true, null, [1, 2], {a: 1}.",
		Steps: []Step{
			{`^it succeeds$`, func() error { return w.Err }, `it succeeds`, "The request succeeded."},
			{`^it is refused with (\w+)$`, func(code string) error {
				return w.Refused(code, "")
			}, `it is refused with ConditionalCheckFailedException`, "The request failed with this exception."},
			{`^it is refused with (\w+) because "(.*)"$`, w.Refused, `it is refused with ValidationException because "empty"`,
				"The same, and the message contains this text."},
			{`^it is cancelled because of "([^"]*)"$`, w.cancelledBecause,
				`it is cancelled because of "None, ConditionalCheckFailed"`,
				"The transaction was cancelled for these reasons, in the order of its actions."},
			{`^it gets no response$`, w.noResponse, `it gets no response`, "The connection was closed without a response."},
			{`^there is no such item$`, w.foundNone, `there is no such item`, "The read found no item."},
			{`^it is (\{.*\})$`, w.isItem, `it is {"id": "7", "state": "paid"}`, "The item that was read equals this one."},
			{`^it has:$`, w.hasAttributes, `it has:`,
				"The item that was read has the attributes of the table below (name, value). Other attributes are ignored."},
			{`^it has the (\w+) "([^"]*)"$`, func(name, text string) error {
				return w.hasText(name, text)
			}, `it has the state "paid"`, "The item that was read has this text in this attribute."},
			{`^it has no "([^"]*)"$`, w.hasNo, `it has no "state"`, "The item that was read does not have this attribute."},
			{`^(no|\d+) items? (?:is|are) found$`, w.foundCount, `2 items are found`, "The number of items that were read."},
			{`^the items found are:$`, w.foundAre,
				`the items found are:`, "The items are those of the table below, in this order. The first row names the attributes; others are ignored. An empty cell is an absent attribute."},
			{`^it consumed ([\d.]+) units?$`, func(n string) error {
				return w.consumed(n, "")
			}, `it consumed 1.5 units`, "The capacity units consumed by tables and indexes together."},
			{`^it consumed ([\d.]+) units? of the index "([^"]*)"$`, w.consumed, `it consumed 1 unit of the index "by-state"`,
				"The capacity units consumed by this global secondary index."},
			{`^the store refuses it with (\w+)$`, func(code string) error {
				return w.Refused(code, "")
			}, `the store refuses it with ValidationException`, "Like *it is refused with*, after a step about a service."},
			{`^the store refuses it with (\w+) because "([^"]*)"$`, w.Refused,
				`the store refuses it with TransactionCanceledException because "None, ConditionalCheckFailed"`,
				"The same, and the message contains this text."},
		}}
}

// Refused checks that the last request failed with this exception, for this reason; an empty text matches any. The
// reasons of a cancelled transaction are written "ConditionalCheckFailed, None"; other errors must contain the text.
func (w *World) Refused(code, because string) error {
	var api smithy.APIError
	if !errors.As(w.Err, &api) {
		return fmt.Errorf("it was not refused: %v, %v", w.Found, w.Err)
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

func (w *World) cancelledBecause(want string) error {
	var cancelled *types.TransactionCanceledException
	if !errors.As(w.Err, &cancelled) {
		return fmt.Errorf("it is not cancelled: %v", w.Err)
	}
	return equal(reasons(cancelled), want)
}

func reasons(e *types.TransactionCanceledException) string {
	codes := make([]string, len(e.CancellationReasons))
	for i, r := range e.CancellationReasons {
		codes[i] = aws.ToString(r.Code)
	}
	return strings.Join(codes, ", ")
}

// noResponse checks that the last request failed without a response of the service.
func (w *World) noResponse() error {
	var api smithy.APIError
	if w.Err == nil || errors.As(w.Err, &api) {
		return fmt.Errorf("the response is %v", w.Err)
	}
	return nil
}

func (w *World) foundNone() error {
	if w.Err != nil || len(w.Found) > 0 {
		return fmt.Errorf("the response is %s, %v", written(w.Found), w.Err)
	}
	return nil
}

// found returns the item that was read, or the reason why there is none.
func (w *World) found() (Item, error) {
	if w.Err == nil && len(w.Found) == 0 {
		return nil, errors.New("there is no such item")
	}
	return w.Item(), w.Err
}

func (w *World) isItem(text string) error {
	item, err := w.found()
	if err != nil {
		return err
	}
	want, err := w.ItemOf(text)
	if err != nil {
		return err
	}
	return equal(written([]Item{item}), written([]Item{want}))
}

func (w *World) hasAttributes(rows *godog.Table) error {
	item, err := w.found()
	if err != nil {
		return err
	}
	return w.attributesAre(item, rows)
}

func (w *World) hasText(name, text string) error {
	item, err := w.found()
	if err != nil {
		return err
	}
	return w.attributeIs(item, name, "'"+text+"'")
}

func (w *World) hasNo(name string) error {
	item, err := w.found()
	if err != nil {
		return err
	}
	if v, ok := item[name]; ok {
		return fmt.Errorf("it has %s", wire.Value(v))
	}
	return nil
}

func (w *World) foundCount(count string) error {
	if w.Err != nil {
		return w.Err
	}
	return equal(len(w.Found), Count(count))
}

func (w *World) foundAre(rows *godog.Table) error {
	if w.Err != nil {
		return w.Err
	}
	want, err := w.itemsOf(rows)
	if err != nil {
		return err
	}
	got := make([]Item, len(w.Found))
	for i, item := range w.Found {
		got[i] = Item{}
		for _, cell := range rows.Rows[0].Cells {
			if v, ok := item[cell.Value]; ok {
				got[i][cell.Value] = v
			}
		}
	}
	return equal(written(got), written(want))
}

// consumed checks the capacity units of the last request, in total or of one index.
func (w *World) consumed(want, index string) error {
	sum := 0.0
	for _, c := range w.Consumed {
		if index == "" {
			sum += aws.ToFloat64(c.CapacityUnits)
		} else {
			sum += aws.ToFloat64(c.GlobalSecondaryIndexes[index].CapacityUnits)
		}
	}
	if fmt.Sprint(sum) != want {
		return fmt.Errorf("it consumed %v: %v", sum, w.Err)
	}
	return nil
}
