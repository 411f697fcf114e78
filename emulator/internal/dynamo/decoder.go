package dynamo

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

// optional is a member of a request that may be absent. null is absent.
type optional[T any] struct {
	V   T
	Set bool
}

// decoder reads a request's JSON into inputs: step 5 of the order of checks. Its errors are those of JSON of
// the wrong type.
type decoder struct {
	jsonread.Reader
	items item.Decoder
}

// null reads null, if that comes next.
func (d *decoder) null() (bool, error) {
	if d.Kind() != 'n' {
		return false, nil
	}
	return true, d.Null()
}

// members reads the members of a structure; what is null is passed over, as is what member does not know,
// for which it calls Skip. A request may hold more than an operation reads.
func (d *decoder) members(member func(name []byte) error) error {
	return d.Object(func(name []byte) error {
		if null, err := d.null(); null {
			return err
		}
		return member(name)
	})
}

// structure reads a structure that is a member of another.
func (d *decoder) structure(class string, member func(name []byte) error) error {
	switch d.Kind() {
	case '{':
		return d.members(member)
	case '[':
		return &item.TypeError{Message: "Unrecognized collection type class com.amazonaws.dynamodb.v20120810." + class}
	case 0:
		return jsonread.ErrSyntax
	}
	return &item.TypeError{Message: "Unexpected field type"}
}

// element reads a structure that is an element of a list or the value of a map.
func (d *decoder) element(class string, member func(name []byte) error) error {
	switch d.Kind() {
	case '{', '[', 0:
		return d.structure(class, member)
	}
	return &item.TypeError{Message: "Unexpected value type in payload"}
}

// list reads a list and calls element before each of its elements.
func (d *decoder) list(element func() error) error {
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

// mapping reads a map whose values are of that Java class and calls entry before each value.
func (d *decoder) mapping(class string, entry func(key []byte) error) error {
	switch d.Kind() {
	case '{':
		return d.members(entry)
	case '[':
		return &item.TypeError{Message: "Unrecognized collection type java.util.Map<java.lang.String, " + class + ">"}
	case 0:
		return jsonread.ErrSyntax
	}
	return &item.TypeError{Message: "Unexpected field type"}
}

// structureClass is the Java name of one of the service's structures.
func structureClass(name string) string { return "com.amazonaws.dynamodb.v20120810." + name }

func (d *decoder) str(dst *optional[string]) error {
	if d.Kind() != '"' {
		return item.ConversionError(&d.Reader, "String")
	}
	text, err := d.String()
	*dst = optional[string]{text, true}
	return err
}

// text reads a string that must be there, such as an element of a list.
func (d *decoder) text() (string, error) {
	var s optional[string]
	err := d.str(&s)
	return s.V, err
}

// strings reads a list of strings.
func (d *decoder) strings(dst *[]string) error {
	*dst = []string{}
	return d.list(func() error {
		s, err := d.text()
		*dst = append(*dst, s)
		return err
	})
}

func (d *decoder) boolean(dst *optional[bool]) error {
	b, err := item.ReadBool(&d.Reader)
	*dst = optional[bool]{b, true}
	return err
}

// integer reads an Integer or a Long; a fraction is cut off, as the service does.
func (d *decoder) integer(dst *optional[int64], class string) error {
	if d.Kind() != '0' {
		return item.ConversionError(&d.Reader, class)
	}
	text, err := d.Number()
	if err != nil {
		return err
	}
	*dst = optional[int64]{toInteger(string(text)), true}
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

// attributes is an item, a key or another map of attribute values in a request. Its values are checked at
// their place in the order of checks, not while the types are.
type attributes struct {
	item.Value
	Err error // the first wrong value, in the service's words
}

func (d *decoder) attributes(dst *attributes) error {
	var err error
	if dst.Value, err = d.items.Item(&d.Reader); err == nil {
		dst.Err = d.items.Err()
	}
	return err
}

// attribute reads one attribute value.
func (d *decoder) attribute(dst *attributes) error {
	var err error
	if dst.Value, err = d.items.Value(&d.Reader); err == nil {
		dst.Err = d.items.Err()
	}
	return err
}

// parameterized refuses what stands where a list or map within a list or map must: the service's own
// deserializer trips over it.
func (d *decoder) parameterized() error {
	switch d.Kind() {
	case '{':
		return &item.TypeError{Message: "Start of structure or map found where not expected"}
	case '[':
		return &item.TypeError{Message: "Unrecognized collection type java.util.Map<java.lang.String, " + structureClass("AttributeValue") + ">"}
	case 0:
		return jsonread.ErrSyntax
	}
	return &item.TypeError{Message: "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class " +
		"(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')"}
}
