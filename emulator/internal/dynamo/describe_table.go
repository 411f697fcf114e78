package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"

// TableInput is what an operation is asked that needs nothing but a table's name.
type TableInput struct{ TableName *string }

func (in *TableInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }
func (in *TableInput) check() error            { return checkTableName(in.TableName) }

type describeTableOutput struct{ Table *tableDescription }

func (out *describeTableOutput) appendJSON(dst []byte) []byte { return appendMarshalled(dst, out) }

func describeTable(a *request, in *TableInput) (*describeTableOutput, error) {
	d, err := a.account.described(*in.TableName)
	if err != nil {
		return nil, err
	}
	return &describeTableOutput{d}, nil
}

func (in *TableInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: orZero(in.TableName)})
}
