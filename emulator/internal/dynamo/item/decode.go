package item

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
	"github.com/tabletop-db/tabletop/emulator/internal/poison"
)

// MaxDepth is the maximum nesting depth of an attribute value.
const MaxDepth = 32

// TypeError is a JSON type error in an attribute value, in the service's words: a SerializationException.
type TypeError struct{ Message string }

func (e *TypeError) Error() string { return e.Message }

// Decoder decodes the JSON of attribute values into the stored form. Like the service, it distinguishes two kinds of
// errors: a wrong JSON type is returned at once; an invalid value (an empty set, a number of 40 digits) is recorded for
// Err, because the service reports it only after it has checked every type in the request.
//
// The values of a Decoder share one buffer.
type Decoder struct {
	// LegacyErrors selects the messages of the operations that AWS had not moved to its newer validation by the end of
	// 2026.
	LegacyErrors bool
	// CheckNumber, unless it is nil, may return another error for the text of an invalid number, or nil.
	CheckNumber func(text string) error
	// ExtraDepth is by how many levels a value may be nested more deeply than in an item.
	ExtraDepth int
	// VeryDeep reports that a value had more than 63 levels. The service then validates the whole request in its older
	// way. (nubo-db/dynoxide, us-east-1 and eu-west-2, 2026-10-09.)
	VeryDeep bool

	buf     []byte
	depth   int
	scratch []byte
	entries []entry
	members []uint32 // where the members of a set begin in the buffer
	err     error
}

// entry is the position of a map's entry in the buffer while the map is decoded, and the prefix of its name.
type entry struct {
	start, name, nameEnd, end int
	prefix                    uint64 // see prefixOf
}

// Err returns the first invalid value since the last call, in the service's words, or nil.
func (d *Decoder) Err() error {
	err := d.err
	d.err = nil
	return err
}

// The errors for an attribute value with no type, or with several. The service reports them without a prefix in every
// operation.
var (
	ErrEmptyValue = errors.New("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")
	ErrManyTypes  = errors.New(
		"Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes")
)

// The other invalid values, except numbers.
var (
	errNullFalse = errors.New(
		"One or more parameter values were invalid: Null attribute value types must have the value of true")
	// ErrNesting is the error for a value of more than MaxDepth levels.
	ErrNesting = errors.New(
		"Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit")
	errEmptyName   = errors.New("Empty attribute name")                                       // of an item
	errEmptyKey    = errors.New("Empty attribute name")                                       // of a map in it
	errLongName    = errors.New("Attribute name is too large, must be less than 65536 bytes") // as in DynamoDB Local 3.3.1
	errEmptyString = errors.New("One or more parameter values were invalid: An string set  may not be empty")
	errEmptyNumber = errors.New("One or more parameter values were invalid: An number set  may not be empty")
	errEmptyBinary = errors.New("One or more parameter values were invalid: Binary sets should not be empty")
)

// MaxNameBytes is the length of the longest name of an attribute or of a member of a map. (SDK's model, AttributeName.)
const MaxNameBytes = 65535

// The levels of an attribute value from which the service validates otherwise, and up to which it reads a request at
// all: beyond about 2,000, which varies, its parser gives up.
const (
	veryDeep = 64
	maxRead  = 2001
)

// skipDeep skips a value at a depth that is not allowed.
func (d *Decoder) skipDeep(r *jsonread.Reader) error {
	d.recordInvalid(ErrNesting)
	d.buf = append(d.buf, byte(Null))
	brackets, err := r.SkipDepth()
	depth := d.depth + (brackets-1)/2 // a list or a map has two brackets: its own, and that of the value with its type
	if depth > maxRead {
		return jsonread.ErrSyntax
	}
	d.VeryDeep = d.VeryDeep || depth >= veryDeep
	d.depth--
	return err
}

// maxReusedBuffer is the size in bytes above which a buffer is not reused.
const maxReusedBuffer = 256 << 10

// Reset prepares the Decoder for another request. It invalidates the values that the Decoder returned.
func (d *Decoder) Reset() {
	poison.Bytes(d.buf, d.scratch)
	*d = Decoder{buf: d.buf[:0], scratch: d.scratch, entries: d.entries[:0], members: d.members}
	if cap(d.buf)+cap(d.scratch) > maxReusedBuffer || cap(d.entries) > maxReusedBuffer/40 ||
		cap(d.members) > maxReusedBuffer/4 {
		*d = Decoder{}
	}
}

// recordInvalid records an invalid value, unless there already is one. The names of an item are checked before the
// depth of its values, and those of maps after it. (paritysuite/dynamodb-conformance, ten regions, 2026-10-09.)
func (d *Decoder) recordInvalid(err error) {
	switch {
	case d.err == nil, err == ErrNesting && d.err == errEmptyKey,
		err == errEmptyName && (d.err == errEmptyKey || d.err == ErrNesting):
		d.err = err
	}
}

