package dynamo

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// The limits of a transaction.
const (
	maxActions     = 100
	maxTransaction = 4 << 20 // bytes of items in all
	maxToken       = 36
)

// TransactWriteItemsInput does all of its actions, or none.
type TransactWriteItemsInput struct {
	TransactItems               []transactAction
	hasItems                    bool
	malformed                   bool // a member with no action, or with two
	ClientRequestToken          optional[string]
	ReturnConsumedCapacity      optional[string]
	ReturnItemCollectionMetrics optional[string]
}

func (in *TransactWriteItemsInput) decode(d *decoder) error {
	d.items.Older = true
	return d.members(func(name []byte) error {
		switch string(name) {
		case "TransactItems":
			in.hasItems = true
			return d.list(func() error { return in.decodeAction(d) })
		case "ClientRequestToken":
			return d.str(&in.ClientRequestToken)
		case "ReturnConsumedCapacity":
			return d.str(&in.ReturnConsumedCapacity)
		case "ReturnItemCollectionMetrics":
			return d.str(&in.ReturnItemCollectionMetrics)
		}
		return d.Skip()
	})
}

func (in *TransactWriteItemsInput) decodeAction(d *decoder) error {
	before := len(in.TransactItems)
	err := d.element("TransactWriteItem", func(name []byte) error {
		switch kind := string(name); kind {
		case "Put", "Update", "Delete", "ConditionCheck":
			t := transactAction{kind: kind}
			err := t.decode(d)
			in.TransactItems = append(in.TransactItems, t)
			return err
		}
		return d.Skip()
	})
	if len(in.TransactItems) != before+1 {
		in.malformed = true
	}
	return err
}

func (in *TransactWriteItemsInput) check() error {
	if err := in.checkConstraints(); err != nil {
		return err
	}
	if in.malformed {
		return validationError("TransactItems can only contain one of Check, Put, Update or Delete")
	}
	size := 0
	for i := range in.TransactItems {
		t := &in.TransactItems[i]
		if err := t.check(); err != nil {
			return err
		}
		size += t.size()
	}
	if size > maxTransaction {
		return validationError("Collection size of items exceeded, the maximum allowed size of 4MB")
	}
	return nil
}

func (in *TransactWriteItemsInput) checkConstraints() error {
	var c constraints
	switch n := len(in.TransactItems); {
	case !in.hasItems:
		c.required(false, "transactItems")
	case n == 0 && !in.malformed:
		c.failed("'[]'", "transactItems", "Member must have length greater than or equal to 1")
	case n > maxActions:
		c.failed(quote(dumpActions(in.TransactItems)), "transactItems", "Member must have length less than or equal to 100")
	}
	if in.ClientRequestToken.Set {
		c.minLength(in.ClientRequestToken.V, "clientRequestToken", 1)
		c.maxLength(in.ClientRequestToken.V, "clientRequestToken", maxToken)
	}
	c.oneOf(in.ReturnConsumedCapacity, "returnConsumedCapacity", capacityModes)
	c.oneOf(in.ReturnItemCollectionMetrics, "returnItemCollectionMetrics", metricsModes)
	for i := range in.TransactItems {
		in.TransactItems[i].constraints(&c, i+1)
	}
	return c.err()
}

// transaction is a TransactWriteItems under way.
type transaction struct {
	*account
	in      *TransactWriteItemsInput
	tables  []*table
	changes []*change // nil where the key does not fit the table
	reasons []cancellationReason
	failed  bool
	token   *token
	replay  *tokenRecord // not nil: the request was done before
}

func transactWriteItems(a *account, in *TransactWriteItemsInput) (*transactWriteOutput, error) {
	t := &transaction{account: a, in: in, reasons: make([]cancellationReason, len(in.TransactItems))}
	if err := t.prepare(); err != nil {
		return nil, err
	}
	if in.ClientRequestToken.V != "" {
		t.token = &token{account: a.name, text: in.ClientRequestToken.V}
	}
	if err := t.run(); err != nil {
		return nil, err
	}
	if t.token != nil {
		if err := a.forgetTokens(*t.token); err != nil {
			return nil, err
		}
	}
	return t.output()
}

