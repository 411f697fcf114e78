package report_test

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/loadtest/report"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

var rewrite = flag.Bool("rewrite", false, "write the rendered reports to testdata")

// recorded returns the reports of two profiles on one target, and of one of them on a second. The file is from an
// earlier version, with the states held, missed and unmeasured.
func recorded(t *testing.T) []*result.Report {
	t.Helper()
	f, err := os.Open("testdata/reports.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	reports, err := result.ReadJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	return reports
}

// golden compares a rendering with the golden file of this name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("%s differs (run with -rewrite to accept):\n%s", name, diff)
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	for _, r := range recorded(t) {
		if err := report.Text(&b, r); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "text.golden", b.Bytes())
}

func TestHTML(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := report.HTML(&b, recorded(t)); err != nil {
		t.Fatal(err)
	}
	page := b.Bytes()
	for _, outside := range []string{"src=", "@import", "url(", "fetch(", "<link"} {
		if bytes.Contains(page, []byte(outside)) {
			t.Errorf("the page loads something from elsewhere: %s", outside)
		}
	}
	begin, end := bytes.Index(page, []byte("<body>")), bytes.Index(page, []byte("</body>"))
	golden(t, "body.golden", page[begin:end])
}

// TestCompare compares two profiles, one of which did not run on one of the targets.
func TestCompare(t *testing.T) {
	t.Parallel()
	c := report.Compare(recorded(t), []string{"embedded", "dynamodb-local"})
	var text, markdown, page bytes.Buffer
	for _, err := range []error{c.WriteText(&text), c.WriteMarkdown(&markdown), c.WriteHTML(&page)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "compare.txt.golden", text.Bytes())
	golden(t, "compare.md.golden", markdown.Bytes())
	for _, outside := range []string{"src=", "@import", "url(", "<link", "<script"} {
		if bytes.Contains(page.Bytes(), []byte(outside)) {
			t.Errorf("the page loads something from elsewhere: %s", outside)
		}
	}
	if n := bytes.Count(page.Bytes(), []byte("<td")); n != 3*bytes.Count(page.Bytes(), []byte("<tr><td")) {
		t.Errorf("%d cells", n)
	}
}

// read returns the reports in a folder.
func read(t *testing.T, dir string) []*result.Report {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, report.JSONName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	reports, err := result.ReadJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	return reports
}

// TestWriteFilesAddsUp checks that runs on several targets, one after the other, produce the same files as one run on
// all of them.
func TestWriteFilesAddsUp(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new")
	all := recorded(t) // TL-L2 and TL-L3 on embedded, TL-L2 on dynamodb-local
	stale := *all[0]
	stale.Seed++
	for _, run := range [][]*result.Report{{&stale}, all[2:], all[:2]} {
		page, err := report.WriteFiles(dir, run)
		if err != nil || page != filepath.Join(dir, report.HTMLName) {
			t.Fatal(page, err)
		}
	}
	want := []*result.Report{all[2], all[0], all[1]}
	if diff := cmp.Diff(want, read(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// TestReportsStayIfWritingFails checks that the reports of earlier runs stay if new ones cannot be written.
func TestReportsStayIfWritingFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := report.WriteFiles(dir, recorded(t)); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, report.JSONName)
	before, err := os.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	unwritable := recorded(t)[:1]
	unwritable[0].Target, unwritable[0].Throughput = "another", math.Inf(1) // JSON has no such number
	if _, err := report.WriteFiles(dir, unwritable); err == nil {
		t.Error("no error")
	}
	after, err := os.ReadFile(data)
	if diff := cmp.Diff(string(before), string(after)); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("files %v, %v", files, err)
	}
}

func TestWriteFilesErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, report.JSONName), []byte(`[{"colour": 1}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := report.WriteFiles(dir, recorded(t)); err == nil || !strings.Contains(err.Error(),
		"remove it, or set another folder") {
		t.Error(err)
	}
	if _, err := report.WriteFiles(filepath.Join(dir, report.JSONName), recorded(t)); err == nil {
		t.Error("a file was accepted as a folder")
	}
}
