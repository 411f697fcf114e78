package dynamo

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// transaction is a TransactWriteItems under way.
type transaction struct {
	request *request
	in      *TransactWriteItemsInput
	tables  []*table
	changes []*change // nil where the key does not fit the table
	reasons []cancellationReason
	failed  bool
	token   *token
	replay  *tokenRecord // not nil: the request was done before
}

// prepare looks the tables up and checks the keys.
func (t *transaction) prepare() error {
	for i := range t.in.TransactItems {
		action := &t.in.TransactItems[i]
		table, err := t.request.account.table(action.TableName.V)
		if err != nil {
			return err
		}
		t.tables = append(t.tables, table)
		if err := action.checkKey(table); err != nil {
			var e *Error
			if errors.As(err, &e) && e.emptyKey {
				return err
			}
			t.cancel(i, err)
			t.changes = append(t.changes, nil)
			continue
		}
		t.changes = append(t.changes, action.change(t.request, table))
	}
	return t.checkDistinct()
}

// checkDistinct refuses two actions on one item.
func (t *transaction) checkDistinct() error {
	keys := make([][]byte, 0, len(t.changes))
	for _, c := range t.changes {
		if c != nil {
			keys = append(keys, c.key)
		}
	}
	if hasEqual(keys) {
		return validationError("Transaction request cannot include multiple operations on one item")
	}
	return nil
}

// hasEqual says whether two of the keys are the same. It sorts them.
func hasEqual(keys [][]byte) bool {
	slices.SortFunc(keys, bytes.Compare)
	for i := 1; i < len(keys); i++ {
		if bytes.Equal(keys[i-1], keys[i]) {
			return true
		}
	}
	return false
}

// cancel notes why action i stops the transaction.
func (t *transaction) cancel(i int, err error) {
	t.failed = true
	t.reasons[i] = cancellationReason{Code: "ValidationError"}
	var e *Error
	if errors.As(err, &e) {
		t.reasons[i].Message = e.Message
		if t.reasons[i].item = e.item; e.Type == dynamodb2012+conditionalCheckFailed {
			t.reasons[i].Code = "ConditionalCheckFailed"
		}
		if e.throttling != nil {
			t.reasons[i].Code = e.cancellation()
		}
	}
}

func (t *transaction) run() error {
	if t.token != nil {
		if !t.request.service.inFlight.beginToken(t.token.latch()) {
			return errInProgress()
		}
		defer t.request.service.inFlight.endToken(t.token.latch())
	}
	done, err := t.wasDone()
	if err != nil {
		return err
	}
	if done {
		return t.update()
	}
	uses := make([][]byte, len(t.changes))
	for i, c := range t.changes {
		if c != nil {
			uses[i] = c.key
		}
	}
	if conflicts := t.request.service.inFlight.beginTransaction(uses); conflicts != nil {
		return conflicted(conflicts)
	}
	defer t.request.service.inFlight.endTransaction(uses)
	t.request.hold()
	return t.update()
}

// wasDone says whether the request was done before, so that a repetition meets nobody.
func (t *transaction) wasDone() (done bool, err error) {
	if t.token == nil || t.request.service.inFlight == nil {
		return false, nil
	}
	t.token.now = t.request.service.clock.Now()
	err = t.request.service.store.View(func(r *store.Reader) error {
		record, err := t.token.find(r)
		done = record != nil
		return err
	})
	return done, err
}

// update does the transaction's work in the store, and what follows.
func (t *transaction) update() error {
	keys := make([][]byte, 0, len(t.changes)+1)
	for _, c := range t.changes {
		if c != nil {
			keys = append(keys, c.key)
		}
	}
	if t.token != nil {
		keys = append(keys, t.token.latch())
	}
	defer beginAll(t.changes).end()
	if err := t.request.service.store.UpdateContext(t.request.waiting(), latchesOf(keys, t.tables), t.runIn); err != nil {
		return err
	}
	if t.replay == nil {
		for _, c := range t.changes {
			t.request.service.committed(c)
		}
	}
	return nil
}

// runIn is the transaction's work in the store.
func (t *transaction) runIn(tx *store.Tx) error {
	if t.token != nil {
		t.token.now = t.request.service.clock.Now() // under the latch, so that of two requests the second finds the first
		record, err := t.token.find(&tx.Reader)
		if err != nil {
			return err
		}
		if record != nil {
			t.replay = record
			return t.again()
		}
	}
	for i, c := range t.changes {
		if c == nil {
			continue
		}
		err := c.run(tx)
		var refused *Error
		switch {
		case errors.As(err, &refused):
			t.cancel(i, err)
		case err != nil:
			return err
		}
	}
	if t.failed {
		return transactionCanceled(t.reasons)
	}
	if t.token == nil {
		return nil
	}
	return t.token.remember(tx, tokenRecord{Request: fingerprint(t.in.TransactItems), Reads: t.reads()})
}

// again charges for a request that was done before, and refuses another one under its token.
func (t *transaction) again() error {
	if t.replay.Request == fingerprint(t.in.TransactItems) {
		return t.chargeReplay()
	}
	return dynamoError("IdempotentParameterMismatchException", "The provided parameters do not match the request. Request parameters are different for the same client request token.")
}

func (t *transaction) chargeReplay() error {
	for _, reads := range t.replay.Reads {
		at := slices.IndexFunc(t.tables, func(u *table) bool { return u.def.Name == reads.Table })
		if at < 0 {
			continue
		}
		if err := t.request.chargeRead(t.tables[at], nil, reads.Units, nil, true); err != nil {
			return err
		}
	}
	return nil
}

// reads is what a repetition will cost: reading what this request looked at.
func (t *transaction) reads() []tokenReads {
	var reads []tokenReads
	for i, c := range t.changes {
		units := 2 * unitsFor(max(c.oldSize, c.newSize), readUnit)
		name := t.in.TransactItems[i].TableName.V
		at := slices.IndexFunc(reads, func(r tokenReads) bool { return r.Table == name })
		if at < 0 {
			reads = append(reads, tokenReads{name, units})
			continue
		}
		reads[at].Units += units
	}
	return reads
}

// transactionCanceled names a reason for each action, None for those that did not stop the transaction.
func transactionCanceled(reasons []cancellationReason) *Error {
	codes := make([]string, len(reasons))
	for i := range reasons {
		if reasons[i].Code == "" {
			reasons[i].Code = "None"
		}
		codes[i] = reasons[i].Code
	}
	e := dynamoError("TransactionCanceledException", "Transaction cancelled, please refer cancellation reasons for specific reasons ["+strings.Join(codes, ", ")+"]")
	e.reasons = reasons
	return e
}
