package wire

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"

// Input is the input of an operation.
type Input interface {
	// Decode decodes the members that the operation knows. Its errors are about JSON types.
	Decode(d *Decoder) error
	// Check returns an error if the request is invalid whatever tables exist. It is called once, and may keep what it
	// parsed.
	Check() error
}

// Output is the response of an operation.
type Output interface {
	// AppendJSON appends the body.
	AppendJSON(dst []byte) []byte
}

// CheckShape returns an error if members violate their constraints.
func CheckShape(in any) error {
	if message := shape.Check(in); message != "" {
		return ValidationError(message)
	}
	return nil
}

// OrZero returns *p, or the zero value if p is nil.
func OrZero[T any](p *T) T {
	if p == nil {
		return *new(T)
	}
	return *p
}