// grow reserves memory for the rest of the request. The stored form is longer than its JSON by at most the header of
// each container.
func (d *Decoder) grow(r *jsonread.Reader) {
	if len(d.buf) == 0 && cap(d.buf) < r.Rest() {
		d.buf = make([]byte, 0, r.Rest())
	}
}

// Value decodes one attribute value, such as {"S": "text"}.
func (d *Decoder) Value(r *jsonread.Reader) (Value, error) {
	d.grow(r)
	start := len(d.buf)
	if err := d.decodeValue(r); err != nil {
		return nil, err
	}
	return d.valueFrom(start), nil
}

// Item decodes an item or a key, such as {"pk": {"S": "text"}}.
func (d *Decoder) Item(r *jsonread.Reader) (Value, error) {
	d.grow(r)
	start := len(d.buf)
	if err := d.decodeMap(r); err != nil {
		return nil, err
	}
	return d.valueFrom(start), nil
}

func (d *Decoder) valueFrom(start int) Value {
	return Value(d.buf[start:len(d.buf):len(d.buf)])
}

func (d *Decoder) decodeValue(r *jsonread.Reader) error {
	if r.Kind() != '{' {
		return structureError(r, "com.amazonaws.dynamodb.v20120810.AttributeValue")
	}
	if d.depth++; d.depth > MaxDepth+d.ExtraDepth {
		return d.skipDeep(r)
	}
	if read, err := d.decodeScalar(r); read {
		d.depth--
		return err
	}
	start, types := len(d.buf), 0
	err := r.Object(func(key []byte) error {
		t := typeOf(key)
		if t == 0 || r.Kind() == 'n' {
			return r.Skip()
		}
		if types++; types > 1 {
			d.buf = d.buf[:start] // it fails anyway
		}
		return d.decodePayload(r, t)
	})
	d.depth--
	switch {
	case err != nil:
		return err
	case types == 0:
		d.buf = append(d.buf, byte(Null))
		d.recordInvalid(ErrEmptyValue)
	case types > 1:
		d.recordInvalid(ErrManyTypes)
	}
	return nil
}

// decodeScalar decodes a value such as {"S":"text"}, as SDKs write nearly all values, without the calls for each member
// of an object. It reports whether it has decoded the value; if not, nothing has changed.
func (d *Decoder) decodeScalar(r *jsonread.Reader) (read bool, err error) {
	at, start, invalid := r.Position(), len(d.buf), d.err
	var t Type
	switch r.OpenScalar() {
	case 'S':
		t = String
	case 'N':
		t = Number
	case 'B':
		t = Binary
	default:
		r.Return(at)
		return false, nil
	}
	d.buf = append(d.buf, byte(t))
	if err := d.decodeText(r, t); err != nil {
		return true, err
	}
	if r.CloseScalar() {
		return true, nil
	}
	r.Return(at) // it has another member: a second type
	d.buf, d.err = d.buf[:start], invalid
	return false, nil
}

func typeOf(name []byte) Type {
	switch string(name) {
	case "S":
		return String
	case "N":
		return Number
	case "B":
		return Binary
	case "SS":
		return StringSet
	case "NS":
		return NumberSet
	case "BS":
		return BinarySet
	case "L":
		return List
	case "M":
		return Map
	case "BOOL":
		return Bool
	case "NULL":
		return Null
	}
	return 0
}

func (d *Decoder) decodePayload(r *jsonread.Reader, t Type) error {
	switch {
	case t == Bool || t == Null:
		return d.decodeBool(r, t)
	case t == List:
		return d.decodeList(r)
	case t == Map:
		return d.decodeMap(r)
	case t.IsSet():
		return d.decodeSet(r, t)
	}
	d.buf = append(d.buf, byte(t))
	return d.decodeText(r, t)
}

func (d *Decoder) decodeList(r *jsonread.Reader) error {
	if r.Kind() != '[' {
		return collectionError(r)
	}
	var at int
	d.buf, at = AppendOpen(d.buf, List)
	if err := r.Array(func() error { return d.decodeValue(r) }); err != nil {
		return err
	}
	AppendClose(d.buf, at)
	return nil
}

func (d *Decoder) decodeSet(r *jsonread.Reader, t Type) error {
	if r.Kind() != '[' {
		return collectionError(r)
	}
	var at int
	d.buf, at = AppendOpen(d.buf, t)
	if err := r.Array(func() error { return d.decodeText(r, t.member()) }); err != nil {
		return err
	}
	AppendClose(d.buf, at)
	d.finishSet(t, at+containerHeader)
	return nil
}

// finishSet checks and sorts the set whose members begin at start, the last value in the buffer.
func (d *Decoder) finishSet(t Type, start int) {
	if start == len(d.buf) {
		d.recordInvalid(map[Type]error{StringSet: errEmptyString, NumberSet: errEmptyNumber, BinarySet: errEmptyBinary}[t])
		return
	}
	if !d.sortSet(t.member(), start) {
		d.recordInvalid(duplicateError(t, d.buf[start:], d.LegacyErrors))
	}
}
