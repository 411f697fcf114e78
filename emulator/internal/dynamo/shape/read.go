package shape

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

const classPrefix = "com.amazonaws.dynamodb.v20120810."

// MaxElements is the most elements of all lists and maps of a request together, other than those of attribute values.
// An element takes up to 300 times as much memory as in JSON, and as much again in a message. The largest valid
// requests have some for each of the attributes of an item. The limit is ours.
const MaxElements = 300_000

// ErrTooManyElements is the error for more than MaxElements.
func ErrTooManyElements() error {
	return &item.TypeError{Message: "The lists and maps have more than 300000 elements"}
}

// reader reads the JSON of one request.
type reader struct {
	*jsonread.Reader
	elements int // of lists
}

// Read decodes the next object into dst, a pointer to a struct. Errors: an [item.TypeError] for a member of the wrong
// JSON type and for too many elements of lists, [jsonread.ErrSyntax] for invalid JSON.
func Read(r *jsonread.Reader, dst any) error {
	return readStruct(&reader{Reader: r}, reflect.ValueOf(dst).Elem(), &item.TypeError{Message: "Unexpected field type"})
}

// className returns the service's Java class name for a Go type.
func className(t reflect.Type) string {
	name := strings.TrimSuffix(t.Name(), "Input")
	return strings.ToUpper(name[:1]) + name[1:]
}

// readStruct decodes an object; otherwise is the error for a scalar in its place.
func readStruct(r *reader, dst reflect.Value, scalarErr error) error {
	switch r.Kind() {
	case '{':
	case '[':
		return &item.TypeError{Message: "Unrecognized collection type class " + classPrefix + className(dst.Type())}
	case 0:
		return jsonread.ErrSyntax
	default:
		return scalarErr
	}
	return r.Object(func(key []byte) error {
		field := dst.FieldByName(string(key))
		if !field.IsValid() || r.Kind() == 'n' {
			return r.Skip()
		}
		return readField(r, field)
	})
}

func readField(r *reader, dst reflect.Value) error {
	if dst.Kind() == reflect.Slice {
		return readList(r, dst)
	}
	target := reflect.New(dst.Type().Elem())
	if err := readValue(r, target.Elem()); err != nil {
		return err
	}
	dst.Set(target)
	return nil
}

func readValue(r *reader, dst reflect.Value) error {
	switch dst.Kind() {
	case reflect.String:
		return readString(r, dst)
	case reflect.Bool:
		b, err := item.ReadBool(r.Reader)
		dst.SetBool(b)
		return err
	case reflect.Float64:
		if dst.Type() == reflect.TypeFor[Double]() {
			return readFloat(r, dst, "Double")
		}
		return readFloat(r, dst, "Date") // a timestamp, in seconds since 1970
	case reflect.Int64:
		return readInteger(r, dst, "Long")
	case reflect.Int32:
		return readInteger(r, dst, "Integer")
	default:
		return readStruct(r, dst, &item.TypeError{Message: "Unexpected field type"})
	}
}

func readString(r *reader, dst reflect.Value) error {
	if r.Kind() != '"' {
		return item.ConversionError(r.Reader, "String")
	}
	text, err := r.String()
	dst.SetString(text)
	return err
}

func readInteger(r *reader, dst reflect.Value, class string) error {
	n, err := item.ReadInteger(r.Reader, class)
	dst.SetInt(n)
	return err
}

// Double is a floating-point number that is not a time.
type Double float64

// readFloat decodes a number. class is that of the service's Java type.
func readFloat(r *reader, dst reflect.Value, class string) error {
	if r.Kind() != '0' {
		return item.ConversionError(r.Reader, class)
	}
	text, err := r.Number()
	if err != nil {
		return err
	}
	f, _ := strconv.ParseFloat(string(text), 64) // a number too large is infinite
	dst.SetFloat(f)
	return nil
}

func readList(r *reader, dst reflect.Value) error {
	switch r.Kind() {
	case '[':
	case '{':
		return &item.TypeError{Message: "Start of structure or map found where not expected"}
	case 0:
		return jsonread.ErrSyntax
	default:
		return &item.TypeError{Message: "Unexpected field type"}
	}
	dst.Set(reflect.MakeSlice(dst.Type(), 0, 0))
	return r.Array(func() error {
		if r.elements++; r.elements > MaxElements {
			return ErrTooManyElements()
		}
		element := reflect.New(dst.Type().Elem()).Elem()
		if r.Kind() == 'n' {
			return r.Skip()
		}
		if err := readElement(r, element); err != nil {
			return err
		}
		dst.Set(reflect.Append(dst, element))
		return nil
	})
}

func readElement(r *reader, dst reflect.Value) error {
	if dst.Kind() == reflect.Struct {
		return readStruct(r, dst, &item.TypeError{Message: "Unexpected value type in payload"})
	}
	return readValue(r, dst)
}
