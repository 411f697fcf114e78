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
)

// ExecuteTransactionInput runs all of its statements, or none. Either all of them read or all of them write; EXISTS is
// a condition of writes.
type ExecuteTransactionInput struct {
	TransactStatements     []statement
	hasStatements          bool
	ClientRequestToken     wire.Optional[string]
	ReturnConsumedCapacity wire.Optional[string]
}

// The limits of a transaction.
const (
	maxStatements    = 100
	maxRequestToken  = 36
	tokenSpace       = "ExecuteTransaction\x00" // distinguishes its tokens from those of TransactWriteItems
	mixedTransaction = "ExecuteTransaction API does not support both read and write operations in the same request."
)

func (in *ExecuteTransactionInput) Decode(d *wire.Decoder) error {
	useParameterRules(d)
	return d.Members(func(name []byte) error {
		switch string(name) {
		case "TransactStatements":
			in.hasStatements = true
			return decodeStatements(d, "ParameterizedStatement", &in.TransactStatements)
		case "ClientRequestToken":
			return d.Str(&in.ClientRequestToken)
		case "ReturnConsumedCapacity":
			return d.Str(&in.ReturnConsumedCapacity)
		}
		return d.Skip()
	})
}

func (in *ExecuteTransactionInput) Check() error {
	if err := in.checkConstraints(); err != nil {
		return err
	}
	for i := range in.TransactStatements {
		if err := in.TransactStatements[i].invalid; err != nil {
			return err
		}
	}
	for i := range in.TransactStatements {
		if err := in.TransactStatements[i].prepareInTransaction(); err != nil {
			return inTransaction(i, err)
		}
	}
	reads, writes := 0, 0
	for i := range in.TransactStatements {
		if in.TransactStatements[i].isRead() {
			reads++
		} else {
			writes++
		}
	}
	if reads > 0 && writes > 0 {
		return wire.ValidationError(mixedTransaction)
	}
	return nil
}

func (in *ExecuteTransactionInput) checkConstraints() error {
	var c wire.Constraints
	switch n := len(in.TransactStatements); {
	case !in.hasStatements:
		c.Required(false, "transactStatements")
	case n == 0:
		c.Add("transactStatements", "[]", "Member must have length greater than or equal to 1")
	case n > maxStatements:
		c.Add("transactStatements", in.dump(), "Member must have length less than or equal to 100")
	}
	if in.ClientRequestToken.Set {
		c.Length("clientRequestToken", in.ClientRequestToken.V, 1, maxRequestToken)
	}
	for i := range in.TransactStatements {
		in.TransactStatements[i].constraints(&c, "transactStatements."+strconv.Itoa(i+1)+".member.")
	}
	c.Enum("returnConsumedCapacity", in.ReturnConsumedCapacity, wire.CapacityModes)
	return c.Err()
}

