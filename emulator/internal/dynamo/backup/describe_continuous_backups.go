package backup

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// NamedTableInput is control.TableInput for operations that also accept the table's ARN.
type NamedTableInput struct{ TableName *string }

func (in *NamedTableInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }
func (in *NamedTableInput) Check() error                 { return checkNamed(in.TableName) }

func (in *NamedTableInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: nameOf(wire.OrZero(in.TableName))})
}

// DescribeContinuousBackups describes the point-in-time recovery of a table.
func DescribeContinuousBackups(req *engine.Request, in *NamedTableInput) (*continuousBackupsOutput, error) {
	t, err := recoverable(req.Account, *in.TableName)
	if err != nil {
		return nil, err
	}
	return describeRecovery(t, req.Engine.Clock.Now()), nil
}
