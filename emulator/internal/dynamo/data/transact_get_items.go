package data

import (
	"fmt"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TransactGetItemsInput reads several items from one snapshot.
type TransactGetItemsInput struct {
	TransactItems          []transactGet
	hasItems               bool
	ReturnConsumedCapacity wire.Optional[string]
}

// transactGet is one item to read.
type transactGet struct {
	expressions
	selection
	TableName   wire.TableName
	Key         wire.Attributes
	hasKey, set bool
}

func (in *TransactGetItemsInput) Decode(d *wire.Decoder) error {
	d.Items.LegacyErrors = true
	return d.Members(func(name []byte) error {
		switch string(name) {
		case "TransactItems":
			in.hasItems = true
			return d.List(func() error {
				var g transactGet
				err := g.decode(d)
				in.TransactItems = append(in.TransactItems, g)
				return err
			})
		case "ReturnConsumedCapacity":
			return d.Str(&in.ReturnConsumedCapacity)
		}
		return d.Skip()
	})
}

func (g *transactGet) decode(d *wire.Decoder) error {
	return d.Element("TransactGetItem", func(name []byte) error {
		if string(name) != "Get" {
			return d.Skip()
		}
		g.set = true
		return d.Structure("Get", func(name []byte) error {
			switch string(name) {
			case "TableName":
				return d.TableName(&g.TableName)
			case "Key":
				g.hasKey = true
				return d.Attributes(&g.Key)
			case "ProjectionExpression":
				return d.Str(&g.ProjectionExpression)
			}
			if known, err := g.expressions.decodeNamesOnly(d, name); known {
				return err
			}
			return d.Skip()
		})
	})
}

func (in *TransactGetItemsInput) Check() error {
	var c wire.Constraints
	switch n := len(in.TransactItems); {
	case !in.hasItems:
		c.Required(false, "transactItems")
	case n == 0:
		c.Add("transactItems", "[]", "Member must have length greater than or equal to 1")
	case n > maxActions:
		c.Add("transactItems", in.dump(), "Member must have length less than or equal to 100")
	}
	for i := range in.TransactItems {
		if g := &in.TransactItems[i]; !g.set || !g.TableName.Set || !g.hasKey {
			g.constraints(&c, "transactItems."+strconv.Itoa(i+1)+".member.get")
		}
	}
	c.Enum("returnConsumedCapacity", in.ReturnConsumedCapacity, wire.CapacityModes)
	if err := c.Err(); err != nil {
		return err
	}
	for i := range in.TransactItems {
		if name := in.TransactItems[i].TableName.V; !wire.IsTableName(name) {
			c.LaterTableName("transactItems."+strconv.Itoa(i+1)+".member.get.tableName", name)
		}
	}
	if err := c.Err(); err != nil {
		return err
	}
	for i := range in.TransactItems {
		g := &in.TransactItems[i]
		if err := g.checkSelection(wire.LegacyErrors, &g.expressions, g.Key.Err); err != nil {
			return err
		}
	}
	return nil
}

func (g *transactGet) constraints(c *wire.Constraints, path string) {
	if !g.set {
		c.Required(false, path)
		return
	}
	c.Required(g.TableName.Set, path+".tableName")
	c.Required(g.hasKey, path+".key")
}

func (in *TransactGetItemsInput) dump() string {
	var out []byte
	for i, g := range in.TransactItems {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = append(out, "TransactGetItem(get=Get(key="+wire.DumpItem(g.Key.Value)+", tableName="+g.TableName.V+"))"...)
	}
	return "[" + string(out) + "]"
}

// transactGetOutput holds the items, in the order of the request.
type transactGetOutput struct {
	responses []byte
	size      int // of the items
	capacity  engine.ConsumedCapacities
	mode      string
}

// TransactGetItems reads several items from one snapshot, all or none.
func TransactGetItems(req *engine.Request, in *TransactGetItemsInput) (out *transactGetOutput, err error) {
	tables, err := in.tables(req)
	if err != nil {
		return nil, err
	}
	if req.Engine.InFlight == nil {
		req.PauseInside()
		return in.read(req, tables)
	}
	reading, conflicts := req.Engine.InFlight.BeginRead(in.keys(tables))
	if conflicts != nil {
		return nil, TransactionConflicts(conflicts)
	}
	defer func() { // after a panic too
		if conflicts := req.Engine.InFlight.EndRead(reading); conflicts != nil && err == nil {
			out, err = nil, TransactionConflicts(conflicts)
		}
	}()
	req.PauseInside()
	return in.read(req, tables)
}

// keys returns the items' keys in the store.
func (in *TransactGetItemsInput) keys(tables []*engine.Table) [][]byte {
	keys := make([][]byte, len(tables))
	for i, t := range tables {
		keys[i] = t.Key(in.TransactItems[i].Key.Value)
	}
	return keys
}

// read reads all items from one snapshot of the store.
func (in *TransactGetItemsInput) read(req *engine.Request, tables []*engine.Table) (*transactGetOutput, error) {
	out := &transactGetOutput{mode: in.ReturnConsumedCapacity.V}
	err := req.Engine.Store.View(func(r *store.Reader) error {
		for i := range in.TransactItems {
			err := out.read(req, r, tables[i], &in.TransactItems[i])
			if e, throttled := engine.AsThrottled(err); throttled {
				reasons := make([]wire.CancellationReason, len(tables))
				reasons[i] = wire.CancellationReason{Code: e.CancellationCode(), Message: e.Message}
				return TransactionCanceled(reasons)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// tables returns the tables. A key that does not match its table's schema cancels the transaction.
func (in *TransactGetItemsInput) tables(req *engine.Request) ([]*engine.Table, error) {
	tables := make([]*engine.Table, len(in.TransactItems))
	reasons := make([]wire.CancellationReason, len(in.TransactItems))
	failed := false
	var keys [][]byte
	for i := range in.TransactItems {
		g := &in.TransactItems[i]
		t, err := transactionTable(req, g.TableName.V)
		if err != nil {
			return nil, err
		}
		if tables[i] = t; t.Keys.CheckKey(g.Key.Value) != nil {
			failed = true
			reasons[i] = wire.CancellationReason{Code: "ValidationError", Message: engine.ErrKeySchema().Message}
			continue
		}
		keys = append(keys, t.Key(g.Key.Value))
	}
	if hasDuplicates(keys) {
		return nil, wire.ValidationError("Transaction request cannot include multiple operations on one item")
	}
	if failed {
		return nil, TransactionCanceled(reasons)
	}
	return tables, nil
}

func (o *transactGetOutput) read(req *engine.Request, r *store.Reader, t *engine.Table, g *transactGet) error {
	key := t.Key(g.Key.Value)
	value, ok, err := r.Get(key)
	if err != nil {
		return err
	}
	size := engine.SizeOf(value)
	if err := req.Budget().Step(1 + size/engine.ItemBytesPerStep); err != nil {
		return err
	}
	if o.size += size; o.size > maxTransactionBytes {
		// As in DynamoDB Local 3.3.1.
		return wire.ValidationError(fmt.Sprintf("Payload in response is too large.%d", o.size))
	}
	units := 2 * engine.UnitsFor(size, engine.ReadUnit)
	if err := req.ChargeRead(t, nil, 1, units, key, false); err != nil {
		return err
	}
	if wantsCapacity(o.mode) {
		o.capacity.ForTable(g.TableName.Sent, "Read").Table += units
	}
	if len(o.responses) > 0 {
		o.responses = append(o.responses, ',')
	}
	o.responses = append(o.responses, '{')
	it, err := g.projectItem(value, ok, req.Budget())
	if err != nil {
		return err
	}
	before := len(o.responses)
	if it != nil {
		o.responses = it.AppendItemHashed(append(o.responses, `"Item":`...))
	}
	o.responses = append(o.responses, '}')
	if err := req.CountResponseMemory(len(o.responses) - before); err != nil {
		return err
	}
	return t.CheckCurrent()
}

// projectItem returns the requested attributes of an item; nil if there is no item or, unlike in GetItem, if the
// projection finds nothing.
func (g *transactGet) projectItem(it item.Value, ok bool, work *budget.Budget) (item.Value, error) {
	if !ok {
		return nil, nil
	}
	it, err := g.project(it, work)
	if err != nil || g.projection != nil && it.Len() == 0 {
		return nil, err
	}
	return it, nil
}

func (o *transactGetOutput) AppendJSON(dst []byte) []byte {
	dst = append(append(append(dst, `{"Responses":[`...), o.responses...), ']')
	if o.capacity != nil {
		dst = engine.AppendCapacities(dst, o.capacity, o.mode)
	}
	return append(dst, '}')
}

func (in *TransactGetItemsInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	for i := range in.TransactItems {
		g := &in.TransactItems[i]
		dst = append(dst, engine.ResourceRef{Action: "GetItem", Table: g.TableName.V, Item: g.Key.Value})
	}
	return dst
}

func (in *TransactGetItemsInput) Traits() engine.Traits {
	return engine.Traits{HoldsLatches: true, Transaction: true}
}

func (in *TransactGetItemsInput) ResponseBytes() int64 {
	return min(int64(len(in.TransactItems))*engine.ItemBytes, maxTransactionBytes)
}

func (in *TransactGetItemsInput) PolicyValues(v *engine.PolicyValues, member int, _ string) {
	projection := in.TransactItems[member].projection
	v.Select, v.ReturnConsumedCapacity = engine.DefaultSelect(projection), engine.OrNone(in.ReturnConsumedCapacity)
	v.Attributes.AddProjection(projection)
}
