package math

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// TestExpressions evaluates the expressions of testdata over the metrics at the start of each file. Each value is at
// the position of its minute; a dash is a minute without a value.
func TestExpressions(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata/transcripts", func(t *testing.T, path string) {
		source := &Source{To: 300}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "metrics":
				for line := range strings.Lines(d.Input) {
					source.Metrics = append(source.Metrics, readSeries(t, line))
				}
				return ""
			case "eval":
				var b strings.Builder
				for line := range strings.Lines(d.Input) {
					fmt.Fprintf(&b, "%s\n", show(source, strings.TrimSpace(line)))
				}
				return b.String()
			}
			t.Fatalf("unknown command %s", d.Cmd)
			return ""
		})
	})
}

func readSeries(t *testing.T, line string) *Series {
	id, values, _ := strings.Cut(strings.TrimSpace(line), ":")
	s := &Series{ID: id, Period: 60, Values: map[int64]float64{}}
	for i, text := range strings.Fields(values) {
		if text == "-" {
			continue
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		s.Values[int64(i)*60] = x
	}
	return s
}

func (s *Source) named(id string) ([]*Series, bool, error) {
	for _, m := range s.Metrics {
		if m.ID == id {
			return []*Series{m}, false, nil
		}
	}
	return nil, false, fmt.Errorf("there is no %s", id)
}

// show returns an expression and its result.
func show(source *Source, text string) string {
	source.Lookup = source.named
	x, err := Parse(text)
	if err != nil {
		return "refused: " + err.Error()
	}
	all, array, err := x.Eval(source)
	if err != nil {
		return "error: " + err.Error()
	}
	var b strings.Builder
	for i, s := range all {
		if array {
			fmt.Fprintf(&b, "[%d]%s ", i, s.ID)
		}
		for at := int64(0); at < 300; at += 60 {
			if x, ok := s.Values[at]; ok {
				fmt.Fprintf(&b, "%v ", x)
			} else {
				b.WriteString("- ")
			}
		}
	}
	return strings.TrimSpace(b.String())
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"100 * m1 / SUM(METRICS('m'))", "-2 ^ -m1",
		"IF(m1 > 1 AND m2 < 2, m1, FILL(m2, REPEAT))", "[m1, m2]", "1e9e9", `"`, "((((", "RATE(DIFF(m1))"} {
		f.Add(text)
	}
	source := &Source{To: 300, Metrics: []*Series{{ID: "m1", Period: 60, Values: map[int64]float64{0: 1, 120: 3}},
		{ID: "m2", Period: 60, Values: map[int64]float64{}}}}
	source.Lookup = source.named
	f.Fuzz(func(t *testing.T, text string) {
		x, err := Parse(text)
		if err != nil {
			return
		}
		series, array, err := x.Eval(source)
		if err == nil && !array && len(series) != 1 {
			t.Errorf("%q gives %d series", text, len(series))
		}
	})
}

// TestABudgetBoundsWork evaluates short expressions that read or create more than a request may.
func TestABudgetBoundsWork(t *testing.T) {
	t.Parallel()
	many := &Series{ID: "m1", Period: 60, Values: map[int64]float64{}}
	for i := range int64(1000) {
		many.Values[i*60] = 1
	}
	for _, text := range []string{
		"[" + strings.Repeat("TIME_SERIES(1),", 100) + "m1]",
		"FILL([" + strings.Repeat("m1,", 100) + "m1], 0)",
		strings.Repeat("SUM(m1)+", 100) + "m1",
		strings.Repeat("m1+", 100) + "m1",
		strings.Repeat("-", 50) + "m1",
		"SUM([" + strings.Repeat("m1,", 100) + "m1])",
	} {
		x, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		work := budget.New(t.Context(), budget.Limits{Steps: 20_000})
		source := &Source{To: 60 * 100_000, Metrics: []*Series{many}, Budget: work}
		source.Lookup = source.named
		if _, _, err := x.Eval(source); !errors.Is(err, budget.ErrSteps) {
			t.Errorf("%.30s: %v after %d steps", text, err, work.Steps())
		}
	}
}

// FuzzWorkIsCounted evaluates expressions with a budget and without one: they end with the budget's error, or have the
// same result; and whatever they return was counted.
func FuzzWorkIsCounted(f *testing.F) {
	for _, text := range []string{
		"m1+m1", "SUM([m1,m1])", "[TIME_SERIES(1),TIME_SERIES(2),m1]", "FILL([m1,m1],0)", "IF(m1>1,m1,FILL(m1,REPEAT))",
		"-----m1", "METRICS()",
		"SUM(METRICS())*TIME_SERIES(1)", "FILL(m1,LINEAR)", "RATE(m1)", "RUNNING_SUM(m1)", "DIFF(m1)^2",
		"MAX([TIME_SERIES(1),FILL(m1,0)])",
	} {
		f.Add(text)
	}
	many := &Series{ID: "m1", Period: 60, Values: map[int64]float64{}}
	for i := range int64(500) {
		many.Values[i*120] = float64(i)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := Parse(text)
		if err != nil || len(text) > 256 {
			return
		}
		eval := func(work *budget.Budget) (values int, err error) {
			source := &Source{To: 60_000, Metrics: []*Series{many}, Budget: work}
			source.Lookup = source.named
			all, _, err := x.Eval(source)
			for _, s := range all {
				values += len(s.Values)
			}
			return values, err
		}
		work := budget.New(t.Context(), budget.Limits{Steps: 5000})
		got, err := eval(work)
		if errors.Is(err, budget.ErrSteps) {
			return
		}
		if want, wantErr := eval(nil); got != want || (err == nil) != (wantErr == nil) {
			t.Errorf("%q gives %d values, %v; without a budget %d, %v", text, got, err, want, wantErr)
		}
		if int64(got) > work.Steps()+int64(len(many.Values)) { // a metric by itself is the caller's
			t.Errorf("%q gives %d values for %d steps", text, got, work.Steps())
		}
	})
}
