package datafile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// column is a column of a CSV file.
type column struct {
	name string
	of   Type
}

// title returns the column's text in the header, which parseColumn reads: the type follows a colon unless it is S.
func (c column) title() string {
	if c.of == String && !strings.Contains(c.name, ":") {
		return c.name
	}
	return c.name + ":" + string(c.of)
}

// parseColumn reads a title: NAME or NAME:TYPE. The type is else that of the options, or S.
func parseColumn(title string, o *Options) column {
	if at := strings.LastIndexByte(title, ':'); at > 0 && slices.Contains(allTypes(), Type(title[at+1:])) {
		return column{title[:at], Type(title[at+1:])}
	}
	for _, types := range []map[string]Type{o.Types, o.KeyTypes} {
		if of, ok := types[title]; ok {
			return column{title, of}
		}
	}
	return column{title, String}
}

// csvRecords reads CSV with a header.
type csvRecords struct {
	lines     lineReader
	delimiter byte
	options   *Options
	columns   []column
	shared    map[string]bool // names that several columns have, of different types
	header    []byte
}

func newCSVRecords(in *bufio.Reader, o *Options) *csvRecords {
	r := &csvRecords{lines: lineReader{in: in}, delimiter: o.Delimiter, options: o}
	if r.delimiter == 0 {
		r.delimiter = ','
	}
	return r
}

func (r *csvRecords) next() (Record, error) {
	if r.columns == nil {
		if err := r.readHeader(); err != nil {
			return Record{}, err
		}
	}
	for {
		record, cells, err := r.split()
		if err != nil {
			return Record{}, err
		}
		if len(cells) == 1 && cells[0] == (cell{}) {
			continue // an empty line
		}
		item, err := r.item(cells)
		if err != nil {
			return Record{}, record.Invalid(err.Error())
		}
		record.Item = item
		return record, nil
	}
}

func (r *csvRecords) readHeader() error {
	record, cells, err := r.split()
	if errors.Is(err, io.EOF) {
		return errors.New("the CSV file is empty: its first line names the columns")
	}
	if err != nil {
		return fmt.Errorf("the header of the CSV file: %v", err)
	}
	r.header = record.Raw
	known, names := make(map[column]bool, len(cells)), make(map[string]bool, len(cells))
	for i, c := range cells {
		title := parseColumn(c.text, r.options)
		if title.name == "" {
			return fmt.Errorf("the header of the CSV file: column %d has no name", i+1)
		}
		if known[title] {
			return fmt.Errorf("the header of the CSV file: the column %q is there twice", c.text)
		}
		if names[title.name] {
			r.share(title.name)
		}
		known[title], names[title.name] = true, true
		r.columns = append(r.columns, title)
	}
	return nil
}

// share remembers that several columns have a name.
func (r *csvRecords) share(name string) {
	if r.shared == nil {
		r.shared = map[string]bool{}
	}
	r.shared[name] = true
}

// split reads the cells of a record, which can have line breaks inside quotes.
func (r *csvRecords) split() (Record, []cell, error) {
	s := csvSplitter{delimiter: r.delimiter}
	record := Record{Line: r.lines.number + 1}
	for done := false; !done; {
		line, err := r.lines.nextRaw()
		switch {
		case errors.Is(err, io.EOF) && record.Raw == nil:
			return record, nil, io.EOF
		case errors.Is(err, io.EOF) && s.state == inQuotes:
			return record, nil, record.Invalid("a quote is not closed")
		case errors.Is(err, io.EOF): // without a line end
			s.endCell()
			done = true
		case err != nil:
			return record, nil, err
		default:
			record.Raw = append(record.Raw, line...)
			done = s.feed(line)
		}
		if len(record.Raw) > MaxRecordBytes {
			return record, nil, fmt.Errorf("line %d: a record is longer than %d MB: a quote is not closed", record.Line,
				MaxRecordBytes>>20)
		}
	}
	record.Raw = bytes.TrimSuffix(bytes.TrimSuffix(record.Raw, []byte("\n")), []byte("\r"))
	switch {
	case s.err != nil:
		return record, nil, record.Invalid(s.err.Error())
	case !utf8.Valid(record.Raw):
		return record, nil, record.Invalid("not UTF-8")
	}
	return record, s.cells, nil
}

func (r *csvRecords) item(cells []cell) (Item, error) {
	if len(cells) != len(r.columns) {
		return nil, fmt.Errorf("%d fields, but the header has %d", len(cells), len(r.columns))
	}
	item, given := Item{}, make(map[string]bool, len(r.shared))
	for i, c := range cells {
		if c == (cell{}) {
			continue
		}
		column := r.columns[i]
		if r.shared[column.name] {
			if given[column.name] {
				return nil, fmt.Errorf("%q has two values", column.name)
			}
			given[column.name] = true
		}
		value, err := parseCell(c.text, column)
		if err != nil {
			return nil, err
		}
		item = append(item, Attribute{column.name, value})
	}
	return item, nil
}

// parseCell reads the text of a value. Sets, lists and maps are JSON.
func parseCell(text string, c column) (v Value, err error) {
	v = Value{Type: c.of, Text: text}
	what := strconv.Quote(c.name)
	switch c.of {
	case Number:
		if v.Text = strings.TrimSpace(text); !isNumber(v.Text) {
			err = fmt.Errorf("%s is not a number: %q", what, text)
		}
	case Binary:
		v.Text, err = fromBase64(what, text)
	case Bool:
		v.Text = ""
		if v.Bool, err = strconv.ParseBool(strings.ToLower(strings.TrimSpace(text))); err != nil {
			err = fmt.Errorf("%s is not true or false: %q", what, text)
		}
	case Null:
		v.Text = ""
	case List, Map, StringSet, NumberSet, BinarySet:
		v, err = parseJSONCell(text, c)
	}
	return v, err
}

func parseJSONCell(text string, c column) (v Value, err error) {
	d := newDecoder([]byte(text), true)
	what := strconv.Quote(c.name)
	v.Type = c.of
	switch c.of {
	case StringSet:
		v.Members, err = d.texts(what, d.text)
	case NumberSet:
		v.Members, err = d.texts(what, d.plainNumber)
	case BinarySet:
		v.Members, err = d.texts(what, d.binary)
	case Map:
		v.Map, err = d.plainMap(what)
	case List:
		v.List = []Value{}
		err = d.array(what, func() error {
			element, err := d.plainValue(c.name)
			v.List = append(v.List, element)
			return err
		})
	}
	if err == nil {
		err = d.end()
	}
	if err != nil {
		err = fmt.Errorf("%s of type %s: %s", what, c.of, reasonOf(err))
	}
	return v, err
}
