package data

import (
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

// SearchVectorsInput searches a vector index. The service decodes it with another deserializer than other operations,
// and returns the deserializer's messages (paritysuite, eu-west-2 and us-east-1, 2026-10-09). Columns in messages
// assume a body of one line, as SDKs send it.
type SearchVectorsInput struct {
	expressions
	selection
	TableName                 wire.TableName
	IndexName                 wire.Optional[string]
	TopK                      wire.Optional[int64]
	SearchConditionExpression wire.Optional[string]
	ReturnConsumedCapacity    wire.Optional[string]

	condition  expr.SearchCondition
	vector     []float32
	dimensions int  // elements sent
	invalid    bool // an element is not a number in single precision
	missing    string
}

func (in *SearchVectorsInput) Decode(d *wire.Decoder) error {
	q := searchReader{d, d.Rest()}
	hasVector := false
	err := d.Object(func(name []byte) error {
		switch string(name) {
		case "TableName":
			if err := q.expect('"', "a string"); err != nil {
				return err
			}
			return d.TableName(&in.TableName)
		case "IndexName":
			return q.text(&in.IndexName, false)
		case "SearchConditionExpression":
			return q.text(&in.SearchConditionExpression, true)
		case "ProjectionExpression":
			return q.text(&in.ProjectionExpression, true)
		case "ReturnConsumedCapacity":
			return q.text(&in.ReturnConsumedCapacity, true)
		case "TopK":
			return q.integer(&in.TopK)
		case "SearchVector":
			hasVector = true
			if err := q.expect('[', "a sequence"); err != nil {
				return err
			}
			return d.Array(func() error { return in.decodeElement(d) })
		case "ExpressionAttributeNames", "ExpressionAttributeValues":
			if d.Kind() == 'n' {
				return d.Null()
			}
			if err := q.expect('{', "a map"); err != nil {
				return err
			}
			_, err := in.expressions.decodeMember(d, name)
			return err
		}
		return d.Skip()
	})
	for _, m := range []parameter{{"TableName", in.TableName.Set}, {"IndexName", in.IndexName.Set},
		{"SearchVector", hasVector}, {"TopK", in.TopK.Set}} {
		if !m.set && in.missing == "" {
			in.missing = "missing field `" + m.name + "` at line 1 column " + q.column()
		}
	}
	return err
}

// decodeElement decodes an element of the vector.
func (in *SearchVectorsInput) decodeElement(d *wire.Decoder) error {
	var v wire.Attributes
	if err := d.Attribute(&v); err != nil {
		return err
	}
	in.dimensions++
	f, ok := engine.Float32(v.Value)
	if !ok || v.Err != nil {
		in.invalid = true
		return nil
	}
	in.vector = append(in.vector, f)
	return nil
}

// searchReader reads members as the service's search endpoint does.
type searchReader struct {
	*wire.Decoder
	size int // of the body, in bytes
}

// column returns the number of the last column that was read.
func (q searchReader) column() string { return strconv.Itoa(q.size - q.Rest()) }

// expect returns an error unless a value of this kind begins here.
func (q searchReader) expect(kind jsonread.Kind, expected string) error {
	if q.Kind() == kind {
		return nil
	}
	found := ""
	switch q.Kind() {
	case 'n':
		if err := q.Null(); err != nil {
			return err
		}
		found = "null"
	case '{':
		found = "map"
	case '[':
		found = "sequence"
	case '"':
		text, err := q.String()
		if err != nil {
			return err
		}
		found = "string " + strconv.Quote(text)
	case '0':
		number, err := q.Number()
		if err != nil {
			return err
		}
		if found = "integer `" + string(number) + "`"; strings.ContainsAny(string(number), ".eE") {
			found = "floating point `" + string(number) + "`"
		}
	case 't', 'f':
		b, err := q.Bool()
		if err != nil {
			return err
		}
		found = "boolean `" + strconv.FormatBool(b) + "`"
	default:
		return jsonread.ErrSyntax
	}
	return q.invalidType(found, expected)
}

func (q searchReader) invalidType(found, expected string) error {
	return &item.TypeError{Message: "invalid type: " + found + ", expected " + expected + " at line 1 column " +
		q.column()}
}

// text reads a string, or null if the member is optional.
func (q searchReader) text(dst *wire.Optional[string], optional bool) error {
	if optional && q.Kind() == 'n' {
		return q.Null()
	}
	if err := q.expect('"', "a string"); err != nil {
		return err
	}
	return q.Str(dst)
}

// integer reads an integer of 32 bits.
func (q searchReader) integer(dst *wire.Optional[int64]) error {
	if err := q.expect('0', "i32"); err != nil {
		return err
	}
	number, err := q.Number()
	if err != nil {
		return err
	}
	if strings.ContainsAny(string(number), ".eE") {
		return q.invalidType("floating point `"+string(number)+"`", "i32")
	}
	n, err := strconv.ParseInt(string(number), 10, 32)
	if err != nil { // a number out of range becomes the nearest one in range, which TopK's limits refuse
		n = min(max(n, -1<<31), 1<<31-1)
	}
	*dst = wire.Optional[int64]{V: n, Set: true}
	return nil
}
