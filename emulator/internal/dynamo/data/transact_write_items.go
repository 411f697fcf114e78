package data

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"strconv"
)

// The limits of a transaction.
const (
	maxActions          = 100
	maxTransactionBytes = 4 << 20 // of items
	maxTokenLength      = 36
)

// TransactWriteItemsInput performs all of its actions, or none.
type TransactWriteItemsInput struct {
	TransactItems               []transactAction
	hasItems                    bool
	members                     int
	hasEmpty, hasDouble         bool // a member has no action, or two
	ClientRequestToken          wire.Optional[string]
	ReturnConsumedCapacity      wire.Optional[string]
	ReturnItemCollectionMetrics wire.Optional[string]
}

func (in *TransactWriteItemsInput) Decode(d *wire.Decoder) error {
	d.Items.LegacyErrors = true
	return d.Members(func(name []byte) error {
		switch string(name) {
		case "TransactItems":
			in.hasItems = true
			return d.List(func() error { return in.decodeAction(d) })
		case "ClientRequestToken":
			return d.Str(&in.ClientRequestToken)
		case "ReturnConsumedCapacity":
			return d.Str(&in.ReturnConsumedCapacity)
		case "ReturnItemCollectionMetrics":
			return d.Str(&in.ReturnItemCollectionMetrics)
		}
		return d.Skip()
	})
}

func (in *TransactWriteItemsInput) decodeAction(d *wire.Decoder) error {
	before := len(in.TransactItems)
	in.members++
	err := d.Element("TransactWriteItem", func(name []byte) error {
		switch kind := string(name); kind {
		case "Put", "Update", "Delete", "ConditionCheck":
			t := transactAction{kind: kind, member: in.members}
			err := t.Decode(d)
			in.TransactItems = append(in.TransactItems, t)
			return err
		}
		return d.Skip()
	})
	in.hasEmpty = in.hasEmpty || len(in.TransactItems) == before
	in.hasDouble = in.hasDouble || len(in.TransactItems) > before+1
	return err
}

func (in *TransactWriteItemsInput) Check() error {
	if err := in.checkConstraints(); err != nil {
		return err
	}
	for i := range in.TransactItems {
		if err := in.TransactItems[i].Check(); err != nil {
			return err
		}
	}
	return in.CheckSize()
}

// CheckSize returns an error for a transaction that is too large.
func (in *TransactWriteItemsInput) CheckSize() error {
	size := 0
	for i := range in.TransactItems {
		size += in.TransactItems[i].size()
	}
	if size > maxTransactionBytes {
		// The words of DynamoDB Local 3.3.1; ScyllaDB's test on AWS confirms "size cannot exceed".
		return wire.ValidationError("Transaction payload size cannot exceed 4MB. Payload Size: " + strconv.Itoa(size))
	}
	return nil
}

// checkConstraints checks the members of the request, then the number of actions in each member, and then the names of
// the tables. (us-east-1 and nine more regions, 2026-10-09: paritysuite and nubo-db/dynoxide.)
func (in *TransactWriteItemsInput) checkConstraints() error {
	var c wire.Constraints
	switch n := in.members; {
	case !in.hasItems:
		c.Required(false, "transactItems")
	case n == 0:
		c.Add("transactItems", "[]", "Member must have length greater than or equal to 1")
	case n > maxActions:
		c.Add("transactItems", dumpActions(in.TransactItems), "Member must have length less than or equal to 100")
	}
	for i := range in.TransactItems {
		in.TransactItems[i].constraints(&c)
	}
	if in.ClientRequestToken.Set {
		c.Length("clientRequestToken", in.ClientRequestToken.V, 1, maxTokenLength)
	}
	c.Enum("returnConsumedCapacity", in.ReturnConsumedCapacity, wire.CapacityModes)
	c.Enum("returnItemCollectionMetrics", in.ReturnItemCollectionMetrics, wire.MetricsModes)
	if err := c.Err(); err != nil {
		return err
	}
	switch {
	case in.hasEmpty:
		return wire.ValidationError(
			"Invalid Request: TransactWriteRequest should contain Delete or Put or Update request")
	case in.hasDouble:
		return wire.ValidationError("TransactItems can only contain one of Check, Put, Update or Delete")
	}
	for i := range in.TransactItems {
		if t := &in.TransactItems[i]; !wire.IsTableName(t.TableName.V) {
			c.LaterTableName(t.path()+"tableName", t.TableName.V)
		}
	}
	return c.Err()
}

