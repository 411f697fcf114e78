package wire

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// ErrorStyle is the wording of an operation's validation errors. The service has three styles: the writes of single
// items, the reads that AWS moved to its new validation in 2026, and the operations that it has not moved.
// (paritysuite/dynamodb-conformance and nubo-db/dynoxide, captures of 2026.)
type ErrorStyle struct {
	Prefixed bool // messages begin with "1 validation error detected: "
	Legacy   bool // messages name values by their placeholder, and show sets in the older form
}

var (
	WriteErrors  = ErrorStyle{Prefixed: true}
	ReadErrors   = ErrorStyle{}
	LegacyErrors = ErrorStyle{Legacy: true}
)

// Convert converts an error in the request's values or expressions into the style's wording. It returns an *Error
// unchanged.
func (s ErrorStyle) Convert(err error) error {
	if err == nil {
		return nil
	}
	var serviceErr *Error
	if errors.As(err, &serviceErr) {
		return err
	}
	message, e := err.Error(), new(expr.Error)
	runtime := errors.As(err, &e) && e.Runtime
	if s.Legacy {
		message += e.LegacyDetail
	}
	if !s.Prefixed || runtime || errors.Is(err, item.ErrEmptyValue) || errors.Is(err, item.ErrManyTypes) {
		return ValidationError(message)
	}
	return ValidationError(ValidationPrefix + message)
}

// New returns an error with that message, in the style's wording.
func (s ErrorStyle) New(message string) error {
	return s.Convert(errors.New(message))
}
