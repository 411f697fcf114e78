package datafile

import (
	"bufio"
	"fmt"
	"io"
)

// Writer writes items to a file. It is not safe for concurrent use.
type Writer interface {
	Write(Item) error
	// Close completes the file. Without it, the file is not valid.
	Close() error
	// Abort releases what the writer holds, without completing the file.
	Abort()
}

// NewWriter returns a writer of JSON, DynamoDB JSON or CSV. key has the names of the table's key attributes, which come
// first in CSV. Errors: a format that is not one file of items.
func NewWriter(out io.Writer, format Format, key []string, documents bool) (Writer, error) {
	switch format {
	case CSV:
		return newCSVWriter(out, key)
	case JSON:
		return newLineWriter(out, func(dst []byte, item Item) []byte { return AppendJSON(dst, item, !documents) }), nil
	case DynamoJSON:
		return newLineWriter(out, appendExported), nil
	}
	return nil, fmt.Errorf("items are not written as %s", format)
}

// appendExported appends an item as the service exports it.
func appendExported(dst []byte, item Item) []byte {
	return append(AppendDynamoJSON(append(dst, `{"Item":`...), item), '}')
}

// lineWriter writes one item per line.
type lineWriter struct {
	out   *bufio.Writer
	write func([]byte, Item) []byte
	line  []byte
}

func newLineWriter(out io.Writer, write func([]byte, Item) []byte) *lineWriter {
	return &lineWriter{out: bufio.NewWriterSize(out, headBytes), write: write}
}

// Write implements Writer.
func (w *lineWriter) Write(item Item) error {
	w.line = append(w.write(w.line[:0], item), '\n')
	_, err := w.out.Write(w.line)
	return err
}

// Close implements Writer.
func (w *lineWriter) Close() error { return w.out.Flush() }

// Abort implements Writer.
func (w *lineWriter) Abort() {}
