package statements

import (
	"errors"
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/data"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/partiql"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// ExecuteStatementInput runs one statement.
type ExecuteStatementInput struct {
	statement
	ReturnConsumedCapacity wire.Optional[string]
	NextToken              wire.Optional[string]
	Limit                  wire.Optional[int64]
}

func (in *ExecuteStatementInput) Decode(d *wire.Decoder) error {
	useParameterRules(d)
	return d.Members(func(name []byte) error {
		switch string(name) {
		case "ReturnConsumedCapacity":
			return d.Str(&in.ReturnConsumedCapacity)
		case "NextToken":
			return d.Str(&in.NextToken)
		case "Limit":
			return d.Integer(&in.Limit, "Integer")
		}
		if known, err := in.decodeMember(d, name); known {
			return err
		}
		return d.Skip()
	})
}

// maxTokenLength is the maximum length of a NextToken.
const maxTokenLength = 32768

func (in *ExecuteStatementInput) Check() error {
	var c wire.Constraints
	in.constraints(&c, "")
	c.Enum("returnConsumedCapacity", in.ReturnConsumedCapacity, wire.CapacityModes)
	if in.NextToken.Set {
		c.Length("nextToken", in.NextToken.V, 1, maxTokenLength)
	}
	c.Range("limit", in.Limit, 1, math.MaxInt32)
	if err := c.Err(); err != nil {
		return err
	}
	if err := in.prepare(); err != nil {
		return err
	}
	if in.compiled.Kind == partiql.Exists {
		return wire.ValidationError("EXISTS can only be used in ExecuteTransaction write requests.")
	}
	return nil
}

// executeOutput is the response of ExecuteStatement.
type executeOutput struct {
	page     *data.StatementPage // of a SELECT
	item     item.Value          // for RETURNING, nil for none
	token    string
	capacity *engine.ConsumedCapacity // nil: not requested
	mode     string
}

// ExecuteStatement runs one statement. A SELECT reads a page.
func ExecuteStatement(req *engine.Request, in *ExecuteStatementInput) (*executeOutput, error) {
	t, x, err := in.table(req)
	if err != nil {
		return nil, err
	}
	if !in.isRead() && in.NextToken.Set {
		return nil, errTokenMismatch() // no SELECT's token matches
	}
	if in.isRead() {
		return in.selectPage(req, t, x)
	}
	w, _, err := in.prepareWrite(t)
	if err != nil {
		return nil, err
	}
	c, returned, err := in.apply(req, t, w)
	if e, ok := errors.AsType[*wire.Error](err); ok && e.Item != nil {
		e.Older = true // (nubo-db/dynoxide, eu-west-2 and us-east-1, 2026-10)
	}
	if err != nil {
		return nil, err
	}
	out := &executeOutput{item: returned, mode: in.ReturnConsumedCapacity.V}
	if wantsCapacity(out.mode) {
		out.capacity = &engine.ConsumedCapacity{TableName: in.compiled.TableName}
		out.capacity.AddWrite(c)
	}
	return out, nil
}

// wantsCapacity reports whether a request wants ConsumedCapacity.
func wantsCapacity(mode string) bool { return mode == "TOTAL" || mode == "INDEXES" }

// selectPage reads a page of a SELECT.
func (in *ExecuteStatementInput) selectPage(req *engine.Request, t *engine.Table, x *engine.Index) (*executeOutput,
	error) {
	r, err := in.read(t, x, data.Options{Limit: in.Limit.V, Capacity: in.ReturnConsumedCapacity.V})
	if err != nil {
		return nil, err
	}
	binding := in.tokenBinding()
	if in.NextToken.Set {
		if r.Start, err = decodeToken(in.NextToken.V, binding, in.parameters); err != nil {
			return nil, err
		}
	}
	p, err := r.Run(req)
	if data.IsInvalidStart(err) {
		return nil, errInvalidToken()
	}
	if err != nil {
		return nil, err
	}
	req.Event.Selected.Done, req.Event.Selected.Items = true, p.Count
	out := &executeOutput{page: p, mode: in.ReturnConsumedCapacity.V}
	if p.LastKey != nil {
		out.token = encodeToken(binding, p.LastRange, p.LastKey)
	}
	if wantsCapacity(out.mode) {
		out.capacity = p.Consumed()
	}
	return out, nil
}

func (o *executeOutput) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"Items":[`...)
	switch {
	case o.page != nil:
		dst = o.page.AppendItems(dst)
	case o.item != nil:
		dst = o.item.AppendItemHashed(dst)
	}
	dst = append(dst, ']')
	if o.token != "" {
		dst = append(append(append(dst, `,"NextToken":"`...), o.token...), '"')
		dst = append(append(dst, `,"LastEvaluatedKey":`...), o.page.LastKey...)
	}
	if o.capacity != nil {
		dst = o.capacity.AppendJSON(append(dst, `,"ConsumedCapacity":`...), o.mode)
	}
	return append(dst, '}')
}

func (in *ExecuteStatementInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, in.resourceRef())
}

func (in *ExecuteStatementInput) Traits() engine.Traits {
	if in.isRead() {
		return engine.Traits{EventuallyConsistent: !in.ConsistentRead.V, Pages: true}
	}
	return engine.Traits{HoldsLatches: true, Writes: true}
}

func (in *ExecuteStatementInput) ResponseBytes() int64 {
	if in.isRead() {
		return engine.PageBytes
	}
	return 0
}

func (in *ExecuteStatementInput) PolicyValues(v *engine.PolicyValues, _ int, _ string) {
	in.policyValues(v)
	v.ReturnConsumedCapacity = engine.OrNone(in.ReturnConsumedCapacity)
}

// PartitionKeys returns the values of the partition key that the statement reads or writes; nil if it scans.
func (in *ExecuteStatementInput) PartitionKeys(_ int, t *engine.Table) []item.Value {
	return in.partitionKeys(t)
}

// IsFullScan reports whether the statement reads a whole table or index.
func (in *ExecuteStatementInput) IsFullScan(_ int, t *engine.Table) bool { return in.isFullScan(t) }
