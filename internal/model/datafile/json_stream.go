package datafile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// records reads one record after another. Errors: io.EOF; an *Invalid, after which the next record can be read; others
// end the file.
type records interface {
	next() (Record, error)
}

// jsonLines reads one record per line. Empty lines are ignored.
type jsonLines struct {
	lines   lineReader
	format  Format
	markers bool
}

func newJSONLines(in *bufio.Reader, format Format, markers bool) *jsonLines {
	return &jsonLines{lineReader{in: in}, format, markers}
}

func (r *jsonLines) next() (Record, error) {
	for {
		line, err := r.lines.next()
		if err != nil {
			return Record{}, err
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return decode(line, r.lines.number, r.format, r.markers)
		}
	}
}

// decode reads a record's text, which may be overwritten afterwards.
func decode(text []byte, line int64, format Format, markers bool) (Record, error) {
	record, err := decodeRecord(text, format, markers)
	record.Line, record.Raw = line, bytes.Clone(text)
	if err != nil {
		return Record{}, record.Invalid(reasonOf(err))
	}
	return record, nil
}

// jsonValues reads the elements of an array, or values after one another, whatever their line breaks.
type jsonValues struct {
	in      *countingReader
	values  *jsontext.Decoder
	format  Format
	markers bool
	begin   func(*jsontext.Decoder) error // reads what precedes the first record
	isArray bool                          // the records end with a bracket; what follows it is not read
}

func newJSONValues(in io.Reader, format Format, markers bool) *jsonValues {
	counting := &countingReader{in: in, limit: MaxRecordBytes}
	return &jsonValues{in: counting, values: jsontext.NewDecoder(counting), format: format, markers: markers}
}

// array makes the reader read the array that the file is.
func (r *jsonValues) array() *jsonValues {
	r.isArray, r.begin = true, func(d *jsontext.Decoder) error {
		_, err := d.ReadToken()
		return err
	}
	return r
}

// member makes the reader read the array that a member of the object is, such as the "Items" of a scan.
func (r *jsonValues) member(name string) *jsonValues {
	r.isArray, r.begin = true, func(d *jsontext.Decoder) error {
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		for {
			switch token, err := d.ReadToken(); {
			case err != nil:
				return err
			case token.Kind() != '"':
				return fmt.Errorf("there is no array %q", name)
			case token.String() == name && d.PeekKind() == '[':
				_, err := d.ReadToken()
				return err
			}
			if err := d.SkipValue(); err != nil {
				return err
			}
		}
	}
	return r
}

func (r *jsonValues) next() (Record, error) {
	if begin := r.begin; begin != nil {
		r.begin = nil
		if err := begin(r.values); err != nil {
			return Record{}, r.broken(err)
		}
	}
	r.in.limit = r.values.InputOffset() + MaxRecordBytes
	kind := r.values.PeekKind()
	line := r.in.line(r.offset())
	if r.isArray && kind == ']' {
		return Record{}, io.EOF
	}
	text, err := r.values.ReadValue()
	switch {
	case !r.isArray && errors.Is(err, io.EOF):
		return Record{}, io.EOF
	case err != nil:
		return Record{}, r.broken(err)
	}
	return decode(text, line, r.format, r.markers)
}

// offset returns where the next value begins, or a byte before.
func (r *jsonValues) offset() int64 {
	rest := r.values.UnreadBuffer()
	space := len(rest) - len(bytes.TrimLeft(rest, ", \t\r\n"))
	return r.values.InputOffset() + int64(space)
}

// broken returns the error of a file that cannot be read any further.
func (r *jsonValues) broken(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if errors.Is(err, errTooLong) {
		return fmt.Errorf("line %d: %w", r.in.line(r.values.InputOffset()), errTooLong)
	}
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) && syntax.Err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("line %d: not JSON: %s", r.in.line(syntax.ByteOffset), plain(syntax.Err))
	}
	return fmt.Errorf("line %d: %s", r.in.line(r.values.InputOffset()), reasonOf(err))
}
