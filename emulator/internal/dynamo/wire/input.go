package wire

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"

// Input is an input of any operation.
type Input interface {
	// Decode reads the members that the operation knows; its errors are about JSON types.
	Decode(d *Decoder) error
	// Check refuses what is wrong whatever the tables are. It is called once, and may keep what it parsed.
	Check() error
}

// Output is what an operation answers.
type Output interface {
	// AppendJSON appends the body.
	AppendJSON(dst []byte) []byte
}

// CheckShape refuses a request with broken constraints.
func CheckShape(in any) error {
	if message := shape.Check(in); message != "" {
		return ValidationError(message)
	}
	return nil
}

// OrZero is what p points to, or the zero value.
func OrZero[T any](p *T) T {
	if p == nil {
		return *new(T)
	}
	return *p
}
