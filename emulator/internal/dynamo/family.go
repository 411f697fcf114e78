package dynamo

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// family is how an operation words what is wrong with a request. The service has three: the writes of one
// item, the reads that AWS moved to its new validation in 2026, and the operations that it has not moved.
// (paritysuite/dynamodb-conformance and nubo-db/dynoxide, captures of 2026.)
type family struct {
	envelope bool // "1 validation error detected: " stands before the message
	older    bool // values are named by their placeholder, and sets shown in the older way
}

var (
	writes = family{envelope: true}
	reads  = family{}
	older  = family{older: true}
)

// refuse words a fault of the request's values or expressions. An *Error stays as it is.
func (f family) refuse(err error) error {
	if err == nil {
		return nil
	}
	var own *Error
	if errors.As(err, &own) {
		return err
	}
	var e *expr.Error
	runtime := errors.As(err, &e) && e.Runtime
	if !f.envelope || runtime || errors.Is(err, item.ErrEmptyValue) || errors.Is(err, item.ErrManyTypes) {
		return validationError(err.Error())
	}
	return validationError(envelope + err.Error())
}

// refuseMessage is refuse for a text.
func (f family) refuseMessage(message string) error {
	return f.refuse(errors.New(message))
}
