package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

// rowWriter prints items.
type rowWriter interface {
	datafile.Writer
	// WriteJSON prints a result of Cosmos DB, which may be any JSON value.
	WriteJSON([]byte) error
}

// newRowWriter returns the writer of a format. data is for programs, terminal for people.
func newRowWriter(format string, data, terminal io.Writer, r *queryRun) (rowWriter, error) {
	documents := r.flags.data.container != ""
	switch format {
	case "json":
		return &jsonRows{out: bufio.NewWriter(data), isArray: true, documents: documents}, nil
	case "jsonl":
		return &jsonRows{out: bufio.NewWriter(data), documents: documents}, nil
	case "table":
		return &tableRows{out: terminal, key: r.key}, nil
	case "csv":
		w, err := datafile.NewWriter(data, datafile.CSV, r.key, documents)
		return csvRows{w}, err
	}
	return nil, command.Usagef("--output %q is unknown: use table, json, jsonl or csv", format)
}

// jsonRows prints one item per line, or an array of them.
type jsonRows struct {
	out       *bufio.Writer
	isArray   bool
	documents bool
	rows      int
}

// Write implements datafile.Writer.
func (w *jsonRows) Write(item datafile.Item) error {
	return w.WriteJSON(datafile.AppendJSON(nil, item, !w.documents))
}

// WriteJSON implements rowWriter.
func (w *jsonRows) WriteJSON(text []byte) error {
	if w.isArray {
		_, _ = w.out.WriteString([]string{"[\n", ",\n"}[min(w.rows, 1)])
	}
	w.rows++
	_, err := w.out.Write(bytes.TrimSpace(text))
	if !w.isArray {
		_, err = w.out.WriteString("\n")
	}
	return err
}

// Close implements datafile.Writer.
func (w *jsonRows) Close() error {
	switch {
	case w.isArray && w.rows == 0:
		_, _ = w.out.WriteString("[]\n")
	case w.isArray:
		_, _ = w.out.WriteString("\n]\n")
	}
	return w.out.Flush()
}

// Abort implements datafile.Writer: what has been read stays printed.
func (w *jsonRows) Abort() { _ = w.out.Flush() }

// csvRows prints CSV.
type csvRows struct{ datafile.Writer }

// WriteJSON implements rowWriter.
func (w csvRows) WriteJSON(text []byte) error {
	item, err := datafile.ParseResult(text)
	if err != nil {
		return err
	}
	return w.Write(item)
}

// tableRows prints a table for people, when all items are known.
type tableRows struct {
	out   io.Writer
	key   []string
	items []datafile.Item
}

// Write implements datafile.Writer.
func (w *tableRows) Write(item datafile.Item) error {
	w.items = append(w.items, item)
	return nil
}

// WriteJSON implements rowWriter.
func (w *tableRows) WriteJSON(text []byte) error {
	item, err := datafile.ParseResult(text)
	if err != nil {
		return err
	}
	w.items = append(w.items, item)
	return nil
}

// Abort implements datafile.Writer.
func (w *tableRows) Abort() {}

// Close implements datafile.Writer. The columns are in the order in which items name them first.
func (w *tableRows) Close() error {
	var columns []string
	for _, item := range w.items {
		for _, a := range item {
			if !slices.Contains(columns, a.Name) {
				columns = append(columns, a.Name)
			}
		}
	}
	if len(columns) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(w.out, 0, 0, 2, ' ', 0)
	titles := make([]string, len(columns))
	for i, name := range columns {
		titles[i] = tableCell(name)
	}
	_, _ = fmt.Fprintln(table, strings.Join(titles, "\t"))
	for _, item := range w.items {
		cells := make([]string, len(columns))
		for i, name := range columns {
			if v, ok := item.Get(name); ok {
				cells[i] = tableCell(v.String())
			}
		}
		_, _ = fmt.Fprintln(table, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
	}
	return table.Flush()
}

// maxCell is the width of the widest cell, in characters.
const maxCell = 60

// tableCell returns a text that fits a cell on one line.
func tableCell(text string) string {
	text = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(text)
	if runes := []rune(text); len(runes) > maxCell {
		return string(runes[:maxCell-1]) + "…"
	}
	return text
}
