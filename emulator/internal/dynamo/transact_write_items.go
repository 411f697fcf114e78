package dynamo

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

func transactWriteItems(a *request, in *TransactWriteItemsInput) (*transactWriteOutput, error) {
	t := &transaction{request: a, in: in, reasons: make([]cancellationReason, len(in.TransactItems))}
	if err := t.prepare(); err != nil {
		return nil, err
	}
	if in.ClientRequestToken.V != "" {
		t.token = &token{account: a.account.name, text: in.ClientRequestToken.V}
	}
	if err := t.run(); err != nil {
		return nil, err
	}
	if t.token != nil {
		if err := a.service.forgetTokens(*t.token); err != nil {
			return nil, err
		}
	}
	return t.output()
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
		m, err := t.request.account.collectionMetrics(table, t.in.TransactItems[i].target())
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
		all.of(t.in.TransactItems[i].TableName.V, "Write").addWrite(c)
	}
	return all
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

// transactActions are the names that policies have for the members of a transaction.
var transactActions = map[string]string{"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}

func (in *TransactWriteItemsInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	for i := range in.TransactItems {
		t := &in.TransactItems[i]
		dst = append(dst, resourceRef{action: transactActions[t.kind], table: t.TableName.V, item: t.target()})
	}
	return dst
}

func (in *TransactWriteItemsInput) traits() traits {
	return traits{holds: true, writes: true, transaction: true}
}

func (in *TransactWriteItemsInput) policyValues(v *policyValues, member int, _ string) {
	v.returnConsumedCapacity = orNone(in.ReturnConsumedCapacity)
	v.attributes.ofUpdate(in.TransactItems[member].update)
	v.attributes.ofCondition(in.TransactItems[member].condition)
}
