package expr

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// TestTranscripts replays testdata. The commands item, names and values set the state for the following ones; every
// line of the others is one expression, answered by one line. "runtime:" marks errors that depend on the item.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata/transcripts", func(t *testing.T, path string) {
		w := transcript{item: item.Empty}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if w.define(t, d) {
				return ""
			}
			var out strings.Builder
			for line := range strings.Lines(d.Input) {
				answer, err := w.run(t, d, strings.TrimSuffix(line, "\n"))
				fmt.Fprintln(&out, result(answer, err))
			}
			return out.String()
		})
	})
}

// transcript is the state of a transcript.
type transcript struct {
	item   item.Value
	names  []Name
	values []Value
}

func (w *transcript) placeholders() *Placeholders {
	return &Placeholders{Names: append([]Name(nil), w.names...), Values: append([]Value(nil), w.values...)}
}

// define runs the commands that only set the state.
func (w *transcript) define(t *testing.T, d *datadriven.TestData) bool {
	switch d.Cmd {
	case "item":
		w.item = parseItem(t, d.Input)
	case "names":
		w.names = nil
		var names map[string]string
		if err := json.Unmarshal([]byte(d.Input), &names); err != nil {
			t.Fatal(err)
		}
		for placeholder, name := range names {
			w.names = append(w.names, Name{Placeholder: placeholder, Attribute: name})
		}
	case "values":
		w.values = nil
		for placeholder, v := range parseItem(t, d.Input).Entries() {
			w.values = append(w.values, Value{Placeholder: string(placeholder), Value: v})
		}
	default:
		return false
	}
	return true
}

func parseItem(t testing.TB, text string) item.Value {
	t.Helper()
	v, err := item.ParseItem(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// run evaluates one line. A line in backquotes is the text between them, including spaces.
func (w *transcript) run(t *testing.T, d *datadriven.TestData, line string) (any, error) {
	if len(line) > 1 && line[0] == '`' {
		line = strings.Trim(line, "`")
	}
	p := w.placeholders()
	switch d.Cmd {
	case "condition", "filter":
		param := ConditionExpression
		if d.Cmd == "filter" {
			param = FilterExpression
		}
		c, err := ParseCondition(param, line, p)
		if err != nil {
			return nil, err
		}
		return c.Match(w.item, nil)
	case "update", "create":
		u, err := ParseUpdate(line, p)
		if err != nil {
			return nil, err
		}
		return w.changes(u, d.Cmd == "create")
	case "touched":
		return w.touched(line, p)
	case "projection":
		pr, err := ParseProjection(line, p)
		if err != nil {
			return nil, err
		}
		return pr.Apply(w.item, nil)
	case "key":
		k, err := ParseKeyCondition(line, p)
		if err == nil {
			err = k.Err()
		}
		if err != nil {
			return nil, err
		}
		return keyFor(t, d, k)
	}
	return w.runLegacy(t, d, line)
}

// changes shows the attributes that an update changes or adds, and the names of those that it removes.
func (w *transcript) changes(u *Update, create bool) (any, error) {
	apply := u.Apply
	if create {
		apply = u.Create
	}
	after, err := apply(w.item, nil)
	if err != nil {
		return nil, err
	}
	changed, gone := item.Empty, ""
	for name, v := range after.Entries() {
		if before, ok := w.item.Field(string(name)); !ok || !item.Equal(before, v) {
			changed = changed.With(string(name), v)
		}
	}
	for name := range w.item.Entries() {
		if _, ok := after.Field(string(name)); !ok {
			gone += " without " + string(name)
		}
	}
	return string(changed.AppendItem(nil)) + gone, nil
}

func (w *transcript) touched(line string, p *Placeholders) (any, error) {
	u, err := ParseUpdate(line, p)
	if err != nil {
		return nil, err
	}
	after, err := u.Apply(w.item, nil)
	if err != nil {
		return nil, err
	}
	touched := u.TargetProjection()
	was, err := touched.Apply(w.item, nil)
	if err != nil {
		return nil, err
	}
	is, err := touched.Apply(after, nil)
	return fmt.Sprintf("%s -> %s", was.AppendItem(nil), is.AppendItem(nil)), err
}

// keyFor applies a key expression to pk (S) and, unless the command has the argument hash, sk of the type that it
// names.
func keyFor(t *testing.T, d *datadriven.TestData, k *KeyExpression) (any, error) {
	schema := &KeySchema{Hash: []KeyAttribute{{"pk", item.String}}}
	if !d.HasArg("hash") {
		sort := "N"
		d.MaybeScanArgs(t, "sort", &sort)
		schema.Range = []KeyAttribute{{"sk", typeNamed(sort)}}
	}
	c, err := k.Resolve(schema)
	if err != nil {
		return nil, err
	}
	var sort Range
	if len(c.Ranges) > 0 {
		sort = c.Ranges[0]
	}
	return fmt.Sprintf("pk %s sort %d %s %s", c.Hash[0].AppendJSON(nil), sort.Op, show(sort.Low), show(sort.High)), nil
}

func show(v item.Value) string {
	if v == nil {
		return "-"
	}
	return string(v.AppendJSON(nil))
}

func result(answer any, err error) string {
	var e *Error
	switch {
	case errors.As(err, &e) && e.Runtime:
		return "runtime: " + e.Message
	case errors.As(err, &e):
		return e.Message
	case err != nil:
		return "not an *Error: " + err.Error()
	}
	if v, ok := answer.(item.Value); ok {
		return string(v.AppendItem(nil))
	}
	return fmt.Sprint(answer)
}
