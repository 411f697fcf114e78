package dynamo

// noInput is a request that says nothing.
type noInput struct{}

func (*noInput) decode(d *decoder) error { return d.Skip() }
func (*noInput) check() error            { return nil }

// describeLimitsOutput has the service's initial quotas in us-east-1. The emulator holds its users to
// them like the cloud only.
type describeLimitsOutput struct {
	AccountMaxReadCapacityUnits  int64
	AccountMaxWriteCapacityUnits int64
	TableMaxReadCapacityUnits    int64
	TableMaxWriteCapacityUnits   int64
}

func (out *describeLimitsOutput) appendJSON(dst []byte) []byte { return appendMarshalled(dst, out) }

func describeLimits(*caller, *noInput) (*describeLimitsOutput, error) {
	return &describeLimitsOutput{80_000, 80_000, 40_000, 40_000}, nil
}
