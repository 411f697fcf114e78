package data

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// transaction is a TransactWriteItems in progress.
type transaction struct {
	request *engine.Request
	in      *TransactWriteItemsInput
	tables  []*engine.Table
	changes []*engine.Change
	reasons []wire.CancellationReason
	failed  bool
	token   *token
	replay  *tokenRecord // not nil: the request repeats an earlier one
}

// prepare finds the tables and checks the keys. The first key that does not fit its table cancels the
// transaction, before the service looks for duplicate items or at conditions, and it is the only reason. (exoego in
// floci-io/floci, who checked it on AWS in September 2026.)
func (t *transaction) prepare() error {
	for i := range t.in.TransactItems {
		action := &t.in.TransactItems[i]
		table, err := transactionTable(t.request, action.TableName.V)
		if err != nil {
			return err
		}
		t.tables = append(t.tables, table)
		if err := action.checkAgainst(table); err != nil {
			var e *wire.Error
			if errors.As(err, &e) && e.EmptyKey {
				return err
			}
			if !t.failed {
				t.cancel(i, err)
			}
			continue
		}
		t.changes = append(t.changes, action.change(t.request, table))
	}
	if t.failed {
		return TransactionCanceled(t.reasons)
	}
	return t.checkDistinctItems()
}

// transactionTable returns the table of an action of a transaction. Replicas with multi-Region strong consistency have
// no transactions (AWS, "How DynamoDB global tables work"). The text is ours.
func transactionTable(req *engine.Request, name string) (*engine.Table, error) {
	t, err := req.Account.Table(name)
	if err == nil && t.IsStrong() {
		return nil, wire.ValidationError(
			"Transactions are not supported for global tables with MultiRegionConsistency set to STRONG.")
	}
	return t, err
}

// checkDistinctItems returns an error if two actions are on one item.
func (t *transaction) checkDistinctItems() error {
	keys := make([][]byte, len(t.changes))
	for i, c := range t.changes {
		keys[i] = c.Key
	}
	if hasDuplicates(keys) {
		return wire.ValidationError("Transaction request cannot include multiple operations on one item")
	}
	return nil
}

// hasDuplicates reports whether two of the keys are equal. It sorts them.
func hasDuplicates(keys [][]byte) bool {
	slices.SortFunc(keys, bytes.Compare)
	for i := 1; i < len(keys); i++ {
		if bytes.Equal(keys[i-1], keys[i]) {
			return true
		}
	}
	return false
}

// cancel records why action i cancels the transaction.
func (t *transaction) cancel(i int, err error) {
	t.failed = true
	t.reasons[i] = wire.CancellationReason{Code: "ValidationError"}
	var e *wire.Error
	if errors.As(err, &e) {
		t.reasons[i].Message = e.Message
		if t.reasons[i].Item = e.Item; e.Type == wire.DynamoNamespace+wire.ConditionalCheckFailed {
			t.reasons[i].Code = "ConditionalCheckFailed"
		}
		if e.Name() == wire.DuplicateItem {
			t.reasons[i].Code = "DuplicateItem"
		}
		if e.Throttling != nil {
			t.reasons[i].Code = e.CancellationCode()
		}
	}
}

func (t *transaction) run() error {
	if t.token != nil {
		if !t.request.Engine.InFlight.BeginToken(t.token.latch()) {
			return errInProgress()
		}
		defer t.request.Engine.InFlight.EndToken(t.token.latch())
	}
	done, err := t.alreadyDone()
	if err != nil {
		return err
	}
	if done {
		return t.commit()
	}
	keys := make([][]byte, len(t.changes))
	for i, c := range t.changes {
		keys[i] = c.Key
	}
	if conflicts := t.request.Engine.InFlight.BeginTransaction(keys); conflicts != nil {
		return TransactionConflicts(conflicts)
	}
	defer t.request.Engine.InFlight.EndTransaction(keys)
	t.request.PauseInside()
	return t.commit()
}

