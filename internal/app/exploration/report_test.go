package exploration_test

import (
	"context"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/app/exploration"
	"github.com/tabletop-db/tabletop/internal/explore"
)

// counts is a program that adds to a counter, again if the response is lost, and puts an item with <hostile> markup in
// its output.
type counts struct{}

func (counts) Run(_ context.Context, p explore.Plan) (*explore.Outcome, error) {
	o := &explore.Outcome{Passed: true, Requests: []explore.Request{
		{Operation: "UpdateItem", Tables: []string{"counters"}, Key: "a", Writes: true}}}
	for _, m := range p {
		if m.Operation != "UpdateItem" || m.Nth != 1 {
			continue
		}
		o.Requests[0].Mishap = m.Do
		if m.Do == explore.LostResponse {
			o.Passed, o.Reason, o.Output = false, "exit status 1", "<script>the counter</script> is 2, want 1\n"
			o.Requests = append(o.Requests, explore.Request{Operation: "UpdateItem", Tables: []string{"counters"},
				Key: "a", Writes: true})
		}
	}
	return o, nil
}

func (c counts) Record(ctx context.Context, p explore.Plan, to io.Writer) (*explore.Outcome, error) {
	_, _ = io.WriteString(to, "{}\n")
	return c.Run(ctx, p)
}

// explored returns the report of counts.
func explored(t *testing.T, known ...string) *exploration.Report {
	t.Helper()
	result, err := explore.Search(t.Context(), counts{}, explore.Settings{Runs: 10, Seed: 1, Parallel: 1,
		Kinds: []explore.Kind{explore.LostResponse, explore.LostRequest, explore.Throttle, explore.InternalError}})
	if err != nil {
		t.Fatal(err)
	}
	return &exploration.Report{Command: []string{"sh", "-c", "it's"}, Version: "1.0", Started: time.Unix(0, 0),
		Elapsed: time.Second, Result: result, Matrix: result.Matrix(), Known: known}
}

const finding = "cut-after-commit UpdateItem 1 counters"

func TestAFindingIsSavedWithWhatReproducesIt(t *testing.T) {
	t.Parallel()
	dir, r := t.TempDir(), explored(t)
	for range 2 { // the second replaces the first
		files, err := r.Save(t.Context(), dir, counts{})
		if err != nil || len(files) != 3 {
			t.Fatal(files, err)
		}
	}
	for name, want := range map[string]string{
		"index.html":                "✗ FAIL",
		"explore.json":              `"cut-after-commit"`,
		"finding-1/story.txt":       `tabletop explore --plan '` + finding + `' -- sh -c 'it'\''s'`,
		"finding-1/faults.yaml":     "do: cut-after-commit",
		"finding-1/recording.jsonl": "{}",
		"finding-1/finding.feature": `with the mishaps "` + finding + `":`,
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, misses %q:\n%s", name, err, want, text)
		}
		if name == "index.html" && strings.Contains(string(text), "<script>the counter") {
			t.Error("the page holds markup from the output")
		}
	}
	if _, err := emulator.ReadFaults(filepath.Join(dir, "finding-1/faults.yaml")); err != nil {
		t.Error(err)
	}
}

func TestJUnitCountsNewFindingsOnly(t *testing.T) {
	t.Parallel()
	for known, want := range map[string]int{"": 1, finding: 0} {
		text, err := explored(t, known).JUnit()
		if err != nil {
			t.Fatal(err)
		}
		var suite struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Skipped  int `xml:"skipped,attr"`
		}
		if err := xml.Unmarshal(text, &suite); err != nil {
			t.Fatal(err)
		}
		if suite.Tests != 4 || suite.Failures != want || suite.Skipped != 1-want {
			t.Errorf("known %q: %+v\n%s", known, suite, text)
		}
	}
}

func TestABaselineIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "known.txt")
	if _, err := exploration.ReadBaseline(file); err == nil || !strings.Contains(err.Error(), "--write-baseline") {
		t.Errorf("the error is %v", err)
	}
	if err := os.WriteFile(file, explored(t).Baseline(), 0o600); err != nil {
		t.Fatal(err)
	}
	known, err := exploration.ReadBaseline(file)
	if err != nil || len(known) != 1 || known[0] != finding {
		t.Errorf("%q, %v", known, err)
	}
	if found := explored(t, known...).New(); len(found) != 0 {
		t.Errorf("%d findings are new", len(found))
	}
	if err := os.WriteFile(file, []byte("\n# a note\ncut PutItem 1 orders\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := exploration.ReadBaseline(file); err == nil || !strings.Contains(err.Error(), "known.txt:3: ") {
		t.Errorf("the error is %v", err)
	}
}
