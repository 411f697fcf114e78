package item

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

// decodeBool decodes BOOL and NULL.
func (d *Decoder) decodeBool(r *jsonread.Reader, t Type) error {
	b, err := ReadBool(r)
	if err != nil {
		return err
	}
	if t == Null && !b {
		d.recordInvalid(errNullFalse)
	}
	if t == Bool && b {
		d.buf = append(d.buf, tagTrue)
	} else {
		d.buf = append(d.buf, byte(t))
	}
	return nil
}

// decodeText decodes a string, number or binary, with its length first.
func (d *Decoder) decodeText(r *jsonread.Reader, t Type) error {
	if r.Kind() != '"' {
		return textError(r, t)
	}
	at := len(d.buf)
	d.buf = append(d.buf, 0)
	var err error
	switch t {
	case String:
		d.buf, err = r.AppendString(d.buf)
	case Number:
		err = d.decodeNumber(r)
	case Binary:
		err = d.decodeBinary(r)
	}
	if err == nil {
		d.setLength(at)
	}
	return err
}

// setLength writes the length of what follows at, moving it if the length needs more than one byte.
func (d *Decoder) setLength(at int) {
	n := len(d.buf) - at - 1
	if n < 0x80 {
		d.buf[at] = byte(n)
		return
	}
	var width [binary.MaxVarintLen32]byte
	w := binary.PutUvarint(width[:], uint64(n))
	d.buf = slices.Insert(d.buf, at, width[:w-1]...)
	copy(d.buf[at:], width[:w])
}

func (d *Decoder) decodeNumber(r *jsonread.Reader) error {
	text, err := r.AppendString(d.scratch[:0])
	if err != nil {
		return err
	}
	d.scratch = text
	canonical, err := appendCanonical(d.buf, text)
	if err != nil {
		switch {
		case d.LegacyErrors:
			err = legacyNumberError(text, err)
		case err == errNotNumber:
			err = notNumeric(nil)
		}
		if d.CheckNumber != nil {
			err = cmp.Or(d.CheckNumber(string(text)), err)
		}
		d.recordInvalid(err)
		canonical = append(d.buf, '0')
	}
	d.buf = canonical
	return nil
}

func (d *Decoder) decodeBinary(r *jsonread.Reader) error {
	text, err := r.AppendString(d.scratch[:0])
	if err != nil {
		return err
	}
	d.scratch = text
	if len(text)%4 != 0 {
		return &TypeError{"Base64 encoded length is expected a multiple of 4 bytes but found: " + strconv.Itoa(len(text))}
	}
	d.buf, err = base64.StdEncoding.Strict().AppendDecode(d.buf, text)
	if err != nil {
		return &TypeError{"Invalid last non-pad Base64 character dectected"} // the spelling is the service's
	}
	return nil
}
