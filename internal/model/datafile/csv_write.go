package datafile

import (
	"bufio"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// csvWriter writes CSV. The header has all columns, which are known only after the last item: so it keeps the items in
// a temporary file until Close.
type csvWriter struct {
	out     *bufio.Writer
	spool   *os.File
	buffer  *bufio.Writer
	columns []column
	known   map[column]int // the place of each column; until Close the order in which they came
	cells   []string       // of the row that is written
	key     []string
	line    []byte
}

func newCSVWriter(out io.Writer, key []string) (*csvWriter, error) {
	spool, err := os.CreateTemp("", "tabletop-*.jsonl")
	if err != nil {
		return nil, err
	}
	w := &csvWriter{out: bufio.NewWriter(out), spool: spool, buffer: bufio.NewWriter(spool), known: map[column]int{},
		key: key}
	return w, nil
}

// Write keeps an item.
func (w *csvWriter) Write(item Item) error {
	for _, a := range item {
		c := column{a.Name, a.Value.Type}
		if _, ok := w.known[c]; !ok {
			w.known[c], w.columns = len(w.columns), append(w.columns, c)
		}
	}
	w.line = append(AppendDynamoJSON(w.line[:0], item), '\n')
	_, err := w.buffer.Write(w.line)
	return err
}

// Close writes the file and removes the temporary one.
func (w *csvWriter) Close() error {
	defer w.Abort()
	if err := w.buffer.Flush(); err != nil {
		return err
	}
	if _, err := w.spool.Seek(0, io.SeekStart); err != nil {
		return err
	}
	w.sortColumns()
	w.writeHeader()
	items := newJSONLines(bufio.NewReader(w.spool), DynamoJSON, false)
	for {
		text, err := items.lines.next()
		if errors.Is(err, io.EOF) {
			return w.out.Flush()
		}
		if err != nil {
			return err
		}
		item, err := ParseDynamoJSON(text)
		if err != nil {
			return err
		}
		if err := w.writeRow(item); err != nil {
			return err
		}
	}
}

// Abort removes the temporary file.
func (w *csvWriter) Abort() {
	_ = w.spool.Close()
	_ = os.Remove(w.spool.Name())
}

// sortColumns puts the key first, and the others in the order of their names.
func (w *csvWriter) sortColumns() {
	names := make(Item, len(w.columns))
	for i, c := range w.columns {
		names[i] = Attribute{c.name, Value{Type: c.of}}
	}
	slices.SortFunc(names, func(a, b Attribute) int { return strings.Compare(string(a.Value.Type), string(b.Value.Type)) })
	names.Sort(w.key...)
	for i, a := range names {
		w.columns[i] = column{a.Name, a.Value.Type}
		w.known[w.columns[i]] = i
	}
	w.cells = make([]string, len(w.columns))
}

func (w *csvWriter) writeHeader() {
	for i, c := range w.columns {
		w.delimit(i)
		_, _ = w.out.WriteString(quoteCell(c.title()))
	}
	_, _ = w.out.WriteString("\n")
}

func (w *csvWriter) writeRow(item Item) error {
	clear(w.cells)
	for _, a := range item {
		w.cells[w.known[column{a.Name, a.Value.Type}]] = quoteCell(cellText(a.Value))
	}
	for i, text := range w.cells {
		w.delimit(i)
		_, _ = w.out.WriteString(text)
	}
	_, err := w.out.WriteString("\n")
	return err
}

func (w *csvWriter) delimit(i int) {
	if i > 0 {
		_ = w.out.WriteByte(',')
	}
}

// cellText returns the text of a value in CSV, which parseCell reads.
func cellText(v Value) string {
	switch v.Type {
	case String, Number:
		return v.Text
	case Binary:
		text := string(appendBase64(nil, v.Text))
		return text[1 : len(text)-1]
	case Bool:
		return strconv.FormatBool(v.Bool)
	case Null:
		return "true"
	case List:
		return string(appendPlainValue(nil, v, true))
	case Map:
		return string(AppendJSON(nil, v.Map, true))
	}
	return string(appendUnmarked(nil, v, true))
}

// quoteCell quotes a text that needs it. An empty text is quoted, because an empty cell is no value.
func quoteCell(text string) string {
	if text != "" && !strings.ContainsAny(text, ",;\t\"\r\n") && strings.TrimSpace(text) == text {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}
