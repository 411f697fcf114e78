package dynamo

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/poison"
)

// inputOf is a pointer to an operation's input.
type inputOf[T any] interface {
	*T
	wire.Input
}

// operation handles the request of an exchange. It appends the response to dst, or returns an error and appends
// nothing.
type operation func(s *Service, x *exchange, dst []byte) ([]byte, error)

// call is the reused memory of one run of an operation: its input, and the stored form of the values in the input.
// Nothing of it may be retained after the response is written.
type call[I any] struct {
	in      I
	decoder wire.Decoder
}

// define returns the operation that a function implements.
func define[I any, P inputOf[I], O wire.Output](run func(a *engine.Request, in *I) (O, error)) operation {
	calls := poison.Pool{New: func() any { return new(call[I]) }}
	return func(s *Service, x *exchange, dst []byte) ([]byte, error) {
		c := calls.Get().(*call[I])
		c.in = *new(I)
		dst, err := s.runOperation(x, &c.decoder, P(&c.in), dst, func() (wire.Output, error) {
			return run(&x.request, &c.in)
		})
		c.decoder.Items.Reset()
		c.decoder.Owner = nil
		poison.Zero(&c.in)
		calls.Put(c)
		return dst, err
	}
}

// runOperation decodes and checks an input, and runs the operation.
func (s *Service) runOperation(x *exchange, d *wire.Decoder, in wire.Input, dst []byte,
	run func() (wire.Output, error)) ([]byte, error) {
	a := &x.request
	if err := a.CountRequestMemory(x.in); err != nil {
		return dst, err
	}
	d.Owner = a.Account
	if err := d.Decode(in, x.in); err != nil {
		return dst, err
	}
	if err := in.Check(); err != nil {
		return dst, err
	}
	if err := d.ForeignTable(); err != nil {
		return dst, err
	}
	if err := s.admit(x, in); err != nil {
		return dst, err
	}
	for {
		out, err := run()
		if errors.Is(err, engine.ErrStaleTable) {
			e := &a.Event
			e.Charges, e.Throttles, e.Consumed = e.Charges[:0], e.Throttles[:0], e.Consumed[:0]
			if err := a.Budget().Err(); err != nil {
				return dst, err
			}
			continue // the table changed between its lookup and the latching of the keys
		}
		if err != nil {
			return dst, err
		}
		return out.AppendJSON(dst), nil
	}
}

// admit applies whatever decides about a request before it looks at any table: policies, faults, and the memory budget.
func (s *Service) admit(x *exchange, in wire.Input) error {
	if s.recordAccesses.Load() && !x.unobserved {
		if err := x.access.Record(&x.request, in); err != nil {
			return err
		}
	}
	if x.request.Principal != nil {
		if err := x.access.Authorize(&x.request, in, s.gate); err != nil {
			return err
		}
	}
	if s.engine.Faults.Active() && !x.unobserved {
		if err := applyFaults(&x.request, in, x.in); err != nil {
			return err
		}
	}
	return x.request.ReserveResponseMemory(in)
}
