package wire

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

// Optional is a member of a request that may be absent. null is absent.
type Optional[T any] struct {
	V   T
	Set bool
}

// Decoder reads a request's JSON into inputs: step 5 of the order of checks. Its errors are those of JSON of
// the wrong type.
type Decoder struct {
	jsonread.Reader
	Items item.Decoder
}

// null reads null, if that comes next.
func (d *Decoder) null() (bool, error) {
	if d.Kind() != 'n' {
		return false, nil
	}
	return true, d.Null()
}

// Members reads the members of a structure; what is null is passed over, as is what member does not know,
// for which it calls Skip. A request may hold more than an operation reads.
func (d *Decoder) Members(member func(name []byte) error) error {
	return d.Object(func(name []byte) error {
		if null, err := d.null(); null {
			return err
		}
		return member(name)
	})
}

// Structure reads a structure that is a member of another.
func (d *Decoder) Structure(class string, member func(name []byte) error) error {
	switch d.Kind() {
	case '{':
		return d.Members(member)
	case '[':
		return &item.TypeError{Message: "Unrecognized collection type class com.amazonaws.dynamodb.v20120810." + class}
	case 0:
		return jsonread.ErrSyntax
	}
	return &item.TypeError{Message: "Unexpected field type"}
}

// Element reads a structure that is an element of a list or the value of a map.
func (d *Decoder) Element(class string, member func(name []byte) error) error {
	switch d.Kind() {
	case '{', '[', 0:
		return d.Structure(class, member)
	}
	return &item.TypeError{Message: "Unexpected value type in payload"}
}

// List reads a list and calls element before each of its elements.
func (d *Decoder) List(element func() error) error {
	switch d.Kind() {
	case '[':
		return d.Array(element)
	case '{':
		return &item.TypeError{Message: "Start of structure or map found where not expected"}
	case 0:
		return jsonread.ErrSyntax
	}
	return &item.TypeError{Message: "Unexpected field type"}
}

// Mapping reads a map whose values are of that Java class and calls entry before each value.
func (d *Decoder) Mapping(class string, entry func(key []byte) error) error {
	switch d.Kind() {
	case '{':
		return d.Members(entry)
	case '[':
		return &item.TypeError{Message: "Unrecognized collection type java.util.Map<java.lang.String, " + class + ">"}
	case 0:
		return jsonread.ErrSyntax
	}
	return &item.TypeError{Message: "Unexpected field type"}
}

// StructureClass is the Java name of one of the service's structures.
func StructureClass(name string) string { return "com.amazonaws.dynamodb.v20120810." + name }

// Str decodes a text; null leaves it unset.
func (d *Decoder) Str(dst *Optional[string]) error {
	if d.Kind() != '"' {
		return item.ConversionError(&d.Reader, "String")
	}
	text, err := d.String()
	*dst = Optional[string]{text, true}
	return err
}

// Text reads a string that must be there, such as an element of a list.
func (d *Decoder) Text() (string, error) {
	var s Optional[string]
	err := d.Str(&s)
	return s.V, err
}

// Strings reads a list of strings.
func (d *Decoder) Strings(dst *[]string) error {
	*dst = []string{}
	return d.List(func() error {
		s, err := d.Text()
		*dst = append(*dst, s)
		return err
	})
}

// Boolean decodes a truth value; null leaves it unset.
func (d *Decoder) Boolean(dst *Optional[bool]) error {
	b, err := item.ReadBool(&d.Reader)
	*dst = Optional[bool]{b, true}
	return err
}

// Integer reads an Integer or a Long; a fraction is cut off, as the service does.
func (d *Decoder) Integer(dst *Optional[int64], class string) error {
	if d.Kind() != '0' {
		return item.ConversionError(&d.Reader, class)
	}
	text, err := d.Number()
	if err != nil {
		return err
	}
	*dst = Optional[int64]{toInteger(string(text)), true}
	return nil
}

func toInteger(text string) int64 {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) && !strings.ContainsAny(text, ".eE") {
		return i
	}
	f, _ := strconv.ParseFloat(text, 64)
	switch {
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(math.Floor(f))
}

// Attributes is an item, a key or another map of attribute values in a request. Its values are checked at
// their place in the order of checks, not while the types are.
type Attributes struct {
	item.Value
	Err error // the first wrong value, in the service's words
}

// Attributes decodes an item or a key. A value that is wrong in itself is noted in dst.Err.
func (d *Decoder) Attributes(dst *Attributes) error {
	var err error
	if dst.Value, err = d.Items.Item(&d.Reader); err == nil {
		dst.Err = d.Items.Err()
	}
	return err
}

// Attribute reads one attribute value.
func (d *Decoder) Attribute(dst *Attributes) error {
	var err error
	if dst.Value, err = d.Items.Value(&d.Reader); err == nil {
		dst.Err = d.Items.Err()
	}
	return err
}

// Parameterized refuses what stands where a list or map within a list or map must: the service's own
// deserializer trips over it.
func (d *Decoder) Parameterized() error {
	switch d.Kind() {
	case '{':
		return &item.TypeError{Message: "Start of structure or map found where not expected"}
	case '[':
		return &item.TypeError{Message: "Unrecognized collection type java.util.Map<java.lang.String, " + StructureClass("AttributeValue") + ">"}
	case 0:
		return jsonread.ErrSyntax
	}
	return &item.TypeError{Message: "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class " +
		"(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')"}
}

// Decode reads a body: steps 2 and 5 of the order of checks.
func (d *Decoder) Decode(in Input, body []byte) error {
	var err error
	d.Reader, err = jsonread.New(body)
	if err != nil || d.Kind() != '{' {
		return SerializationError("")
	}
	err = in.Decode(d)
	if err == nil {
		err = d.End()
	}
	var wrongType *item.TypeError
	if errors.As(err, &wrongType) {
		return SerializationError(wrongType.Message)
	}
	if err != nil {
		return SerializationError("")
	}
	return nil
}
