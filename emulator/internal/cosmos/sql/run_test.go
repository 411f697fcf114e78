package sql

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// TestTranscripts replays testdata/transcripts: docs sets the documents, one per line; params sets the parameters, as
// an object; query runs a query and prints its rows, one per line, with "---" between pages; rows= limits a page.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata/transcripts", func(t *testing.T, path string) {
		w := world{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "docs":
				w.docs = parseLines(t, d.Input)
				return ""
			case "params":
				w.params = parseParams(t, d.Input)
				return ""
			case "errors":
				return w.errors(t, d.Input)
			case "shapes":
				return w.shapes(t, d.Input)
			}
			return w.query(t, d)
		})
	})
}

type world struct {
	docs   []doc.Value
	params map[string]doc.Value
}

func parseLines(t *testing.T, text string) (all []doc.Value) {
	t.Helper()
	for line := range strings.Lines(text) {
		v, err := doc.Parse([]byte(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, v)
	}
	return all
}

func parseParams(t *testing.T, text string) map[string]doc.Value {
	t.Helper()
	var raw map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		t.Fatal(err)
	}
	params := map[string]doc.Value{}
	for name, v := range raw {
		params[name] = parseLines(t, string(v))[0]
	}
	return params
}

func (w *world) compile(text string) (*Program, error) {
	q, err := Parse(text)
	if err != nil {
		return nil, err
	}
	return Compile(q, Params{Values: w.params, UDF: userFunction})
}

func userFunction(name string, args []doc.Value) (doc.Value, error) {
	if name != "twice" {
		return doc.Value{}, fmt.Errorf("no function %s", name)
	}
	return doc.Number(2 * args[0].Float()), nil
}

// documentsOf returns a source of documents, whose positions are their indexes, after a position.
func documentsOf(docs []doc.Value, behind []byte) Source {
	v := &values{rows: docs}
	if behind != nil {
		v.skipTo(behind)
	}
	return v
}

// pages runs a query to its end, serializing and parsing each State.
func (w *world) pages(t *testing.T, p *Program, o Options) (pages [][]doc.Value, err error) {
	t.Helper()
	var state *State
	for {
		var behind []byte
		if state != nil {
			behind = state.ResumeAfter
		}
		page, err := p.Run(t.Context(), documentsOf(w.docs, behind), state, o)
		if err != nil {
			return pages, err
		}
		pages = append(pages, page.Rows)
		if page.State == nil {
			return pages, nil
		}
		if state, err = ParseState(page.State.Append(nil)); err != nil {
			t.Fatal(err)
		}
		if len(pages) > 1000 {
			t.Fatal("the query does not end")
		}
	}
}

func (w *world) query(t *testing.T, d *datadriven.TestData) string {
	p, err := w.compile(d.Input)
	if err != nil {
		return told(err)
	}
	o := Options{}
	if d.HasArg("rows") {
		d.ScanArgs(t, "rows", &o.Rows)
	}
	pages, err := w.pages(t, p, o)
	var out strings.Builder
	for i, rows := range pages {
		if i > 0 {
			out.WriteString("---\n")
		}
		for _, row := range rows {
			out.Write(append(doc.Append(nil, row), '\n'))
		}
	}
	if err != nil {
		out.WriteString(told(err))
	}
	return out.String()
}

// errors returns the error of each line, a query.
func (w *world) errors(t *testing.T, queries string) string {
	t.Helper()
	var out strings.Builder
	for text := range strings.Lines(queries) {
		text = strings.TrimSuffix(text, "\n")
		_, err := w.compile(text)
		if err == nil {
			out.WriteString("accepted\n")
			continue
		}
		out.WriteString(told(err))
	}
	return out.String()
}

func told(err error) string {
	var refused *Error
	if !errors.As(err, &refused) {
		return err.Error() + "\n"
	}
	out := ""
	for _, e := range append([]*Error{refused}, refused.More...) {
		out += fmt.Sprintf("%d-%d %s %s\n", e.Start, e.End, e.Code, e.Message)
	}
	return out
}
