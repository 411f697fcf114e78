package wire

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

// Optional is a member of a request that may be missing. null counts as missing.
type Optional[T any] struct {
	V   T
	Set bool
}

// Decoder decodes a request's JSON into an input: step 5 of the order of checks. Its errors are about wrong JSON types.
type Decoder struct {
	jsonread.Reader
	Items item.Decoder
	Owner TableOwner // whose tables ARNs can name; nil: ARNs are not understood

	invalidARN *Error // what is wrong with the first invalid ARN of a table
	foreign    bool   // an ARN names a table of another account
	elements   int    // of lists and maps, other than those of attribute values
}

// count counts an element of a list or a map. Errors: there are too many.
func (d *Decoder) count() error {
	if d.elements++; d.elements > shape.MaxElements {
		return shape.ErrTooManyElements()
	}
	return nil
}

// null reads null if it comes next.
func (d *Decoder) null() (bool, error) {
	if d.Kind() != 'n' {
		return false, nil
	}
	return true, d.Null()
}

// Members decodes the members of a structure. It skips null members; member calls Skip for members that it does not
// know: a request may contain more than the operation reads.
func (d *Decoder) Members(member func(name []byte) error) error {
	return d.Object(func(name []byte) error {
		if null, err := d.null(); null {
			return err
		}
		return member(name)
	})
}

// Structure decodes a structure that is a member of another.
func (d *Decoder) Structure(className string, member func(name []byte) error) error {
	switch d.Kind() {
	case '{':
		return d.Members(member)
	case '[':
		return &item.TypeError{Message: "Unrecognized collection type class com.amazonaws.dynamodb.v20120810." + className}
	case 0:
		return jsonread.ErrSyntax
	}
	return &item.TypeError{Message: "Unexpected field type"}
}

// Element decodes a structure that is an element of a list or a value of a map.
func (d *Decoder) Element(class string, member func(name []byte) error) error {
	switch d.Kind() {
	case '{', '[', 0:
		return d.Structure(class, member)
	}
	return &item.TypeError{Message: "Unexpected value type in payload"}
}

// List decodes a list, calling element for each element.
func (d *Decoder) List(element func() error) error {
	switch d.Kind() {
	case '[':
		return d.Array(func() error {
			if err := d.count(); err != nil {
				return err
			}
			return element()
		})
	case '{':
		return &item.TypeError{Message: "Start of structure or map found where not expected"}
	case 0:
		return jsonread.ErrSyntax
	}
	return &item.TypeError{Message: "Unexpected field type"}
}

// Mapping decodes a map whose values have that Java class, calling entry for each value.
func (d *Decoder) Mapping(class string, entry func(key []byte) error) error {
	switch d.Kind() {
	case '{':
		return d.Members(func(key []byte) error {
			if err := d.count(); err != nil {
				return err
			}
			return entry(key)
		})
	case '[':
		return &item.TypeError{Message: "Unrecognized collection type java.util.Map<java.lang.String, " + class + ">"}
	case 0:
		return jsonread.ErrSyntax
	}
	return &item.TypeError{Message: "Unexpected field type"}
}

// StructureClass returns the Java name of one of the service's structures.
func StructureClass(name string) string { return "com.amazonaws.dynamodb.v20120810." + name }

// Str decodes a string.
func (d *Decoder) Str(dst *Optional[string]) error {
	if d.Kind() != '"' {
		return item.ConversionError(&d.Reader, "String")
	}
	text, err := d.String()
	*dst = Optional[string]{text, true}
	return err
}

// Text decodes a string that must not be null, such as an element of a list.
func (d *Decoder) Text() (string, error) {
	var s Optional[string]
	err := d.Str(&s)
	return s.V, err
}

// Strings decodes a list of strings.
func (d *Decoder) Strings(dst *[]string) error {
	*dst = []string{}
	return d.List(func() error {
		s, err := d.Text()
		*dst = append(*dst, s)
		return err
	})
}

// Boolean decodes a boolean.
func (d *Decoder) Boolean(dst *Optional[bool]) error {
	b, err := item.ReadBool(&d.Reader)
	*dst = Optional[bool]{b, true}
	return err
}

// Integer decodes an Integer or a Long.
func (d *Decoder) Integer(dst *Optional[int64], class string) error {
	n, err := item.ReadInteger(&d.Reader, class)
	*dst = Optional[int64]{n, true}
	return err
}

// Attributes is an item, a key or another map of attribute values in a request. Its values are checked at their place
// in the order of checks, after the JSON types.
type Attributes struct {
	item.Value
	Err error // the first invalid value, in the service's words
}

// Attributes decodes an item or a key. It sets dst.Err if a value is invalid.
func (d *Decoder) Attributes(dst *Attributes) error {
	var err error
	if dst.Value, err = d.Items.Item(&d.Reader); err == nil {
		dst.Err = d.Items.Err()
	}
	return err
}

// Attribute decodes one attribute value. It sets dst.Err if the value is invalid.
func (d *Decoder) Attribute(dst *Attributes) error {
	var err error
	if dst.Value, err = d.Items.Value(&d.Reader); err == nil {
		dst.Err = d.Items.Err()
	}
	return err
}

// NestedTypeError returns the error for a wrong JSON type in place of a list or a map inside another list or map: the
// service's own deserializer fails there.
func (d *Decoder) NestedTypeError() error {
	switch d.Kind() {
	case '{':
		return &item.TypeError{Message: "Start of structure or map found where not expected"}
	case '[':
		return &item.TypeError{Message: "Unrecognized collection type java.util.Map<java.lang.String, " +
			StructureClass("AttributeValue") + ">"}
	case 0:
		return jsonread.ErrSyntax
	}
	return &item.TypeError{
		Message: "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class " +
			"(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')"}
}

// Decode decodes a body: steps 2 and 5 of the order of checks, and ARNs in place of table names.
func (d *Decoder) Decode(in Input, body []byte) error {
	var err error
	d.invalidARN, d.foreign, d.elements = nil, false, 0
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
	if d.invalidARN != nil {
		return d.invalidARN
	}
	return nil
}
