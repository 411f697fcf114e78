package dynamo

// NoInput is a request that says nothing.
type NoInput struct{}

func (*NoInput) decode(d *decoder) error { return d.Skip() }
func (*NoInput) check() error            { return nil }

// describeLimitsOutput has the service's initial quotas in us-east-1. The emulator holds its users to
// them like the cloud only.
type describeLimitsOutput struct {
	AccountMaxReadCapacityUnits  int64
	AccountMaxWriteCapacityUnits int64
	TableMaxReadCapacityUnits    int64
	TableMaxWriteCapacityUnits   int64
}

func (out *describeLimitsOutput) appendJSON(dst []byte) []byte { return appendMarshalled(dst, out) }

func describeLimits(*request, *NoInput) (*describeLimitsOutput, error) {
	return &describeLimitsOutput{80_000, 80_000, 40_000, 40_000}, nil
}
