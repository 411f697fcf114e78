package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// TableInput is the input of an operation whose only parameter is a table name.
type TableInput struct{ TableName *string }

func (in *TableInput) Decode(d *wire.Decoder) error { return d.NamedShape(in, &in.TableName) }
func (in *TableInput) Check() error                 { return CheckTableName(in.TableName) }

// DescribeTableInput is the input of DescribeTable and DeleteTable, which have the message of UpdateTable about the
// length of a name. (DescribeTable: ack-api-quirks DDB-TABLE-457, 2026-10-09. No response of DeleteTable is as recent.)
type DescribeTableInput struct{ TableInput }

func (in *DescribeTableInput) Check() error {
	if in.TableName == nil {
		return MissingTableName()
	}
	return wire.CheckShape(&struct {
		TableName *string `check:"minlen=3,name,maxlen=255"`
	}{in.TableName})
}

type describeTableOutput struct{ Table *TableDescription }

func (out *describeTableOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, out) }

// DescribeTable describes a table, whatever its status.
func DescribeTable(req *engine.Request, in *DescribeTableInput) (*describeTableOutput, error) {
	d, err := describeByName(req.Account, *in.TableName)
	if err != nil {
		return nil, err
	}
	return &describeTableOutput{d}, nil
}

func (in *TableInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: wire.OrZero(in.TableName)})
}
