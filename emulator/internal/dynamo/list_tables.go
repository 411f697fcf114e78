package dynamo

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
)

// ListTablesInput asks for a page of the names of tables.
type ListTablesInput struct {
	ExclusiveStartTableName *string `check:"name,minlen=3,maxlen=255"`
	Limit                   *int32  `check:"min=1,max=100"`
}

func (in *ListTablesInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }
func (in *ListTablesInput) check() error            { return checkShape(in) }

type listTablesOutput struct {
	TableNames             []string
	LastEvaluatedTableName string `json:",omitempty"`
}

func (out *listTablesOutput) appendJSON(dst []byte) []byte { return appendMarshalled(dst, out) }

// maxListed is how many names one answer has.
const maxListed = 100

// sortSteps is how many steps it takes to sort one of the names that a listing is made of.
const sortSteps = 16

func listTables(a *request, in *ListTablesInput) (*listTablesOutput, error) {
	if err := a.budget().Step(sortSteps * len(*a.account.tables.Load())); err != nil {
		return nil, err
	}
	names := a.account.tableNames()
	from, found := slices.BinarySearch(names, orZero(in.ExclusiveStartTableName))
	if found {
		from++
	}
	limit := maxListed
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	out := &listTablesOutput{TableNames: append([]string{}, names[from:min(from+limit, len(names))]...)}
	if from+limit < len(names) {
		out.LastEvaluatedTableName = names[from+limit-1]
	}
	return out, nil
}
