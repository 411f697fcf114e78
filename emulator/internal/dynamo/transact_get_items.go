package dynamo

import (
	"fmt"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TransactGetItemsInput reads items of one moment.
type TransactGetItemsInput struct {
	TransactItems          []transactGet
	hasItems               bool
	ReturnConsumedCapacity optional[string]
}

// transactGet is one item to read.
type transactGet struct {
	expressions
	selection
	TableName   optional[string]
	Key         attributes
	hasKey, set bool
}

func (in *TransactGetItemsInput) decode(d *decoder) error {
	d.items.Older = true
	return d.members(func(name []byte) error {
		switch string(name) {
		case "TransactItems":
			in.hasItems = true
			return d.list(func() error {
				var g transactGet
				err := g.decode(d)
				in.TransactItems = append(in.TransactItems, g)
				return err
			})
		case "ReturnConsumedCapacity":
			return d.str(&in.ReturnConsumedCapacity)
		}
		return d.Skip()
	})
}

func (g *transactGet) decode(d *decoder) error {
	return d.element("TransactGetItem", func(name []byte) error {
		if string(name) != "Get" {
			return d.Skip()
		}
		g.set = true
		return d.structure("Get", func(name []byte) error {
			switch string(name) {
			case "TableName":
				return d.str(&g.TableName)
			case "Key":
				g.hasKey = true
				return d.attributes(&g.Key)
			case "ProjectionExpression":
				return d.str(&g.ProjectionExpression)
			}
			if known, err := g.expressions.member(d, name); known {
				return err
			}
			return d.Skip()
		})
	})
}

func (in *TransactGetItemsInput) check() error {
	var c constraints
	switch n := len(in.TransactItems); {
	case !in.hasItems:
		c.required(false, "transactItems")
	case n == 0:
		c.failed("'[]'", "transactItems", "Member must have length greater than or equal to 1")
	case n > maxActions:
		c.failed(quote(in.dump()), "transactItems", "Member must have length less than or equal to 100")
	}
	c.oneOf(in.ReturnConsumedCapacity, "returnConsumedCapacity", capacityModes)
	for i := range in.TransactItems {
		in.TransactItems[i].constraints(&c, "transactItems."+strconv.Itoa(i+1)+".member.get")
	}
	if err := c.err(); err != nil {
		return err
	}
	for i := range in.TransactItems {
		g := &in.TransactItems[i]
		if err := g.checkSelection(older, &g.expressions, g.Key.Err); err != nil {
			return err
		}
	}
	return nil
}

func (g *transactGet) constraints(c *constraints, path string) {
	if !g.set {
		c.required(false, path)
		return
	}
	c.name(g.TableName, path+".tableName", 1)
	c.required(g.hasKey, path+".key")
}

func (in *TransactGetItemsInput) dump() string {
	var out []byte
	for i, g := range in.TransactItems {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = append(out, "TransactGetItem(get=Get(key="+dumpItem(g.Key.Value)+", tableName="+g.TableName.V+"))"...)
	}
	return "[" + string(out) + "]"
}

// transactGetOutput are the items, in the order of the request.
type transactGetOutput struct {
	responses []byte
	size      int // of the items
	capacity  perTable
	mode      string
}

func transactGetItems(a *request, in *TransactGetItemsInput) (*transactGetOutput, error) {
	tables, err := in.tables(a)
	if err != nil {
		return nil, err
	}
	if a.service.inFlight == nil {
		a.hold()
		return in.read(a, tables)
	}
	reading, conflicts := a.service.inFlight.beginRead(in.keys(tables))
	if conflicts != nil {
		return nil, conflicted(conflicts)
	}
	a.hold()
	out, err := in.read(a, tables)
	if conflicts := a.service.inFlight.endRead(reading); conflicts != nil && err == nil {
		return nil, conflicted(conflicts)
	}
	return out, err
}

// keys are those of the items in the store.
func (in *TransactGetItemsInput) keys(tables []*table) [][]byte {
	keys := make([][]byte, len(tables))
	for i, t := range tables {
		keys[i] = t.key(in.TransactItems[i].Key.Value)
	}
	return keys
}

// read reads all items from one state of the store.
func (in *TransactGetItemsInput) read(a *request, tables []*table) (*transactGetOutput, error) {
	out := &transactGetOutput{mode: in.ReturnConsumedCapacity.V}
	err := a.service.store.View(func(r *store.Reader) error {
		for i := range in.TransactItems {
			err := out.read(a, r, tables[i], &in.TransactItems[i])
			if e, throttled := asThrottled(err); throttled {
				reasons := make([]cancellationReason, len(tables))
				reasons[i] = cancellationReason{Code: e.cancellation(), Message: e.Message}
				return transactionCanceled(reasons)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// tables finds the tables; a key that does not fit cancels the transaction.
func (in *TransactGetItemsInput) tables(a *request) ([]*table, error) {
	tables := make([]*table, len(in.TransactItems))
	reasons := make([]cancellationReason, len(in.TransactItems))
	failed := false
	var keys [][]byte
	for i := range in.TransactItems {
		g := &in.TransactItems[i]
		t, err := a.account.table(g.TableName.V)
		if err != nil {
			return nil, err
		}
		if tables[i] = t; t.keys.checkKey(g.Key.Value) != nil {
			failed = true
			reasons[i] = cancellationReason{Code: "ValidationError", Message: errKeySchema().Message}
			continue
		}
		keys = append(keys, t.key(g.Key.Value))
	}
	if hasEqual(keys) {
		return nil, validationError("Transaction request cannot include multiple operations on one item")
	}
	if failed {
		return nil, transactionCanceled(reasons)
	}
	return tables, nil
}

func (o *transactGetOutput) read(a *request, r *store.Reader, t *table, g *transactGet) error {
	key := t.key(g.Key.Value)
	value, ok, err := r.Get(key)
	if err != nil {
		return err
	}
	size := sizeOf(value)
	if err := a.budget().Step(1 + size/itemBytesPerStep); err != nil {
		return err
	}
	if o.size += size; o.size > maxTransaction {
		return validationError(fmt.Sprintf("Payload in response is too large.%d", o.size)) // as in DynamoDB Local 3.3.1
	}
	units := 2 * unitsFor(size, readUnit)
	if err := a.chargeRead(t, nil, units, key, false); err != nil {
		return err
	}
	if charged(o.mode) {
		o.capacity.of(g.TableName.V, "Read").table += units
	}
	if len(o.responses) > 0 {
		o.responses = append(o.responses, ',')
	}
	o.responses = append(o.responses, '{')
	it, err := g.projected(value, ok, a.budget())
	if err != nil {
		return err
	}
	before := len(o.responses)
	if it != nil {
		o.responses = it.AppendItem(append(o.responses, `"Item":`...))
	}
	o.responses = append(o.responses, '}')
	if err := a.holdAnswer(len(o.responses) - before); err != nil {
		return err
	}
	return t.current()
}

// projected is what was asked of an item: nil for nothing, here also where the projection finds nothing.
func (g *transactGet) projected(it item.Value, ok bool, work *budget.Budget) (item.Value, error) {
	if !ok {
		return nil, nil
	}
	it, err := g.project(it, work)
	if err != nil || g.projection != nil && it.Len() == 0 {
		return nil, err
	}
	return it, nil
}

func (o *transactGetOutput) appendJSON(dst []byte) []byte {
	dst = append(append(append(dst, `{"Responses":[`...), o.responses...), ']')
	if o.capacity != nil {
		dst = appendCapacities(dst, o.capacity, o.mode)
	}
	return append(dst, '}')
}

func (in *TransactGetItemsInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	for i := range in.TransactItems {
		g := &in.TransactItems[i]
		dst = append(dst, resourceRef{action: "GetItem", table: g.TableName.V, item: g.Key.Value})
	}
	return dst
}

func (in *TransactGetItemsInput) traits() traits { return traits{holds: true, transaction: true} }

func (in *TransactGetItemsInput) answerBytes() int64 {
	return min(int64(len(in.TransactItems))*itemBytes, maxTransaction)
}

func (in *TransactGetItemsInput) policyValues(v *policyValues, member int, _ string) {
	projection := in.TransactItems[member].projection
	v.selected, v.returnConsumedCapacity = selectedBy(projection), orNone(in.ReturnConsumedCapacity)
	v.attributes.ofProjection(projection)
}
