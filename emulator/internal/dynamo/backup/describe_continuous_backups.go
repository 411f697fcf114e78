package backup

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// TableNameOrARNInput is control.TableInput for operations that also accept the table's ARN.
type TableNameOrARNInput struct{ TableName *string }

func (in *TableNameOrARNInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }
func (in *TableNameOrARNInput) Check() error                 { return checkTableNameOrARN(in.TableName) }

func (in *TableNameOrARNInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: tableNameOf(wire.OrZero(in.TableName))})
}

// DescribeContinuousBackups describes the point-in-time recovery of a table.
func DescribeContinuousBackups(req *engine.Request, in *TableNameOrARNInput) (*continuousBackupsOutput, error) {
	t, err := findTable(req.Account, *in.TableName)
	if err != nil {
		return nil, err
	}
	return describeRecovery(t, req.Engine.Clock.Now()), nil
}
