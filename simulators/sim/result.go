package sim

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/indented"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/internal/util/wholefile"
)

// Result counts the actions of a simulation of people, and the results of its checks.
type Result struct {
	Run
	Simulation   string       `json:"simulation"`             // Participants in words, for a person
	Participants Participants `json:"participants"`           // who was simulated
	PassMessage  string       `json:"pass_message,omitempty"` // true if nothing is wrong: "every batch is as its brewer left it"

	Actions []Count `json:"did"`
	Checks  []Count `json:"found"` // of what was read back, with broken invariants of the database
}

// Participants are the numbers of those who are simulated, such as 50 users and 110 phones.
type Participants []Count

// String returns the participants in words, such as "50 users with 110 phones".
func (p Participants) String() string {
	var words []string
	for _, c := range p {
		words = append(words, thousands.Sprintf("%d %s", c.N, c.Name))
	}
	return strings.Join(words, " with ")
}

// MergeResults adds the results of all shards of a simulation, as Merge does.
func MergeResults(parts []Result) (Result, error) {
	sum, err := Merge(parts, func(r *Result) *Run { return &r.Run }, func(sum, part *Result) {
		sum.Participants = Participants(addCounts(sum.Participants, part.Participants))
		sum.Actions = addCounts(sum.Actions, part.Actions)
		sum.Checks = addCounts(sum.Checks, part.Checks)
	})
	sum.Simulation = sum.Participants.String()
	return sum, err
}

// addCounts returns the sums of counts of the same name, in the order of the first ones. Others follow.
func addCounts(first, second []Count) []Count {
	sum := slices.Clone(first)
	for _, c := range second {
		if i := slices.IndexFunc(sum, func(s Count) bool { return s.Name == c.Name }); i >= 0 {
			sum[i].N += c.N
		} else {
			sum = append(sum, c)
		}
	}
	return sum
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
	if right == 0 && res.Shard.Of <= 1 { // a shard may have nobody with something to compare
		return fmt.Errorf("the simulation of %s found nothing to compare: simulate more people or a longer time",
			res.Simulation)
	}
	return nil
}

// WriteJSON writes the result as JSON.
func (res Result) WriteJSON(w io.Writer) error { return WriteJSON(w, res) }

// WriteText writes the result as a short table.
func (res Result) WriteText(w io.Writer) error {
	fmt.Fprintln(w, res.Headline(res.Simulation))
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

// Headline states what was simulated, by which shard, how much simulated time in how much real time, and the seed.
func (r *Run) Headline(what string) string {
	if r.Shard.Of > 1 {
		what += ", shard " + r.Shard.String()
	}
	return fmt.Sprintf("%s, %v simulated in %v, seed %d", what, r.To.Sub(r.From).Round(time.Second),
		time.Duration(r.WallSeconds*float64(time.Second)).Round(100*time.Millisecond), r.Seed)
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
// simulation.json in it. An earlier result is replaced only by a complete one.
func WriteJSONFile(name string, result any) error {
	if is, err := os.Stat(name); err == nil && is.IsDir() {
		name = filepath.Join(name, "simulation.json")
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return wholefile.Write(name, 0o666, func(w io.Writer) error { return WriteJSON(w, result) })
}
