package dynamo

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

// input is what an operation is asked.
type input[T any] interface {
	*T
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
type operation func(a *account, body, dst []byte) ([]byte, error)

// define makes an operation of its function.
func define[I any, P input[I], O output](run func(a *account, in *I) (O, error)) operation {
	return func(a *account, body, dst []byte) ([]byte, error) {
		in := new(I)
		if err := decodeInput(P(in), body); err != nil {
			return dst, err
		}
		if err := P(in).check(); err != nil {
			return dst, err
		}
		for {
			out, err := run(a, in)
			if errors.Is(err, errStaleTable) {
				continue // the table was changed between looking it up and latching the keys
			}
			if err != nil {
				return dst, err
			}
			return out.appendJSON(dst), nil
		}
	}
}

func decodeInput(in interface{ decode(*decoder) error }, body []byte) error {
	reader, err := jsonread.New(body)
	if err != nil || reader.Kind() != '{' {
		return serializationError("")
	}
	d := decoder{Reader: reader}
	err = in.decode(&d)
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
