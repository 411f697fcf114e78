package sql_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/naive"
)

// example is a query that Microsoft publishes, with its result. Documents and results are JSON, one per line.
type example struct {
	Page       string  `yaml:"page"` // the page's title
	URL        string  `yaml:"url"`  // its path on learn.microsoft.com
	Query      string  `yaml:"query"`
	Parameters string  `yaml:"parameters"` // an object with their values
	Documents  string  `yaml:"documents"`
	Result     string  `yaml:"result"`
	AnyOrder   bool    `yaml:"any_order"`  // pages disagree about the order, which is not specified
	Tolerance  float64 `yaml:"tolerance"`  // relative; for numbers computed with another library
	Now        string  `yaml:"now"`        // the time of the query
	UDF        string  `yaml:"udf"`        // the user-defined function that it calls
	Wrong      string  `yaml:"wrong"`      // why the page is wrong
	Documented string  `yaml:"documented"` // what the page says instead
}

func publishedExamples(t *testing.T) map[string]example {
	t.Helper()
	files, err := filepath.Glob("testdata/published/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	all := map[string]example{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var examples []example
		if err := yaml.Unmarshal(text, &examples); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for i, e := range examples {
			if e.Page == "" || !strings.Contains(e.URL, "cosmos-db/") || (e.Wrong == "") != (e.Documented == "") {
				t.Fatalf("%s: example %d has no source, or no reason for its difference", file, i+1)
			}
			all[fmt.Sprintf("%s/%d %s", strings.TrimSuffix(filepath.Base(file), ".yaml"), i+1, e.Page)] = e
		}
	}
	return all
}

// lines parses JSON values, one per line.
func lines(t *testing.T, text string) []doc.Value {
	t.Helper()
	var values []doc.Value
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		v, err := doc.Parse([]byte(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		values = append(values, v)
	}
	return values
}

func (e *example) world(t *testing.T) *naive.World {
	t.Helper()
	w := &naive.World{Documents: lines(t, e.Documents), Params: map[string]doc.Value{}, UDF: e.call}
	for _, values := range lines(t, e.Parameters) {
		for _, m := range values.Members() {
			w.Params[m.Name] = m.Value
		}
	}
	w.Env = builtin.Env{Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Random: func() uint64 { return 1 << 62 }}
	if e.Now != "" {
		now, err := time.Parse(time.RFC3339Nano, e.Now)
		if err != nil {
			t.Fatal(err)
		}
		w.Env.Now = now
	}
	return w
}

// call calls the only user-defined function of the examples.
func (e *example) call(name string, args []doc.Value) (doc.Value, error) {
	if name != e.UDF || name != "getTotalWithTax" {
		return doc.Value{}, fmt.Errorf("no function %s", name)
	}
	return doc.Number(args[0].Float() * 1.25), nil
}

// check compares rows with the published ones.
func (e *example) check(t *testing.T, rows []doc.Value, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s\n%v", e.Query, err)
	}
	got, want := doc.Array(rows...), doc.Array(lines(t, e.Result)...)
	if !close(got, want, e.Tolerance) {
		t.Errorf("%s\n%s\n%s\nand not, by %s,\n%s", e.Query, e.Documents, got.JSON(), e.URL, want.JSON())
	}
	if e.Wrong != "" && close(got, doc.Array(lines(t, e.Documented)...), e.Tolerance) {
		t.Errorf("%s: it is as documented, after all", e.Query)
	}
}

// close reports whether two values are equal up to a relative tolerance of their numbers.
func close(a, b doc.Value, tolerance float64) bool {
	if a.Kind() != b.Kind() || a.Len() != b.Len() {
		return false
	}
	for i, e := range a.Elements() {
		if !close(e, b.At(i), tolerance) {
			return false
		}
	}
	for _, m := range a.Members() {
		if !close(m.Value, b.Field(m.Name), tolerance) {
			return false
		}
	}
	if a.Kind() == doc.Numeric {
		return math.Abs(a.Float()-b.Float()) <= tolerance*math.Abs(b.Float())
	}
	return a.Len() > 0 || doc.Equal(a, b)
}

// inNoOrder sorts both the rows and the published ones: the documentation specifies no order for DISTINCT and GROUP BY.
func (e *example) inNoOrder(t *testing.T, rows []doc.Value) {
	t.Helper()
	slices.SortFunc(rows, doc.Compare)
	want := lines(t, e.Result)
	slices.SortFunc(want, doc.Compare)
	e.Result = jsonLines(want)
}

func jsonLines(values []doc.Value) string {
	var b strings.Builder
	for _, v := range values {
		b.WriteString(v.JSON() + "\n")
	}
	return b.String()
}

func TestPublishedExamplesWithNaiveEvaluator(t *testing.T) {
	t.Parallel()
	for name, e := range publishedExamples(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q, err := sql.Parse(e.Query)
			if err != nil {
				t.Fatalf("%s\n%v", e.Query, err)
			}
			rows, err := e.world(t).Run(q)
			if q.Select.Distinct || len(q.GroupBy) > 0 {
				e.inNoOrder(t, rows)
			}
			e.check(t, rows, err)
		})
	}
}

func TestPublishedExamples(t *testing.T) {
	t.Parallel()
	for name, e := range publishedExamples(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q, err := sql.Parse(e.Query)
			if err != nil {
				t.Fatalf("%s\n%v", e.Query, err)
			}
			for _, size := range []int{0, 1} {
				rows, err := allRows(t.Context(), q, e.world(t), size)
				if e.AnyOrder || size > 0 && len(q.GroupBy) > 1 {
					e.inNoOrder(t, rows)
				}
				e.check(t, rows, err)
			}
		})
	}
}
