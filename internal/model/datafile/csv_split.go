package datafile

import "errors"

// cell is a field of a CSV record.
type cell struct {
	text     string
	isQuoted bool // "" is an empty text, nothing at all is no value
}

// csvSplitter splits one CSV record into its cells (RFC 4180). A quote inside a cell that does not begin with one is
// text.
type csvSplitter struct {
	delimiter byte
	cells     []cell
	current   []byte
	state     csvState
	err       error
}

type csvState int

const (
	cellBegins csvState = iota
	inPlainCell
	inQuotes
	afterQuote // in a quoted cell, after a quote: it ends the cell, or another one follows and is text
)

var errAfterQuote = errors.New("text follows a closing quote: double the quotes inside a field")

// feed reads a line with its end, and reports whether the record ends with it.
func (s *csvSplitter) feed(line []byte) (done bool) {
	for i, c := range line {
		if s.state != inQuotes && (c == '\n' || c == '\r' && i == len(line)-2 && line[i+1] == '\n') {
			s.endCell()
			return true
		}
		s.next(c)
	}
	return false
}

func (s *csvSplitter) next(c byte) {
	switch {
	case s.state == inQuotes:
		if c == '"' {
			s.state = afterQuote
			return
		}
	case c == s.delimiter:
		s.endCell()
		s.state = cellBegins
		return
	case s.state == cellBegins && c == '"':
		s.state = inQuotes
		s.cells = append(s.cells, cell{isQuoted: true})
		return
	case s.state == afterQuote && c == '"':
		s.state = inQuotes
	case s.state == afterQuote:
		s.err = errAfterQuote
	default:
		s.state = inPlainCell
	}
	s.current = append(s.current, c)
}

// endCell ends the current cell. A quoted one is in the list already.
func (s *csvSplitter) endCell() {
	if s.state != inQuotes && s.state != afterQuote {
		s.cells = append(s.cells, cell{})
	}
	s.cells[len(s.cells)-1].text = string(s.current)
	s.current = s.current[:0]
}
