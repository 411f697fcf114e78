package control

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// ListTablesInput requests a page of table names.
type ListTablesInput struct {
	ExclusiveStartTableName *string `check:"name,minlen=3,maxlen=255"`
	Limit                   *int32  `check:"min=1,max=100"`
}

func (in *ListTablesInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }
func (in *ListTablesInput) Check() error                 { return wire.CheckShape(in) }

type listTablesOutput struct {
	TableNames             []string
	LastEvaluatedTableName string `json:",omitempty"`
}

func (out *listTablesOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, out) }

// maxListedTables is the most names in one response.
const maxListedTables = 100

// ListTables returns a page of the names of all tables, sorted.
func ListTables(req *engine.Request, in *ListTablesInput) (*listTablesOutput, error) {
	if err := req.Budget().Step(engine.SortStepsPerName * len(*req.Account.Tables.Load())); err != nil {
		return nil, err
	}
	names := tableNames(req.Account)
	from, found := slices.BinarySearch(names, wire.OrZero(in.ExclusiveStartTableName))
	if found {
		from++
	}
	limit := maxListedTables
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	out := &listTablesOutput{TableNames: append([]string{}, names[from:min(from+limit, len(names))]...)}
	if from+limit < len(names) {
		out.LastEvaluatedTableName = names[from+limit-1]
	}
	return out, nil
}
