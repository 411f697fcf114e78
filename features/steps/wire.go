package steps

import (
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/wire"
)

func (w *World) wireSteps() Group {
	return Group{Title: "Requests to the store",
		Intro: "Requests of a service that uses World.RecordedConfig or World.SDK, since the scenario began; of an httpapi.Service, since the last step that sent it a request. Placeholders are replaced by their values. What a step leaves out can have any value, except for the index: without one, the request is for the table itself.",
		Steps: []Step{
			{`^the store received an? (\w+ of .+)$`, w.received,
				`the store received a Query of index "by-state" of "orders" where "state = 'open'", descending, limit 2`, "At least one such request. Optional parts: `where \"…\"` (the key condition, or an item's key), `only if \"…\"` (the condition), `setting \"…\"` (part of the update), `filtered by \"…\"`, `descending`, `ascending`, `consistent`, `eventually consistent`, `limit 2`."},
			{`^the store received (\d+) requests?: (\w+ of .+)$`, w.receivedTimes,
				`the store received 2 requests: GetItem of "orders"`, "Exactly this number of such requests."},
			{`^the store received, in this order:$`, w.receivedInOrder, `the store received, in this order:`,
				"The requests of the table below, in this order. Others may come in between."},
			{`^the store received (?:a|(\d+)) transactions? of:$`, w.receivedTransactions,
				`the store received a transaction of:`, "A transaction with exactly the actions of the table below: Put, Update, Delete or Check. With a number: so many, and no other transaction."},
			{`^the store received no ([A-Z]\w+)(?: of "([^"]*)")?$`, w.receivedNone, `the store received no Scan`,
				"No such request, to any table or to the named one."},
			{`^the store never received an? ([A-Z]\w+)(?: of "([^"]*)")?$`, w.neverReceived, `the store never received a Scan`,
				"No such request in the whole scenario, to any table or to the named one."},
			{`^each (\w+)(?: of "([^"]*)")? waits until (\d+) have arrived and no more follow$`, w.holdCalls,
				`each UpdateItem of "orders" waits until 2 have arrived and no more follow`, "Holds the first requests back, for at most ten seconds, so that all requests that the service sends in parallel run at the same time. Without a table: requests to any table, such as transactions."},
			{`^the store never received more than (\d+) (\w+) requests at once$`, w.maxConcurrent,
				`the store never received more than 16 UpdateItem requests at once`,
				"The largest number of requests that ran at the same time, which was at least two."},
			{`^exactly (\d+) (\w+) of "([^"]*)" succeeded, and the others failed their condition$`, w.succeeded,
				`exactly 1 UpdateItem of "orders" succeeded, and the others failed their condition`,
				"At least one other request was sent, and none failed for another reason."},
			{`^the store received no request$`, w.receivedNothing, `the store received no request`, "No request was sent."},
			{`^earlier requests are ignored$`, func() {
				w.Wire.Reset()
			}, `earlier requests are ignored`, "Later steps check only requests from here on."},
		}}
}

func (w *World) want(text string) (want, error) {
	filled, err := w.Fill(text)
	if err != nil {
		return want{}, err
	}
	return parseWant(filled)
}

func (w *World) received(text string) error {
	want, err := w.want(text)
	if err != nil {
		return err
	}
	for _, c := range w.Wire.Calls() {
		if want.matches(c) {
			return nil
		}
	}
	return w.notReceived(want.text)
}

func (w *World) receivedTimes(n int, text string) error {
	want, err := w.want(text)
	if err != nil {
		return err
	}
	got := 0
	for _, c := range w.Wire.Calls() {
		if want.matches(c) {
			got++
		}
	}
	if got != n {
		return fmt.Errorf("%d times, %w", got, w.notReceived(want.text))
	}
	return nil
}

// receivedInOrder checks that the calls contain each row, in order. Other calls may be in between.
func (w *World) receivedInOrder(rows *godog.Table) error {
	calls := w.Wire.Calls()
	for _, row := range rows.Rows {
		want, err := w.want(row.Cells[0].Value)
		if err != nil {
			return err
		}
		i := 0
		for i < len(calls) && !want.matches(calls[i]) {
			i++
		}
		if i == len(calls) {
			return fmt.Errorf("in its place, %w", w.notReceived(want.text))
		}
		calls = calls[i+1:]
	}
	return nil
}

// receivedTransactions checks that there were exactly n transactions, each with exactly these actions.
func (w *World) receivedTransactions(count string, rows *godog.Table) error {
	n := max(Count(count), 1)
	got := 0
	for _, c := range w.Wire.Calls() {
		if c.Operation != "TransactWriteItems" {
			continue
		}
		if err := w.sameActions(c, rows); err != nil {
			return err
		}
		got++
	}
	if got != n {
		return fmt.Errorf("%d transactions, not %d", got, n)
	}
	return nil
}

func (w *World) sameActions(c wire.Call, rows *godog.Table) error {
	if len(c.Actions) != len(rows.Rows) {
		return fmt.Errorf("a transaction of %d actions: %s", len(c.Actions), c)
	}
	for i, row := range rows.Rows {
		want, err := w.want(row.Cells[0].Value)
		if err != nil {
			return err
		}
		if !want.matchesAction(c.Actions[i]) {
			return fmt.Errorf("action %d is %s, not %s", i+1, c.Actions[i], want.text)
		}
	}
	return nil
}

func (w *World) succeeded(n int, operation, table string) error {
	done, unmet := 0, 0
	for _, c := range w.Wire.Calls() {
		var failed *types.ConditionalCheckFailedException
		switch {
		case c.Operation != operation || c.Table != table:
		case c.Err == nil:
			done++
		case errors.As(c.Err, &failed):
			unmet++
		default:
			return fmt.Errorf("%s: %w", c, c.Err)
		}
	}
	if done != n || unmet == 0 {
		return fmt.Errorf("%d %s succeeded, and %d failed their condition", done, operation, unmet)
	}
	return nil
}

func (w *World) holdCalls(operation, table string, least int) {
	w.Wire.HoldCalls(operation, table, least)
}

func (w *World) maxConcurrent(limit int, operation string) error {
	if got := w.Wire.MaxConcurrent(operation); got > limit || got < 2 {
		return fmt.Errorf("%d %s ran at the same time", got, operation)
	}
	return nil
}

func (w *World) receivedNone(operation, table string) error {
	for _, c := range w.Wire.Calls() {
		if c.Operation == operation && (table == "" || table == c.Table) {
			return fmt.Errorf("it was: %s", c)
		}
	}
	return nil
}

func (w *World) neverReceived(operation, table string) error {
	if n := w.Wire.Count(operation, table); n > 0 {
		return fmt.Errorf("it received %d", n)
	}
	return nil
}

func (w *World) receivedNothing() error {
	if calls := w.Wire.Calls(); len(calls) > 0 {
		return fmt.Errorf("it was: %s", calls[0])
	}
	return nil
}

func (w *World) notReceived(text string) error {
	var b strings.Builder
	for _, c := range w.Wire.Calls() {
		b.WriteString("\n  " + c.String())
	}
	return fmt.Errorf("the store did not receive\n  %s\nbut received%s", text, b.String())
}
