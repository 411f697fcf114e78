package wire

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// Family is how an operation words what is wrong with a request. The service has three: the writes of one
// item, the reads that AWS moved to its new validation in 2026, and the operations that it has not moved.
// (paritysuite/dynamodb-conformance and nubo-db/dynoxide, captures of 2026.)
type Family struct {
	Envelope bool // "1 validation error detected: " stands before the message
	Older    bool // values are named by their placeholder, and sets shown in the older way
}

var (
	Writes = Family{Envelope: true}
	Reads  = Family{}
	Older  = Family{Older: true}
)

// Refuse words a fault of the request's values or expressions. An *Error stays as it is.
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

// RefuseMessage is refuse for a text.
func (f Family) RefuseMessage(message string) error {
	return f.Refuse(errors.New(message))
}
