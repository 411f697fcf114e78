package statements

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/data"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/partiql"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// BatchExecuteStatementInput runs statements one by one, each on one item. Either all of them read or all of them
// write.
type BatchExecuteStatementInput struct {
	Statements             []statement
	hasStatements          bool
	ReturnConsumedCapacity wire.Optional[string]

	failed []error // by statement: why it failed before it named a table
	named  []int   // the statements that name a table, in order
}

// maxBatch is the maximum number of statements in a batch.
const maxBatch = 25

func (in *BatchExecuteStatementInput) Decode(d *wire.Decoder) error {
	useParameterRules(d)
	return d.Members(func(name []byte) error {
		switch string(name) {
		case "Statements":
			in.hasStatements = true
			return decodeStatements(d, "BatchStatementRequest", &in.Statements)
		case "ReturnConsumedCapacity":
			return d.Str(&in.ReturnConsumedCapacity)
		}
		return d.Skip()
	})
}

// decodeStatements decodes a list of statements, which are structures of a class of the service.
func decodeStatements(d *wire.Decoder, class string, all *[]statement) error {
	return d.List(func() error {
		var s statement
		err := d.Element(class, func(name []byte) error {
			if known, err := s.decodeMember(d, name); known {
				return err
			}
			return d.Skip()
		})
		*all = append(*all, s)
		return err
	})
}

func (in *BatchExecuteStatementInput) Check() error {
	var c wire.Constraints
	c.Enum("returnConsumedCapacity", in.ReturnConsumedCapacity, wire.CapacityModes)
	switch n := len(in.Statements); {
	case !in.hasStatements:
		c.Required(false, "statements")
	case n == 0:
		c.Add("statements", "[]", "Member must have length greater than or equal to 1")
	case n > maxBatch:
		c.Add("statements", in.dump(), "Member must have length less than or equal to 25")
	}
	for i := range in.Statements {
		in.Statements[i].constraints(&c, "statements."+strconv.Itoa(i+1)+".member.")
	}
	if err := c.Err(); err != nil {
		return err
	}
	return in.prepare()
}

