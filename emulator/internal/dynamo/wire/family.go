package wire

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// Family is how an operation words validation errors. The service has three: the writes of single items, the reads that
// AWS moved to its new validation in 2026, and the operations that it has not moved. (paritysuite/dynamodb-conformance
// and nubo-db/dynoxide, captures of 2026.)
type Family struct {
	Envelope bool // messages begin with "1 validation error detected: "
	Older    bool // messages name values by their placeholder, and show sets in the older form
}

var (
	Writes = Family{Envelope: true}
	Reads  = Family{}
	Older  = Family{Older: true}
)

// Refuse converts an error in the request's values or expressions into the family's wording. It returns an *Error
// unchanged.
func (f Family) Refuse(err error) error {
	if err == nil {
		return nil
	}
	var own *Error
	if errors.As(err, &own) {
		return err
	}
	var e *expr.Error
	runtime := errors.As(err, &e) && e.Runtime
	if !f.Envelope || runtime || errors.Is(err, item.ErrEmptyValue) || errors.Is(err, item.ErrManyTypes) {
		return ValidationError(err.Error())
	}
	return ValidationError(Envelope + err.Error())
}

// RefuseMessage is Refuse for a message.
func (f Family) RefuseMessage(message string) error {
	return f.Refuse(errors.New(message))
}
