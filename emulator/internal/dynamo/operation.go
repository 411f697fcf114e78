package dynamo

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
	"github.com/tabletop-db/tabletop/emulator/internal/poison"
)

// inputOf is what an operation is asked.
type inputOf[T any] interface {
	*T
	input
}

// input is an input of any operation.
type input interface {
	// decode reads the members that the operation knows; its errors are about JSON types.
	decode(d *decoder) error
	// check refuses what is wrong whatever the tables are. It is called once, and may keep what it parsed.
	check() error
}

// output is what an operation answers.
type output interface {
	// appendJSON appends the body.
	appendJSON(dst []byte) []byte
}

// operation answers a request's body by appending to dst: with an answer, or not at all and with an error.
type operation func(a *request, body, dst []byte) ([]byte, error)

// call is the memory of one run of an operation, used again and again: what it was asked, and the stored form
// of the values in it. Nothing of it may be kept once the answer is written.
type call[I any] struct {
	in      I
	decoder decoder
}

// define makes an operation of its function.
func define[I any, P inputOf[I], O output](run func(a *request, in *I) (O, error)) operation {
	calls := poison.Pool{New: func() any { return new(call[I]) }}
	return func(a *request, body, dst []byte) ([]byte, error) {
		c := calls.Get().(*call[I])
		c.in = *new(I)
		dst, err := c.decoder.answer(a, P(&c.in), body, dst, func() (output, error) { return run(a, &c.in) })
		c.decoder.items.Reset()
		poison.Zero(&c.in)
		calls.Put(c)
		return dst, err
	}
}

// answer decodes a body, checks it, and runs the operation.
func (d *decoder) answer(a *request, in input, body, dst []byte, run func() (output, error)) ([]byte, error) {
	if err := a.holdRequest(body); err != nil {
		return dst, err
	}
	if err := d.decode(in, body); err != nil {
		return dst, err
	}
	if err := in.check(); err != nil {
		return dst, err
	}
	if a.service.noting.Load() {
		if err := a.noteAccesses(in); err != nil {
			return dst, err
		}
	}
	if a.who != nil {
		if err := a.permit(in); err != nil {
			return dst, err
		}
	}
	if a.service.faults.On() {
		if err := a.applyFaults(in); err != nil {
			return dst, err
		}
	}
	if err := a.reserveAnswer(in); err != nil {
		return dst, err
	}
	for {
		out, err := run()
		if errors.Is(err, errStaleTable) {
			a.event.Charges, a.event.Throttles = a.event.Charges[:0], a.event.Throttles[:0]
			if err := a.budget().Err(); err != nil {
				return dst, err
			}
			continue // the table was changed between looking it up and latching the keys
		}
		if err != nil {
			return dst, err
		}
		return out.appendJSON(dst), nil
	}
}

// decode reads a body: steps 2 and 5 of the order of checks.
func (d *decoder) decode(in input, body []byte) error {
	var err error
	d.Reader, err = jsonread.New(body)
	if err != nil || d.Kind() != '{' {
		return serializationError("")
	}
	err = in.decode(d)
	if err == nil {
		err = d.End()
	}
	var wrongType *item.TypeError
	if errors.As(err, &wrongType) {
		return serializationError(wrongType.Message)
	}
	if err != nil {
		return serializationError("")
	}
	return nil
}
