package datafile

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
)

// Options holds how to read a file. Its zero value detects the format.
type Options struct {
	Format    Format          // empty: by the content
	Types     map[string]Type // CSV: types of columns whose titles have none
	KeyTypes  map[string]Type // types of the attributes of the table's keys
	Delimiter byte            // CSV: between fields. Default: a comma
	Documents bool            // the items are documents of Cosmos DB: JSON has no markers of sets and binary values
}

// Source is an open file of items. It is not safe for concurrent use.
type Source struct {
	Format  Format
	Schemas []*Schema // the tables that the file describes
	Header  []byte    // CSV: the first line, after the first call of Next

	keyTypes map[string]Type
	records  records
	closers  []io.Closer
	size     int64 // of the file in bytes; 0 if it is not known
	read     *byteCounter
}

// Progress returns how much of the file has been read, from 0 to 1, and whether the size of the file is known. It may
// be called at the same time as Next.
func (s *Source) Progress() (share float64, ok bool) {
	if s.size == 0 {
		return 0, false
	}
	return min(1, float64(s.read.count.Load())/float64(s.size)), true
}

// byteCounter counts the bytes that are read.
type byteCounter struct {
	in    io.Reader
	count atomic.Int64
}

// Read implements io.Reader.
func (c *byteCounter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.count.Add(int64(n))
	return n, err
}

// headBytes is how much of a file is looked at to find its format.
const headBytes = 64 << 10

// maxModelBytes is the size of the largest model or description, which are read as a whole.
const maxModelBytes = 64 << 20

// Open opens a file, or the folder of an export. Errors: no such file, and those of New.
func Open(name string, o Options) (*Source, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() || isManifest(name) {
		return openExport(name, o)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	counter := &byteCounter{in: file}
	s, err := New(counter, o)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	s.closers, s.size, s.read = append(s.closers, file), info.Size(), counter
	return s, nil
}

// New reads a file's beginning, and returns its items. Errors: a format that is not supported.
func New(r io.Reader, o Options) (*Source, error) {
	in, err := unzipped(r)
	if err != nil {
		return nil, readError(err)
	}
	head, err := headOf(in)
	if err != nil {
		return nil, readError(err)
	}
	found, err := detect(head)
	if o.Format == "" && err != nil {
		return nil, err
	}
	if o.Format != "" {
		found.format = o.Format
	}
	s := &Source{Format: found.format, keyTypes: o.KeyTypes}
	return s, s.begin(in, found, &o)
}

// unzipped returns the content of a file that may be compressed, without a byte order mark.
func unzipped(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, headBytes)
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		content, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		in = bufio.NewReaderSize(content, headBytes)
	}
	if mark, _ := in.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		_, _ = in.Discard(3)
	}
	return in, nil
}

// headOf returns the beginning of a file: its first line if that has a record, so that a slow input is read as it
// comes, and otherwise as much as is needed to find the format.
func headOf(in *bufio.Reader) ([]byte, error) {
	for {
		head, _ := in.Peek(in.Buffered())
		text := bytes.TrimLeft(head, " \t\r\n")
		hasLine := bytes.IndexByte(text, '\n') >= 0 && text[0] != '[' && (text[0] != '{' || !isCut(text))
		if hasLine || len(head) >= headBytes {
			return head, nil
		}
		switch _, err := in.Peek(len(head) + 1); {
		case errors.Is(err, io.EOF):
			return in.Peek(in.Buffered()) // head may have been moved
		case err != nil:
			return nil, err
		}
	}
}

// begin prepares to read the records.
func (s *Source) begin(in *bufio.Reader, found detected, o *Options) error {
	markers := !o.Documents
	switch {
	case found.format == CSV:
		s.records = newCSVRecords(in, o)
	case found.format == Workbench, found.format == DescribeTable:
		return s.readModel(in)
	case found.format == AWSExport:
		return errors.New("an export is a folder: name the folder that has manifest-summary.json")
	case found.format != JSON && found.format != DynamoJSON:
		return fmt.Errorf("unknown format %q", found.format)
	case found.layout == inArray:
		s.records = newJSONValues(in, found.format, markers).array()
	case found.layout == inMember:
		s.records = newJSONValues(in, found.format, markers).member(found.member)
	case found.layout == inValues:
		s.records = newJSONValues(in, found.format, markers)
	default:
		s.records = newJSONLines(in, found.format, markers)
	}
	return nil
}

// readModel reads a file that is one description.
func (s *Source) readModel(in io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(in, maxModelBytes+1))
	if err != nil {
		return readError(err)
	}
	if len(text) > maxModelBytes {
		return fmt.Errorf("a model is larger than %d MB", maxModelBytes>>20)
	}
	if s.Format == Workbench {
		s.Schemas, s.records, err = modelRecords(text)
		return err
	}
	schema, err := ParseDescription(text)
	if err != nil {
		return err
	}
	s.Schemas, s.records = []*Schema{schema}, noRecords{}
	return nil
}

func modelRecords(text []byte) ([]*Schema, records, error) {
	schemas, data, err := parseWorkbench(text)
	return schemas, data, err
}

// noRecords has no records.
type noRecords struct{}

func (noRecords) next() (Record, error) { return Record{}, io.EOF }

// Next returns the next item. Errors: io.EOF after the last one; an *Invalid for a record that is not an item, after
// which the next one can be read; others if the rest of the file cannot be read.
func (s *Source) Next() (Record, error) {
	record, err := s.records.next()
	if c, ok := s.records.(*csvRecords); ok {
		s.Header = c.header
	}
	if err != nil {
		return Record{}, readError(err)
	}
	if err := decodeBinaryKeys(record.Item, s.keyTypes); err != nil {
		return Record{}, record.Invalid(err.Error())
	}
	return record, nil
}

// decodeBinaryKeys reads strings in base64 where the table's key is binary: plain JSON has no binary values.
func decodeBinaryKeys(item Item, types map[string]Type) error {
	for i, a := range item {
		if types[a.Name] != Binary || a.Value.Type != String {
			continue
		}
		text, err := fromBase64(fmt.Sprintf("the binary key %q", a.Name), a.Value.Text)
		if err != nil {
			return err
		}
		item[i].Value = Value{Type: Binary, Text: text}
	}
	return nil
}

// Close closes the file.
func (s *Source) Close() error {
	var errs []error
	for _, c := range s.closers {
		errs = append(errs, c.Close())
	}
	s.closers = nil
	return errors.Join(errs...)
}

// readError returns an error in words for people.
func readError(err error) error {
	var damaged flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the compressed file is cut off: its end is missing")
	case errors.As(err, &damaged), errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return errors.New("the compressed file is damaged: its gzip data is invalid")
	}
	return err
}
