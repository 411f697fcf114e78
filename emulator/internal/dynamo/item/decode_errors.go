package item

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

// The errors of the service's deserializer, written in Java, about wrong JSON types. dynalite recorded them.

var (
	errStructure  = &TypeError{"Start of structure or map found where not expected"}
	errPayload    = &TypeError{"Unexpected value type in payload"}
	errField      = &TypeError{"Unexpected field type"}
	errBlob       = &TypeError{"only base-64-encoded strings are convertible to bytes"}
	errByteBuffer = &TypeError{"Unrecognized collection type class java.nio.ByteBuffer"}
	errToken      = &TypeError{"Unexpected token received from parser"}
)

// syntaxOr returns err, or a syntax error if what comes next is not JSON.
func syntaxOr(r *jsonread.Reader, err *TypeError) error {
	if r.Kind() == 0 {
		return jsonread.ErrSyntax
	}
	return err
}

// structureError returns the error for a value where an object of that class is expected.
func structureError(r *jsonread.Reader, class string) error {
	if r.Kind() == '[' {
		return &TypeError{"Unrecognized collection type class " + class}
	}
	return syntaxOr(r, errPayload)
}

// mapError returns the error for a value where a map of attribute values is expected.
func mapError(r *jsonread.Reader) error {
	if r.Kind() == '[' {
		return &TypeError{
			"Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"}
	}
	return syntaxOr(r, errField)
}

// collectionError returns the error for a value where a list is expected.
func collectionError(r *jsonread.Reader) error {
	if r.Kind() == '{' {
		return errStructure
	}
	return syntaxOr(r, errField)
}

// textError returns the error for a value where the string of an S, N or B is expected.
func textError(r *jsonread.Reader, t Type) error {
	if t == Binary {
		switch r.Kind() {
		case '[':
			return errByteBuffer
		case '{':
			return errStructure
		}
		return syntaxOr(r, errBlob)
	}
	return ConversionError(r, "String")
}

// ConversionError returns the error for the next value where a String, Boolean, Integer, Long or Double is expected.
func ConversionError(r *jsonread.Reader, class string) error {
	switch r.Kind() {
	case '{':
		return errStructure
	case '[':
		return &TypeError{"Unrecognized collection type class java.lang." + class}
	case 't':
		return &TypeError{"TRUE_VALUE cannot be converted to " + class}
	case 'f':
		return &TypeError{"FALSE_VALUE cannot be converted to " + class}
	case '"':
		return &TypeError{"STRING_VALUE cannot be converted to " + class}
	case '0':
		text, err := r.Number()
		if err != nil {
			return err
		}
		if bytes.ContainsAny(text, ".eE") {
			return &TypeError{"DECIMAL_VALUE cannot be converted to " + class}
		}
		return &TypeError{"NUMBER_VALUE cannot be converted to " + class}
	}
	return jsonread.ErrSyntax
}

// ReadBool decodes a boolean as the service does, which also accepts the strings true, false, yes, no, 1 and 0.
func ReadBool(r *jsonread.Reader) (bool, error) {
	switch r.Kind() {
	case 't', 'f':
		return r.Bool()
	case '"':
		text, err := r.String()
		if err != nil {
			return false, err
		}
		switch string(bytes.ToUpper([]byte(text))) {
		case "TRUE", "YES", "1":
			return true, nil
		case "FALSE", "NO", "0":
			return false, nil
		}
		return false, errToken
	}
	return false, ConversionError(r, "Boolean")
}

// ReadInteger decodes an Integer (32 bits) or a Long (64 bits). A fraction is rounded down (dynalite), and a number
// beyond the range of its class is the nearest of that class.
func ReadInteger(r *jsonread.Reader, class string) (int64, error) {
	if r.Kind() != '0' {
		return 0, ConversionError(r, class)
	}
	text, err := r.Number()
	if err != nil {
		return 0, err
	}
	bits := 64
	if class == "Integer" {
		bits = 32
	}
	return roundDown(string(text), bits), nil
}

// roundDown returns the largest integer of that many bits that is not above a number of JSON, or the least of all.
func roundDown(number string, bits int) int64 {
	if !strings.ContainsAny(number, ".eE") {
		n, _ := strconv.ParseInt(number, 10, bits) // a number out of range is the nearest in it
		return n
	}
	most := int64(math.MaxInt64) >> (64 - bits)
	f, _ := strconv.ParseFloat(number, 64) // a number too large is infinite
	switch f = math.Floor(f); {
	case f >= float64(most):
		return most
	case f <= float64(-most-1):
		return -most - 1
	}
	return int64(f)
}
