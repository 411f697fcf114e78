package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

type describeEndpointsOutput struct{ Endpoints []endpoint }

type endpoint struct {
	Address              string
	CachePeriodInMinutes int64
}

func (out *describeEndpointsOutput) AppendJSON(dst []byte) []byte {
	return wire.AppendMarshaled(dst, out)
}

// DescribeEndpoints returns the address that the client already uses.
func DescribeEndpoints(req *engine.Request, _ *EmptyInput) (*describeEndpointsOutput, error) {
	return &describeEndpointsOutput{[]endpoint{{req.Engine.Address, 24 * 60}}}, nil
}