// prepare looks the tables up and checks the keys.
func (t *transaction) prepare() error {
	for i := range t.in.TransactItems {
		action := &t.in.TransactItems[i]
		table, err := t.account.table(action.TableName.V)
		if err != nil {
			return err
		}
		t.tables = append(t.tables, table)
		if err := action.checkKey(table); err != nil {
			if strings.Contains(err.Error(), "cannot contain an empty") {
				return err
			}
			t.cancel(i, err)
			t.changes = append(t.changes, nil)
			continue
		}
		t.changes = append(t.changes, action.change(table))
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
		if t.reasons[i].item = e.item; strings.HasSuffix(e.Type, "ConditionalCheckFailedException") {
			t.reasons[i].Code = "ConditionalCheckFailed"
		}
	}
}

func (t *transaction) run() error {
	keys := make([][]byte, 0, len(t.changes)+1)
	for _, c := range t.changes {
		if c != nil {
			keys = append(keys, c.key)
		}
	}
	if t.token != nil {
		keys = append(keys, t.token.latch())
	}
	if err := t.store.Update(store.Latch(keys...), t.runIn); err != nil {
		return err
	}
	if t.replay == nil {
		for _, c := range t.changes {
			t.committed(c)
		}
	}
	return nil
}

// runIn is the transaction's work in the store.
func (t *transaction) runIn(tx *store.Tx) error {
	if t.token != nil {
		t.token.now = t.clock.Now() // under the latch, so that of two requests the second finds the first
		record, err := t.token.find(&tx.Reader)
		if err != nil {
			return err
		}
		if record != nil {
			t.replay = record
			return t.checkReplay()
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

// checkReplay refuses another request under a token that was used.
func (t *transaction) checkReplay() error {
	if t.replay.Request == fingerprint(t.in.TransactItems) {
		return nil
	}
	return dynamoError("IdempotentParameterMismatchException", "The provided parameters do not match the request. Request parameters are different for the same client request token.")
}

// reads is what a repetition will cost: reading what this request looked at.
func (t *transaction) reads() []tokenReads {
	var reads []tokenReads
	for i, c := range t.changes {
		units := 2 * unitsFor(max(sizeOf(c.old), sizeOf(c.new)), readUnit)
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

// transactWriteOutput is what the transaction cost, by table.
type transactWriteOutput struct {
	capacity    []*consumed
	mode        string
	collections map[string][]*collectionMetrics
}

func (t *transaction) output() (*transactWriteOutput, error) {
	out := &transactWriteOutput{mode: t.in.ReturnConsumedCapacity.V}
	if charged(out.mode) {
		out.capacity = t.capacity()
	}
	if t.in.ReturnItemCollectionMetrics.V != "SIZE" {
		return out, nil
	}
	out.collections = map[string][]*collectionMetrics{}
	for i, table := range t.tables {
		if !table.hasLocal() {
			continue
		}
		m, err := t.collectionMetrics(table, t.in.TransactItems[i].target())
		if err != nil {
			return nil, err
		}
		out.collections[table.def.Name] = append(out.collections[table.def.Name], m)
	}
	return out, nil
}

func (t *transaction) capacity() []*consumed {
	if t.replay != nil {
		var all []*consumed
		for _, r := range t.replay.Reads {
			all = append(all, &consumed{tableName: r.Table, table: r.Units, kind: "Read"})
		}
		return all
	}
	var all perTable
	for i, c := range t.changes {
		all.of(t.in.TransactItems[i].TableName.V, "Write").addWrite(c.units, 2)
	}
	return all
}

// perTable is what a request with several tables cost.
type perTable []*consumed

// of is a table's part.
func (p *perTable) of(name, kind string) *consumed {
	for _, c := range *p {
		if c.tableName == name {
			return c
		}
	}
	c := &consumed{tableName: name, kind: kind}
	*p = append(*p, c)
	return c
}

// appendCapacities writes a ConsumedCapacity for each table.
func appendCapacities(dst []byte, all []*consumed, mode string) []byte {
	dst = append(dst, `,"ConsumedCapacity":[`...)
	for i, c := range all {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = c.appendJSON(dst, mode)
	}
	return append(dst, ']')
}

// appendCollections writes ItemCollectionMetrics by table.
func appendCollections(dst []byte, all map[string][]*collectionMetrics) []byte {
	dst = append(dst, `,"ItemCollectionMetrics":{`...)
	for i, name := range sortedKeys(all) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(item.AppendString(dst, name), `:[`...)
		for j, m := range all[name] {
			if j > 0 {
				dst = append(dst, ',')
			}
			dst = m.appendJSON(dst)
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func (o *transactWriteOutput) appendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	start := len(dst)
	if o.capacity != nil {
		dst = appendCapacities(dst, o.capacity, o.mode)
	}
	if len(o.collections) > 0 {
		dst = appendCollections(dst, o.collections)
	}
	return closeObject(dst, start)
}
