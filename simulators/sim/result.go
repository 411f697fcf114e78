package sim

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/indented"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// Result counts the actions of a simulation, and the results of its checks.
type Result struct {
	Simulation  string    `json:"simulation"` // what was simulated, in a few words: "50 brewers"
	PassMessage string    `json:"-"`          // true if nothing is wrong: "every batch is as its brewer left it"
	Seed        uint64    `json:"seed"`
	From        time.Time `json:"from"` // by the backend's clock
	To          time.Time `json:"to"`
	WallSeconds float64   `json:"wall_seconds"`

	Requests      int64 `json:"requests"`     // HTTP requests attempted
	Errors        int64 `json:"errors"`       // HTTP requests that failed and were retried
	ResponsesLost int64 `json:"answers_lost"` // responses that never reached their caller

	Actions    []Count `json:"did"`
	Reconciled bool    `json:"reconciled"` // everything below was read back
	Checks     []Count `json:"found"`
	Invariants int     `json:"invariants,omitempty"` // that hold in the database; the broken ones are among the checks

	Faults []string `json:"faults,omitempty"` // the first few
}

// Err returns nil if everything is as expected.
func (res Result) Err() error {
	if !res.Reconciled {
		return fmt.Errorf("the simulation of %s was interrupted before the reconciliation: run it again", res.Simulation)
	}
	if undetected := undetectedFault(); undetected != "" {
		return fmt.Errorf("the comparison is broken: %s", undetected)
	}
	var wrong, right int64
	for _, c := range res.Checks {
		if c.Fault {
			wrong += c.N
		} else {
			right += c.N
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d differences from what is expected: see the first ones above", wrong)
	}
	if right == 0 {
		return fmt.Errorf("the simulation of %s found nothing to compare: simulate more people or a longer time",
			res.Simulation)
	}
	return nil
}

// WriteJSON writes the result as JSON.
func (res Result) WriteJSON(w io.Writer) error { return WriteJSON(w, res) }

// WriteText writes the result as a short table.
func (res Result) WriteText(w io.Writer) error {
	fmt.Fprintln(w, Headline(res.Simulation, res.To.Sub(res.From), res.WallSeconds, res.Seed))
	t := NewTable(w)
	for _, c := range res.Actions {
		t.Row(c.N, c.Name)
	}
	t.Row(res.Requests, thousands.Sprintf("requests: %d failed, %d responses lost", res.Errors, res.ResponsesLost))
	for _, c := range res.Checks {
		t.Row(c.N, c.Name)
	}
	if res.Invariants > 0 {
		t.Row(int64(res.Invariants), "invariants that hold")
	}
	return t.Close(res.Faults, res.Err(), res.PassMessage)
}

// Headline states what was simulated, how much simulated time in how much real time, and the seed.
func Headline(what string, simulated time.Duration, wallSeconds float64, seed uint64) string {
	return fmt.Sprintf("%s, %v simulated in %v, seed %d", what, simulated.Round(time.Second),
		time.Duration(wallSeconds*float64(time.Second)).Round(100*time.Millisecond), seed)
}

// Table is a result's text: right-aligned numbers, followed by what they count.
type Table struct {
	out io.Writer
	tab *tabwriter.Writer
}

// NewTable starts a table on w.
func NewTable(w io.Writer) *Table {
	return &Table{out: w, tab: tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)}
}

// Row adds a line.
func (t *Table) Row(n int64, what string) { thousands.Fprintf(t.tab, "%d\t %s\n", n, what) }

// Close ends the table with the faults and the verdict: passMessage, or why the result failed.
func (t *Table) Close(faults []string, failed error, passMessage string) error {
	if err := t.tab.Flush(); err != nil {
		return err
	}
	for _, f := range faults {
		fmt.Fprintln(t.out, f)
	}
	verdict := "PASS: " + passMessage
	if failed != nil {
		verdict = "FAIL: " + failed.Error()
	}
	_, err := fmt.Fprintln(t.out, verdict)
	return err
}

// WriteJSON writes a result of any kind, indented.
func WriteJSON(w io.Writer, result any) error {
	return indented.WriteJSON(w, result)
}

// WriteJSONFile writes a result to a file, and creates its folder if necessary. If name is a folder, the file is
// simulation.json in it.
func WriteJSONFile(name string, result any) (err error) {
	if is, err := os.Stat(name); err == nil && is.IsDir() {
		name = filepath.Join(name, "simulation.json")
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	return WriteJSON(f, result)
}
