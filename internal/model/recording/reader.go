package recording

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
)

// maxLine is the size in bytes of the longest line: a request of 16 MiB that is not JSON, and its response.
const maxLine = 64 << 20

// Reader reads a recording.
type Reader struct {
	Header Header

	in   *bufio.Reader
	line int   // number of the last line that was read
	n    int64 // of the last entry
}

// Error reports an invalid line of a recording.
type Error struct {
	Line int
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// NewReader reads the first line of a recording. Errors: an *Error if it is not a recording, or one of another format.
func NewReader(r io.Reader) (*Reader, error) {
	in := &Reader{in: bufio.NewReaderSize(r, 64<<10)}
	line, err := in.next()
	switch {
	case err == io.EOF:
		return nil, &Error{1, errors.New("the file is empty: a recording starts with a header line")}
	case err != nil:
		return nil, err
	}
	if json.Unmarshal(line, &in.Header) != nil || in.Header.Kind != kind {
		return nil, &Error{1, errors.New(`not a recording: the first line does not contain "tabletop":"recording"; ` +
			"use a file written by tabletop emulator --record")}
	}
	if in.Header.Format != Format {
		return nil, &Error{1, fmt.Errorf("the recording is of format %d, this version reads format %d: record the run again",
			in.Header.Format, Format)}
	}
	return in, nil
}

// Next returns the next entry, or io.EOF after the last one. Errors: an *Error for an invalid line.
func (r *Reader) Next() (*Entry, error) {
	line, err := r.next()
	if err != nil {
		return nil, err
	}
	e := new(Entry)
	if err := json.Unmarshal(line, e, json.RejectUnknownMembers(true)); err != nil {
		return nil, r.wrong(errors.New(strings.TrimPrefix(err.Error(), "json: ")))
	}
	if err := e.check(r.n + 1); err != nil {
		return nil, r.wrong(err)
	}
	r.n = e.N
	return e, nil
}

func (e *Entry) check(n int64) error {
	switch {
	case e.N != n:
		return fmt.Errorf("n is %d after %d requests: lines are missing or out of order", e.N, n-1)
	case e.Time.IsZero():
		return errors.New("time is missing")
	case e.Service == "":
		return errors.New("service is missing")
	case e.Micros < 0:
		return fmt.Errorf("micros is %d: a duration cannot be negative", e.Micros)
	case e.Status < 100 || e.Status > 599:
		return fmt.Errorf("status is %d: use an HTTP status, 100 to 599", e.Status)
	case e.Request != nil && e.RequestBytes != nil:
		return errors.New("both request and requestBytes are set: use one of them")
	}
	return nil
}

// next returns the next line without its line ending.
func (r *Reader) next() ([]byte, error) {
	r.line++
	var line []byte
	for {
		part, err := r.in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			return nil, r.wrong(fmt.Errorf("the line is longer than %d bytes", maxLine))
		case err == nil:
			return bytes.TrimSuffix(line, []byte("\n")), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case err == io.EOF && len(line) == 0:
			return nil, io.EOF
		case err == io.EOF:
			return nil, r.wrong(
				errors.New("the line is incomplete: the recording was cut off here; remove the line to use the rest"))
		default:
			return nil, r.wrong(err)
		}
	}
}

func (r *Reader) wrong(err error) error { return &Error{r.line, err} }