func (in *BatchExecuteStatementInput) dump() string {
	texts := make([]string, len(in.Statements))
	for i := range in.Statements {
		s := &in.Statements[i]
		consistent := "null"
		if s.ConsistentRead.Set {
			consistent = strconv.FormatBool(s.ConsistentRead.V)
		}
		texts[i] = s.dump("BatchStatementRequest") + ", consistentRead=" + consistent +
			", returnValuesOnConditionCheckFailure=" + s.dumpFailureMode() + ")"
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// prepare parses the statements. A statement that fails does not fail the batch, and is ignored by the batch's checks.
func (in *BatchExecuteStatementInput) prepare() error {
	in.failed = make([]error, len(in.Statements))
	reads, writes := false, false
	for i := range in.Statements {
		s := &in.Statements[i]
		in.failed[i] = s.prepare()
		if in.failed[i] == nil && s.compiled.Kind == partiql.Exists {
			in.failed[i] = wire.ValidationError("EXISTS can only be used in ExecuteTransaction write requests.")
		}
		if in.failed[i] != nil {
			continue
		}
		in.named = append(in.named, i)
		reads, writes = reads || s.isRead(), writes || !s.isRead()
	}
	if reads && writes {
		return wire.ValidationError("Read and write requests together in the same batch is not supported.")
	}
	return nil
}

// batchOutput is the response of BatchExecuteStatement.
type batchOutput struct {
	responses []batchResponse
	capacity  engine.ConsumedCapacities
	mode      string
}

// batchResponse is the result of one statement.
type batchResponse struct {
	table    string // empty: not named
	itemJSON []byte // nil: no item
	err      *wire.Error
}

// batchMember is a statement of a batch with its read or write.
type batchMember struct {
	statement *statement
	table     *engine.Table
	read      *data.StatementRead
	write     *data.StatementWrite
	key       []byte // of the item in the store
}

// BatchExecuteStatement runs statements one by one.
func BatchExecuteStatement(req *engine.Request, in *BatchExecuteStatementInput) (*batchOutput, error) {
	out := &batchOutput{mode: in.ReturnConsumedCapacity.V, responses: make([]batchResponse, len(in.Statements))}
	members := make([]*batchMember, len(in.Statements))
	var keys [][]byte
	for i := range in.Statements {
		err := in.failed[i]
		if err == nil {
			members[i], err = out.plan(req, i, &in.Statements[i])
		}
		if err != nil {
			if err := out.fail(i, err); err != nil {
				return nil, err
			}
			continue
		}
		keys = append(keys, members[i].key)
	}
	if data.HasDuplicates(keys) {
		return nil, wire.ValidationError("Provided list of item keys contains duplicates")
	}
	for i, m := range members {
		if m == nil {
			continue
		}
		if err := out.run(req, i, m); err != nil {
			if err := out.fail(i, err); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// plan returns the read or write of a statement.
func (o *batchOutput) plan(req *engine.Request, i int, s *statement) (*batchMember, error) {
	t, x, err := s.table(req)
	if err != nil {
		if isNotFound(err) {
			o.responses[i].table = s.compiled.TableName
		}
		return nil, err
	}
	m := &batchMember{statement: s, table: t}
	if !s.isRead() {
		w, named, err := s.prepareWrite(t)
		if named {
			o.responses[i].table = s.compiled.TableName
		}
		if err != nil {
			return nil, err
		}
		m.write, m.key = w, t.Key(w.Target)
		return m, nil
	}
	if err := s.checkIndex(x); err != nil {
		return nil, err
	}
	if err := s.readOne(t, data.NewStatementRead(t, nil), "BatchExecuteStatement"); err != nil {
		return nil, err
	}
	key := primaryKey(s.compiled.Keys)
	if err := newKeyPlan(&t.Keys, s.compiled.Keys).checkTypes(); err != nil {
		return nil, err
	}
	o.responses[i].table = s.compiled.TableName
	if err := t.Keys.CheckKey(key); err != nil {
		return nil, err
	}
	m.read, m.key = data.NewStatementRead(t, nil), t.Key(key)
	m.read.AddRange(rangeOfKey(t, key))
	return m, m.read.SetOptions(data.Options{TableName: s.compiled.TableName, Filter: s.compiled.Condition,
		Projection: s.compiled.Projection, Consistent: s.ConsistentRead.V})
}

// run runs a statement and records its result and its cost.
func (o *batchOutput) run(req *engine.Request, i int, m *batchMember) error {
	r := &o.responses[i]
	r.table = m.statement.compiled.TableName
	if m.read != nil {
		p, err := m.read.Run(req)
		if err != nil {
			return err
		}
		if wantsCapacity(o.mode) {
			o.capacity.ForTable(r.table, "").Table += p.Consumed().Table
		}
		if items := p.AppendItems(nil); len(items) > 0 {
			r.itemJSON = items
		}
		return req.CountResponseMemory(len(r.itemJSON))
	}
	c, returned, err := m.statement.apply(req, m.table, m.write)
	if errors.Is(err, engine.ErrStaleTable) {
		return o.runAgain(req, i, m)
	}
	if wantsCapacity(o.mode) && (err == nil || isConditionFailure(err)) {
		o.capacity.ForTable(r.table, "").AddWrite(c) // a failed condition consumes capacity too
	}
	if returned != nil {
		r.itemJSON = returned.AppendItemHashed(nil)
	}
	return err
}

// runAgain plans and runs a write whose table changed between its lookup and the latching of its key. The previous
// statements have run, so the batch is not repeated.
func (o *batchOutput) runAgain(req *engine.Request, i int, m *batchMember) error {
	if err := req.Budget().Err(); err != nil {
		return err
	}
	again, err := o.plan(req, i, m.statement)
	if err != nil {
		return err
	}
	return o.run(req, i, again)
}

// fail records the error of a statement. An error that is not the service's fails the batch.
func (o *batchOutput) fail(i int, err error) error {
	var e *wire.Error
	if !errors.As(err, &e) || e.Status >= 500 {
		return err
	}
	o.responses[i].err = e
	return nil
}

func isNotFound(err error) bool {
	var e *wire.Error
	return errors.As(err, &e) && e.Name() == "ResourceNotFoundException"
}

func isConditionFailure(err error) bool {
	var e *wire.Error
	return errors.As(err, &e) && (e.Name() == wire.ConditionalCheckFailed || e.Name() == wire.DuplicateItem)
}

// errorCode returns the code of an error in the response of a batch.
func errorCode(e *wire.Error) string {
	switch name := e.Name(); name {
	case "ValidationException":
		return "ValidationError"
	case wire.ThrottlingException:
		return "ThrottlingError"
	case "RequestLimitExceeded":
		return name
	default:
		return strings.TrimSuffix(name, "Exception")
	}
}

func (o *batchOutput) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"Responses":[`...)
	for i := range o.responses {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = o.responses[i].appendJSON(dst)
	}
	dst = append(dst, ']')
	if o.capacity != nil {
		dst = engine.AppendCapacities(dst, o.capacity, o.mode)
	}
	return append(dst, '}')
}

func (r *batchResponse) appendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	start := len(dst)
	if r.err != nil {
		dst = append(dst, fmt.Sprintf(`,"Error":{"Code":"%s","Message":`, errorCode(r.err))...)
		dst = jsonwrite.AppendString(dst, r.err.Message)
		if r.err.Item != nil {
			dst = r.err.Item.AppendItemHashed(append(dst, `,"Item":`...))
		}
		dst = append(dst, '}')
	}
	if r.table != "" {
		dst = jsonwrite.AppendString(append(dst, `,"TableName":`...), r.table)
	}
	if r.itemJSON != nil {
		dst = append(append(dst, `,"Item":`...), r.itemJSON...)
	}
	return wire.CloseObject(dst, start)
}

func (in *BatchExecuteStatementInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	for _, i := range in.named {
		dst = append(dst, in.Statements[i].resourceRef())
	}
	return dst
}

// Deny makes a statement fail. No recording has a batch with a statement that a policy denies; AccessDenied is one of a
// statement's error codes (API reference, BatchStatementError).
func (in *BatchExecuteStatementInput) Deny(member int, err error) { in.failed[in.named[member]] = err }

func (in *BatchExecuteStatementInput) Traits() engine.Traits {
	var traits engine.Traits
	for _, i := range in.named {
		s := &in.Statements[i]
		traits.Writes = traits.Writes || !s.isRead()
		traits.EventuallyConsistent = traits.EventuallyConsistent || s.isRead() && !s.ConsistentRead.V
	}
	traits.HoldsLatches = traits.Writes
	return traits
}

func (in *BatchExecuteStatementInput) ResponseBytes() int64 {
	return int64(len(in.named)) * engine.ItemBytes
}

func (in *BatchExecuteStatementInput) PolicyValues(v *engine.PolicyValues, member int, _ string) {
	v.ReturnConsumedCapacity = engine.OrNone(in.ReturnConsumedCapacity)
	in.Statements[in.named[member]].policyValues(v)
}

// PartitionKeys returns the values of the partition key that one statement reads or writes; nil if it scans.
func (in *BatchExecuteStatementInput) PartitionKeys(member int, t *engine.Table) []item.Value {
	return in.Statements[in.named[member]].partitionKeys(t)
}

// IsFullScan reports whether one statement reads a whole table or index.
func (in *BatchExecuteStatementInput) IsFullScan(member int, t *engine.Table) bool {
	return in.Statements[in.named[member]].isFullScan(t)
}