// alreadyDone reports whether the request was done before. Such a repetition conflicts with nothing. Without Conflicts
// it reports false, and runInTx finds the repetition.
func (t *transaction) alreadyDone() (done bool, err error) {
	if t.token == nil || t.request.Engine.InFlight == nil {
		return false, nil
	}
	t.token.now = t.request.Engine.Clock.Now()
	err = t.request.Engine.Store.View(func(r *store.Reader) error {
		record, err := t.token.lookUp(r)
		done = record != nil
		return err
	})
	return done, err
}

// commit runs the transaction in the store, and then applies the effects outside the store.
func (t *transaction) commit() error {
	var more [][]byte
	if t.token != nil {
		more = [][]byte{t.token.latch()}
	}
	latches, tickets := engine.BeginChanges(t.changes, more...)
	defer tickets.End()
	if err := t.request.Engine.Store.UpdateContext(t.request.BeginWait(), latches, t.runInTx); err != nil {
		return err
	}
	if t.replay == nil {
		for _, c := range t.changes {
			t.request.Engine.AfterCommit(c)
		}
	}
	return nil
}

// runInTx is the transaction's part in the store.
func (t *transaction) runInTx(tx *store.Tx) error {
	if t.token != nil {
		// Under the latch, so that the second of two equal requests finds the first.
		t.token.now = t.request.Engine.Clock.Now()
		record, err := t.token.lookUp(&tx.Reader)
		if err != nil {
			return err
		}
		if record != nil {
			t.replay = record
			return t.replayRequest()
		}
	}
	for i, c := range t.changes {
		err := c.Run(tx)
		var serviceErr *wire.Error
		switch {
		case errors.As(err, &serviceErr) && !serviceErr.EmptyKey:
			t.cancel(i, err)
		case err != nil:
			return err
		}
	}
	if t.failed {
		return TransactionCanceled(t.reasons)
	}
	if t.token == nil {
		return nil
	}
	return t.token.save(tx, tokenRecord{Fingerprint: fingerprint(t.in.TransactItems), Costs: t.costs()})
}

// replayRequest charges for a request that was done before, or returns an error if the request differs from the token's
// first one.
func (t *transaction) replayRequest() error {
	if t.replay.Fingerprint == fingerprint(t.in.TransactItems) {
		return t.chargeReplay()
	}
	return wire.DynamoError(
		"IdempotentParameterMismatchException", "The provided parameters do not match the request. Request parameters are different for the same client request token.")
}

func (t *transaction) chargeReplay() error {
	for _, cost := range t.replay.Costs {
		at := slices.IndexFunc(t.tables, func(u *engine.Table) bool { return u.Def.Name == cost.Table })
		if at < 0 {
			continue
		}
		if err := t.request.ChargeRead(t.tables[at], nil, 1, cost.Units, nil, true); err != nil {
			return err
		}
	}
	return nil
}

// costs returns the cost of repeating the request: reading its items.
func (t *transaction) costs() []tableCost {
	var costs []tableCost
	for i, c := range t.changes {
		units := 2 * engine.UnitsFor(max(c.OldSize, c.NewSize), engine.ReadUnit)
		name := t.in.TransactItems[i].TableName.V
		at := slices.IndexFunc(costs, func(r tableCost) bool { return r.Table == name })
		if at < 0 {
			costs = append(costs, tableCost{name, units})
			continue
		}
		costs[at].Units += units
	}
	return costs
}

// TransactionCanceled returns the error with a reason for each action, None for those that did not cancel the
// transaction.
func TransactionCanceled(reasons []wire.CancellationReason) *wire.Error {
	codes := make([]string, len(reasons))
	for i := range reasons {
		if reasons[i].Code == "" {
			reasons[i].Code = "None"
		}
		codes[i] = reasons[i].Code
	}
	e := wire.DynamoError("TransactionCanceledException",
		"Transaction cancelled, please refer cancellation reasons for specific reasons ["+strings.Join(codes, ", ")+"]")
	e.Reasons = reasons
	return e
}
