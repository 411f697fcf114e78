package report_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/features/report"
)

// TestSelectionsAreCommandLines checks that a shell reads a selection as it was given, and that titles are short.
func TestSelectionsAreCommandLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		selection    report.Selection
		words, title string
	}{
		{report.Selection{}, "", "all scenarios"},
		{report.Selection{Tags: "@TL-P1"}, "--tags @TL-P1", "--tags @TL-P1"},
		{report.Selection{Tags: "@a or @b", Name: "ana's", Files: []string{"features/kefir/a.feature:1:2"}},
			`--tags '@a or @b' --name 'ana'\''s' features/kefir/a.feature:1:2`,
			`--tags '@a or @b' --name 'ana'\''s' features/kefir/a.feature:1:2`},
		{report.Selection{Files: []string{"a", "b", "c", "d", "e"}}, "a b c d e", "a b c and 2 more"},
	} {
		if c.selection.String() != c.words || c.selection.Title() != c.title || c.selection.IsAll() != (c.words == "") {
			t.Errorf("%+v is %q, titled %q", c.selection, c.selection, c.selection.Title())
		}
	}
}

// TestEachSelectionHasItsOwnReports runs one file, then a scenario by its name: neither replaces the report of all, and
// the page of the second says what was selected.
func TestEachSelectionHasItsOwnReports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	all, _ := runs()
	byFile, byName := all, all
	byFile.Selection.Files, byName.Selection.Name = []string{"features/telemetry/registration.feature"}, "sec"
	byFile.Scenarios, byName.Scenarios = all.Scenarios[:1], all.Scenarios[1:]
	for _, r := range []report.Run{all, byFile, byName} {
		if _, err := report.Write(dir, entries(), r); err != nil {
			t.Fatal(err)
		}
	}
	if whole, err := report.Load(dir); err != nil || len(whole) != 1 || len(whole[0].Scenarios) != 2 {
		t.Errorf("the run of all scenarios is %+v, %v", whole, err)
	}
	page, err := os.ReadFile(filepath.Join(dir, report.SelectedFolder, "index.html"))
	if err != nil || strings.Count(string(page), "only --name sec") != 2 {
		t.Errorf("the page does not name its selection twice: %s, %v", page, err)
	}
}
