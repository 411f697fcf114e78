package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// EmptyInput is the input of an operation without parameters.
type EmptyInput struct{}

func (*EmptyInput) Decode(d *wire.Decoder) error { return d.Skip() }
func (*EmptyInput) Check() error                 { return nil }

// describeLimitsOutput has the service's initial quotas in us-east-1. They are enforced only with Throttling.
type describeLimitsOutput struct {
	AccountMaxReadCapacityUnits  int64
	AccountMaxWriteCapacityUnits int64
	TableMaxReadCapacityUnits    int64
	TableMaxWriteCapacityUnits   int64
}

func (out *describeLimitsOutput) AppendJSON(dst []byte) []byte {
	return wire.AppendMarshaled(dst, out)
}

// DescribeLimits returns the quotas of the account.
func DescribeLimits(*engine.Request, *EmptyInput) (*describeLimitsOutput, error) {
	return &describeLimitsOutput{80_000, 80_000, 40_000, 40_000}, nil
}
