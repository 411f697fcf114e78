package datafile

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Invalid is the error of a record that is not an item. The records after it can be read.
type Invalid struct {
	File   string // an export's file, or a model's table; empty for the only file
	Line   int64  // of the record's beginning, from 1; of a model: the item's number
	Reason string
	Raw    []byte // the record as it is in the file, without its line end; may be cut if it is too long
}

// Error returns the place and the reason.
func (e *Invalid) Error() string { return fmt.Sprintf("%s: %s", e.Place(), e.Reason) }

// Place returns where the record is: "line 7", or "orders.json.gz, record 7" in a file that has several.
func (e *Invalid) Place() string {
	if e.File == "" {
		return fmt.Sprintf("line %d", e.Line)
	}
	return fmt.Sprintf("%s, record %d", e.File, e.Line)
}

// reasonOf returns what is wrong with a JSON text, for people: without the position in bytes that the parser gives.
func reasonOf(err error) string {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "the JSON ends too early"
	case errors.As(err, &syntax) && syntax.Err != nil:
		return fmt.Sprintf("not JSON: %s at character %d", plain(syntax.Err), syntax.ByteOffset+1)
	}
	return plain(err)
}

// plain returns an error's text without the name of the package that made it.
func plain(err error) string {
	return strings.TrimPrefix(err.Error(), "jsontext: ")
}