func (in *ExecuteTransactionInput) dump() string {
	texts := make([]string, len(in.TransactStatements))
	for i := range in.TransactStatements {
		s := &in.TransactStatements[i]
		texts[i] = s.dump("ParameterizedStatement") + ", returnValuesOnConditionCheckFailure=" + s.dumpFailureMode() + ")"
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// prepareInTransaction does the checks of a statement that need no table.
func (s *statement) prepareInTransaction() error {
	if err := s.compile(); err != nil {
		return err
	}
	switch c := s.compiled; {
	case c.Returning != nil:
		return wire.ValidationError("RETURNING clause is not supported in ExecuteTransaction.")
	case c.IndexName != "" && s.isRead():
		return wire.ValidationError("Reads on indices are not supported within transactions.")
	}
	return nil
}

// inTransaction returns the error of a statement as an error of the transaction.
func inTransaction(i int, err error) error {
	var e *wire.Error
	if !errors.As(err, &e) || e.Name() != "ValidationException" {
		return err
	}
	return wire.ValidationError(fmt.Sprintf("Validation failed in TransactStatements[%d]: %s", i, e.Message))
}

// ExecuteTransaction runs all of its statements, or none.
func ExecuteTransaction(req *engine.Request, in *ExecuteTransactionInput) (wire.Output, error) {
	tables, err := in.tables(req)
	if err != nil {
		return nil, err
	}
	if in.TransactStatements[0].isRead() {
		return in.read(req, tables)
	}
	return in.write(req, tables)
}

// tables returns the tables of the statements. A table that does not exist cancels the transaction.
func (in *ExecuteTransactionInput) tables(req *engine.Request) ([]*engine.Table, error) {
	tables := make([]*engine.Table, len(in.TransactStatements))
	reasons := make([]wire.CancellationReason, len(tables))
	canceled := false
	for i := range in.TransactStatements {
		t, _, err := in.TransactStatements[i].table(req)
		if isNotFound(err) {
			canceled = true
			reasons[i] = wire.CancellationReason{Code: "ResourceNotFound", Message: wire.TableNotFound().Message}
			continue
		}
		if err != nil {
			return nil, inTransaction(i, err)
		}
		tables[i] = t
	}
	if canceled {
		return nil, data.TransactionCanceled(reasons)
	}
	return tables, nil
}

// read runs a transaction of SELECTs.
func (in *ExecuteTransactionInput) read(req *engine.Request, tables []*engine.Table) (wire.Output, error) {
	get := &data.TransactGetItemsInput{ReturnConsumedCapacity: in.ReturnConsumedCapacity}
	for i, t := range tables {
		s := &in.TransactStatements[i]
		if err := s.readOne(t, data.NewStatementRead(t, nil), "ExecuteTransaction"); err != nil {
			return nil, inTransaction(i, err)
		}
		get.AddStatement(s.compiled.TableName, primaryKey(s.compiled.Keys), s.compiled.Projection)
	}
	return data.TransactGetItems(req, get)
}

// write runs a transaction of writes and conditions.
func (in *ExecuteTransactionInput) write(req *engine.Request, tables []*engine.Table) (wire.Output, error) {
	actions := &data.TransactWriteItemsInput{ReturnConsumedCapacity: in.ReturnConsumedCapacity}
	if in.ClientRequestToken.Set {
		actions.ClientRequestToken = wire.Optional[string]{V: tokenSpace + in.ClientRequestToken.V, Set: true}
	}
	for i, t := range tables {
		s := &in.TransactStatements[i]
		if s.compiled.Kind == partiql.Exists && !s.isSingleCondition(t) {
			return nil, inTransaction(i, wire.ValidationError(
				"EXISTS() must contain a single item read with additional condition"))
		}
		w, err := s.write(t)
		if err != nil {
			return nil, inTransaction(i, err)
		}
		actions.AddStatement(w)
	}
	if err := actions.CheckSize(); err != nil {
		return nil, err
	}
	out, err := data.TransactWriteItems(req, actions)
	if err != nil {
		return nil, err
	}
	return transactionOutput{out}, nil
}

// isSingleCondition reports whether the SELECT in an EXISTS reads one item by its key, with a further condition.
func (s *statement) isSingleCondition(t *engine.Table) bool {
	equalities := s.compiled.Keys.Equalities()
	for _, name := range t.Keys.Names() {
		if equalities[name] == nil {
			return false
		}
	}
	return !isPrimaryKey(&t.Keys, s.compiled.Keys)
}

// transactionOutput is the response of a transaction of writes, which has no items.
type transactionOutput struct{ wire.Output }

func (o transactionOutput) AppendJSON(dst []byte) []byte {
	rest := o.Output.AppendJSON(nil) // an object, perhaps an empty one
	dst = append(dst, `{"Responses":[]`...)
	if len(rest) > len("{}") {
		dst = append(dst, ',')
	}
	return append(dst, rest[1:]...)
}

func (in *ExecuteTransactionInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	for i := range in.TransactStatements {
		dst = append(dst, in.TransactStatements[i].resourceRef())
	}
	return dst
}

func (in *ExecuteTransactionInput) Traits() engine.Traits {
	return engine.Traits{HoldsLatches: true, Writes: !in.TransactStatements[0].isRead(), Transaction: true}
}

func (in *ExecuteTransactionInput) ResponseBytes() int64 {
	if in.TransactStatements[0].isRead() {
		return int64(len(in.TransactStatements)) * engine.ItemBytes
	}
	return 0
}

func (in *ExecuteTransactionInput) PolicyValues(v *engine.PolicyValues, member int, _ string) {
	v.ReturnConsumedCapacity = engine.OrNone(in.ReturnConsumedCapacity)
	in.TransactStatements[member].policyValues(v)
}

// PartitionKeys returns the values of the partition key that one statement reads or writes; nil if it scans.
func (in *ExecuteTransactionInput) PartitionKeys(member int, t *engine.Table) []item.Value {
	return in.TransactStatements[member].partitionKeys(t)
}

// IsFullScan reports whether one statement reads a whole table or index.
func (in *ExecuteTransactionInput) IsFullScan(member int, t *engine.Table) bool {
	return in.TransactStatements[member].isFullScan(t)
}
