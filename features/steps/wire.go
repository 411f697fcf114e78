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
	return Group{Title: "What went over the wire", Intro: "What a service that was given World.Observed or World.SDK asked of the store, since the scenario began. A request is written with its placeholders filled in; what a sentence leaves out may be anything, but for the index: without one the table itself is meant.", Steps: []Step{
		{`^the store received an? (\w+ of .+)$`, w.askedFor, `the store received a Query of index "by-state" of "orders" where "state = 'open'", descending, limit 2`, "At least once. What can follow: `where \"…\"` (the key condition, or an item's key), `only if \"…\"` (the condition), `setting \"…\"` (part of the update), `filtered by \"…\"`, `descending`, `ascending`, `consistent`, `eventually consistent`, `limit 2`."},
		{`^the store received (\d+) requests?: (\w+ of .+)$`, w.askedTimes, `the store received 2 requests: GetItem of "orders"`, "Exactly so often."},
		{`^the store received, in this order:$`, w.askedInOrder, `the store received, in this order:`, "Each row of the table below after the one before it; other requests may come between."},
		{`^the store received (?:a|(\d+)) transactions? of:$`, w.askedTransactions, `the store received a transaction of:`, "One transaction, or as many as it says and no other, of exactly the actions of the table below: Put, Update, Delete or Check."},
		{`^the store received no ([A-Z]\w+)(?: of "([^"]*)")?$`, w.neverAsked, `the store received no Scan`, "Not once, of any table or of the one that is named."},
		{`^each (\w+)(?: of "([^"]*)")? waits until (\d+) have arrived and no more follow$`, w.gather, `each UpdateItem of "orders" waits until 2 have arrived and no more follow`, "Once, and for ten seconds at most: so as many are under way together as the service makes side by side. Without a table, as transactions are: of any."},
		{`^the store never received more than (\d+) (\w+) requests at once$`, w.mostAtOnce, `the store never received more than 16 UpdateItem requests at once`, "So many were under way together at most, and at least two."},
		{`^exactly (\d+) (\w+) of "([^"]*)" succeeded, and the others failed their condition$`, w.succeeded, `exactly 1 UpdateItem of "orders" succeeded, and the others failed their condition`, "There was at least one other; none was refused for another reason."},
		{`^the store received no request$`, w.askedNothing, `the store received no request`, "Not one request was sent."},
		{`^earlier requests are ignored$`, func() { w.Wire.Reset() }, `earlier requests are ignored`, "Later sentences are about what is asked from here on."},
	}}
}

func (w *World) want(text string) (want, error) {
	filled, err := w.Fill(text)
	if err != nil {
		return want{}, err
	}
	return parseWant(filled)
}

func (w *World) askedFor(text string) error {
	want, err := w.want(text)
	if err != nil {
		return err
	}
	for _, c := range w.Wire.Calls() {
		if want.matches(c) {
			return nil
		}
	}
	return w.notAsked(want.text)
}

func (w *World) askedTimes(n int, text string) error {
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
		return fmt.Errorf("%d times, %w", got, w.notAsked(want.text))
	}
	return nil
}

// askedInOrder checks that the calls contain each row, in order. Other calls may be in between.
func (w *World) askedInOrder(rows *godog.Table) error {
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
			return fmt.Errorf("in its place, %w", w.notAsked(want.text))
		}
		calls = calls[i+1:]
	}
	return nil
}

// askedTransactions checks that there were exactly n transactions, each with exactly these actions.
func (w *World) askedTransactions(count string, rows *godog.Table) error {
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
		return fmt.Errorf("%d %s succeeded, and the condition of %d did not hold", done, operation, unmet)
	}
	return nil
}

func (w *World) gather(operation, table string, least int) { w.Wire.Gather(operation, table, least) }

func (w *World) mostAtOnce(limit int, operation string) error {
	if got := w.Wire.Most(operation); got > limit || got < 2 {
		return fmt.Errorf("%d %s were under way at once", got, operation)
	}
	return nil
}

func (w *World) neverAsked(operation, table string) error {
	for _, c := range w.Wire.Calls() {
		if c.Operation == operation && (table == "" || table == c.Table) {
			return fmt.Errorf("it was: %s", c)
		}
	}
	return nil
}

func (w *World) askedNothing() error {
	if calls := w.Wire.Calls(); len(calls) > 0 {
		return fmt.Errorf("it was: %s", calls[0])
	}
	return nil
}

func (w *World) notAsked(text string) error {
	var b strings.Builder
	for _, c := range w.Wire.Calls() {
		b.WriteString("\n  " + c.String())
	}
	return fmt.Errorf("the store was not asked for\n  %s\nbut for%s", text, b.String())
}
