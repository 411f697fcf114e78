package advice

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// retried makes a program send an update until it succeeds. The first one fails.
func retried(do emulator.FaultAction, in *dynamodb.UpdateItemInput) func(program) {
	return func(p program) {
		p.table("totals", "id")
		p.fail(emulator.Fault{Operations: []string{"UpdateItem"}, Do: do, Times: 1})
		p = p.withoutRetries()
		if _, err := p.UpdateItem(p.Context(), in); err == nil {
			p.Fatal("the update does not fail")
		}
		p.wait(time.Second)
		p.must(p.UpdateItem(p.Context(), in))
		p.get("totals", item{"id": "1"})
	}
}

func TestCountedTwice(t *testing.T) {
	t.Parallel()
	add := update("totals", item{"id": "1"}, "ADD amount :n", item{":n": 1})
	for name, c := range map[string]struct {
		do       emulator.FaultAction
		in       *dynamodb.UpdateItemInput
		problem  string
		evidence string
	}{
		"lost": {emulator.DoCutAfterCommit, add,
			"1 update that adds or appends was sent again after a failure; 1 of them were done twice",
			"repeats #2, which is done, but its response is lost"},
		"500": {emulator.DoInternalError, add,
			"1 update that adds or appends was sent again after a failure; 0 of them were done twice",
			"repeats #2, which fails with InternalServerError, after which it may or may not have been done"},
		"SET": {emulator.DoCutAfterCommit,
			update("totals", item{"id": "1"}, "SET amount = if_not_exists(amount, :zero) + :n", item{":n": 1, ":zero": 0}),
			"1 update that adds or appends was sent again after a failure; 1 of them were done twice",
			"repeats #2, which is done, but its response is lost"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := wantOne(t, "counted-twice", "totals", c.problem, retried(c.do, c.in), stopped)
			if f.Times != 1 || f.Shown[0].Text != c.evidence || f.Shown[0].N != 3 {
				t.Errorf("%+v", f)
			}
		})
	}
}

// TestCountedTwiceAfterAnEarlierFailure checks that an update that failed long before, and was given up, does not hide
// a repetition.
func TestCountedTwiceAfterAnEarlierFailure(t *testing.T) {
	t.Parallel()
	add := update("totals", item{"id": "1"}, "ADD amount :n", item{":n": 1})
	const problem = "1 update that adds or appends was sent again after a failure; 0 of them were done twice"
	f := wantOne(t, "counted-twice", "totals", problem,
		func(p program) {
			p.table("totals", "id")
			p.fail(emulator.Fault{Operations: []string{"UpdateItem"}, Do: emulator.DoInternalError, Times: 2})
			p = p.withoutRetries()
			for range 2 {
				if _, err := p.UpdateItem(p.Context(), add); err == nil {
					p.Fatal("the update does not fail")
				}
				p.wait(10 * time.Minute)
				p.get("totals", item{"id": "1"})
			}
			p.fail(emulator.Fault{Operations: []string{"UpdateItem"}, Do: emulator.DoInternalError, Times: 1})
			_, _ = p.UpdateItem(p.Context(), add)
			p.wait(time.Second)
			p.must(p.UpdateItem(p.Context(), add))
		}, stopped)
	if f.Times != 1 {
		t.Errorf("%+v", f)
	}
}

func TestCountedTwiceIsSilent(t *testing.T) {
	t.Parallel()
	conditional := update("totals", item{"id": "1"}, "ADD amount :n", item{":n": 1, ":max": 9})
	conditional.ConditionExpression = aws.String("attribute_not_exists(amount) OR amount < :max")
	lost := emulator.DoCutAfterCommit
	wantSilence(t, "counted-twice", map[string]func(program){
		"a condition": retried(lost, conditional),
		"a new value": retried(lost, update("totals", item{"id": "1"}, "SET amount = :n", item{":n": 1})),
		"a first value": retried(lost, update("totals", item{"id": "1"}, "SET amount = if_not_exists(amount, :n)",
			item{":n": 1})),
		"an element of a set": retried(lost, update("totals", item{"id": "1"}, "ADD members :n", item{":n": []string{"a"}})),
		"nothing fails": func(p program) {
			p.table("totals", "id")
			for range 5 {
				p.must(p.UpdateItem(p.Context(), update("totals", item{"id": "1"}, "ADD amount :n", item{":n": 1})))
			}
		},
		"a counter of views": func(p program) {
			p.table("totals", "id")
			p.fail(emulator.Fault{Operations: []string{"UpdateItem"}, Do: lost, Skip: 2, Times: 1})
			p = p.withoutRetries()
			for range 5 {
				_, _ = p.UpdateItem(p.Context(), update("totals", item{"id": "1"}, "ADD amount :n", item{":n": 1}))
				p.wait(time.Second)
			}
		},
		"it is not sent again": func(p program) {
			p.table("totals", "id")
			p.fail(emulator.Fault{Operations: []string{"UpdateItem"}, Do: lost, Times: 1})
			_, _ = p.withoutRetries().UpdateItem(p.Context(), update("totals", item{"id": "1"}, "ADD amount :n", item{":n": 1}))
			p.must(p.UpdateItem(p.Context(), update("totals", item{"id": "2"}, "ADD amount :n", item{":n": 1})))
		},
		"a transaction with a token": func(p program) {
			p.table("seats", "id")
			p.fail(emulator.Fault{Operations: []string{"TransactWriteItems"}, Do: lost, Times: 1})
			in := &dynamodb.TransactWriteItemsInput{ClientRequestToken: aws.String("booking-1"),
				TransactItems: []types.TransactWriteItem{count()}}
			_, _ = p.withoutRetries().TransactWriteItems(p.Context(), in)
			p.must(p.TransactWriteItems(p.Context(), in))
		},
	}, stopped)
}
