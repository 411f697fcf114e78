package transfer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// csvRecords reads CSV (AWS, "Amazon S3 import formats for DynamoDB"): key attributes of the table and its indexes have
// their types, all others are strings. That an empty field is an empty string, that a field in quotes may have line
// breaks, and that the value of a binary key is base64, is not documented.
type csvRecords struct {
	lines     *lineReader
	delimiter byte
	types     map[string]string // of key attributes
	columns   []column          // nil: the header is not read yet
	text      []byte            // of the current row
	fields    [][]byte
	record    []byte
}

// column is a column: the beginning of its attribute in DynamoDB JSON, such as "id":{"N":
type column struct{ begin []byte }

func newCSVRecords(in *CsvOptionsInput, t *engine.Table, lines *lineReader) *csvRecords {
	r := &csvRecords{lines: lines, delimiter: ',', types: map[string]string{}}
	for _, a := range t.Def.Attributes {
		r.types[a.AttributeName] = a.AttributeType
	}
	if in == nil {
		return r
	}
	if in.Delimiter != nil {
		r.delimiter = (*in.Delimiter)[0]
	}
	for _, name := range in.HeaderList {
		r.addColumn([]byte(name))
	}
	return r
}

func (r *csvRecords) addColumn(name []byte) {
	kind, isKey := r.types[string(name)]
	if !isKey {
		kind = "S"
	}
	begin := append(jsonwrite.AppendString(nil, name), `:{"`...)
	r.columns = append(r.columns, column{append(append(begin, kind...), `":`...)})
}

func (r *csvRecords) next() ([]byte, error) {
	if r.columns == nil {
		if err := r.readRow(); err != nil {
			return nil, err // a header that is too long is an error of the object
		}
		for _, name := range r.fields {
			r.addColumn(name)
		}
	}
	if err := r.readRow(); err != nil {
		return nil, tooLarge(err)
	}
	if len(r.fields) != len(r.columns) {
		return nil, fmt.Errorf("the row has %d fields instead of %d", len(r.fields), len(r.columns))
	}
	r.record = append(r.record[:0], `{"Item":{`...)
	for i, field := range r.fields {
		if i > 0 {
			r.record = append(r.record, ',')
		}
		r.record = jsonwrite.AppendString(append(r.record, r.columns[i].begin...), field)
		r.record = append(r.record, '}')
	}
	r.record = append(r.record, "}}"...)
	return r.record, nil
}

// maxColumns is the most fields of a row: more than an item of 400 KB has attributes.
const maxColumns = 1 << 17

// The errors for a row that is not CSV.
var (
	errColumns = errors.New("the row has more fields than an item can have attributes")
	errQuotes  = errors.New(`the row is not CSV: a double quote must be doubled, and its field be in quotes`)
	errNotUTF8 = errors.New("the row is not UTF-8")
)

// readRow reads the fields of the next row that is not blank, which has several lines if one of its fields in quotes
// has.
func (r *csvRecords) readRow() error {
	line, err := r.lines.next()
	if err != nil {
		return err
	}
	r.text = append(r.text[:0], line...)
	for inQuotes := hasOddQuotes(line); inQuotes; inQuotes = inQuotes != hasOddQuotes(line) {
		switch line, err = r.lines.readLine(); {
		case err == io.EOF:
			return errQuotes
		case err != nil:
			return err
		case len(r.text)+len(line) > maxLine:
			return errQuotes
		}
		r.text = append(append(r.text, '\n'), line...)
	}
	if !utf8.Valid(r.text) {
		return errNotUTF8
	}
	return r.split()
}

// hasOddQuotes reports whether a part of a row begins or ends a field in quotes, but not both.
func hasOddQuotes(part []byte) bool { return bytes.Count(part, []byte{'"'})%2 == 1 }

// split splits the text of a row into its fields, in place: a field is not longer than its text.
func (r *csvRecords) split() error {
	r.fields = r.fields[:0]
	for rest := r.text; ; {
		field, after, ok := cutField(rest, r.delimiter)
		if !ok {
			return errQuotes
		}
		r.fields = append(r.fields, field)
		switch {
		case after == nil:
			return nil
		case len(r.fields) == maxColumns:
			return errColumns
		}
		rest = after
	}
}

// cutField returns the first field of a row, and what follows the delimiter after it; nil: the field is the last one.
func cutField(row []byte, delimiter byte) (field, rest []byte, ok bool) {
	if len(row) == 0 || row[0] != '"' {
		end := bytes.IndexByte(row, delimiter)
		if end < 0 {
			return row, nil, bytes.IndexByte(row, '"') < 0
		}
		return row[:end], row[end+1:], bytes.IndexByte(row[:end], '"') < 0
	}
	field = row[:0]
	for rest = row[1:]; ; {
		end := bytes.IndexByte(rest, '"')
		if end < 0 {
			return nil, nil, false
		}
		field, rest = append(field, rest[:end]...), rest[end+1:]
		switch {
		case len(rest) == 0:
			return field, nil, true
		case rest[0] == '"': // doubled
			field, rest = append(field, '"'), rest[1:]
		case rest[0] == delimiter:
			return field, rest[1:], true
		default:
			return nil, nil, false
		}
	}
}