// TransactWriteItems performs all of its actions, or none. A request that repeats an earlier one with its token does
// nothing.
func TransactWriteItems(req *engine.Request, in *TransactWriteItemsInput) (*transactWriteOutput, error) {
	t := &transaction{request: req, in: in, reasons: make([]wire.CancellationReason, len(in.TransactItems))}
	if err := t.prepare(); err != nil {
		return nil, err
	}
	if in.ClientRequestToken.V != "" {
		t.token = &token{account: req.Account.Name, text: in.ClientRequestToken.V}
	}
	if err := t.run(); err != nil {
		return nil, err
	}
	if t.token != nil {
		if err := purgeExpiredTokens(req.Engine, *t.token); err != nil {
			return nil, err
		}
	}
	return t.output()
}

// transactWriteOutput is the cost of the transaction, by table.
type transactWriteOutput struct {
	capacity    []*engine.ConsumedCapacity
	mode        string
	collections tableCollections
}

func (t *transaction) output() (*transactWriteOutput, error) {
	out := &transactWriteOutput{mode: t.in.ReturnConsumedCapacity.V}
	if wantsCapacity(out.mode) {
		out.capacity = t.capacity()
	}
	if t.in.ReturnItemCollectionMetrics.V != "SIZE" {
		return out, nil
	}
	out.collections = tableCollections{}
	for i, table := range t.tables {
		action := &t.in.TransactItems[i]
		if action.kind == "ConditionCheck" {
			continue
		}
		if err := out.collections.add(t.request, action.TableName.Sent, table, action.target()); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (t *transaction) capacity() []*engine.ConsumedCapacity {
	if t.replay != nil {
		var all []*engine.ConsumedCapacity
		for _, r := range t.replay.Costs {
			all = append(all, &engine.ConsumedCapacity{TableName: t.sentName(r.Table), Table: r.Units, Kind: "Read"})
		}
		return all
	}
	var all engine.ConsumedCapacities
	for i, c := range t.changes {
		all.ForTable(t.in.TransactItems[i].TableName.Sent, "Write").AddWrite(c)
	}
	return all
}

// sentName returns the name or ARN that the request gives a table.
func (t *transaction) sentName(table string) string {
	for i := range t.in.TransactItems {
		if name := &t.in.TransactItems[i].TableName; name.V == table {
			return name.Sent
		}
	}
	return table
}

func (o *transactWriteOutput) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	start := len(dst)
	if o.capacity != nil {
		dst = engine.AppendCapacities(dst, o.capacity, o.mode)
	}
	if len(o.collections) > 0 {
		dst = appendCollections(dst, o.collections)
	}
	return wire.CloseObject(dst, start)
}

// transactActions are the IAM actions of the members of a transaction.
var transactActions = map[string]string{"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem",
	"ConditionCheck": "ConditionCheckItem"}

func (in *TransactWriteItemsInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	for i := range in.TransactItems {
		t := &in.TransactItems[i]
		dst = append(dst, engine.ResourceRef{Action: transactActions[t.kind], Table: t.TableName.V, Item: t.target()})
	}
	return dst
}

func (in *TransactWriteItemsInput) Traits() engine.Traits {
	return engine.Traits{HoldsLatches: true, Writes: true, Transaction: true}
}

func (in *TransactWriteItemsInput) PolicyValues(v *engine.PolicyValues, member int, _ string) {
	v.ReturnConsumedCapacity = engine.OrNone(in.ReturnConsumedCapacity)
	v.Attributes.AddUpdate(in.TransactItems[member].update)
	v.Attributes.AddCondition(in.TransactItems[member].condition)
}
