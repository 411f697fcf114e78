package overview_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/runner"
	"github.com/tabletop-db/tabletop/internal/app/overview"
	"github.com/tabletop-db/tabletop/internal/model/cost"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/simulators/fleet"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

const evil = "<script>alert(1)</script>"

func entries() []report.Entry {
	return []report.Entry{
		{ID: "PE-P1", Kind: "pattern", Says: "A phone registers.", Group: "Device tokens"},
		{ID: "PE-P2", Kind: "pattern", Says: "A phone is refreshed.", Group: "Device tokens"},
		{ID: "PE-L1", Kind: "load", Says: "100 a second.", Group: "Device tokens", ByLoad: true},
		{ID: "PE-L2", Kind: "load", Says: "Nobody ran it.", Group: "Device tokens", ByLoad: true},
		{ID: "PE-C1", Kind: "cost", Says: "25 cents a month.", Group: "Device tokens", ByLoad: true},
	}
}

// folders returns the folders of runs: scenarios on two targets, a load profile, two simulations.
func folders(t *testing.T) overview.Sources {
	t.Helper()
	dir := t.TempDir()
	s := overview.Sources{Features: filepath.Join(dir, "features"), Loadtest: filepath.Join(dir, "load"),
		Simulations: filepath.Join(dir, "sim")}
	for _, folder := range []string{s.Loadtest, s.Simulations} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	scenario := func(o report.Outcome) report.Scenario {
		return report.Scenario{System: "devicetoken", Feature: "Phones", File: "phones.feature", Name: "A phone is new",
			IDs: []string{"PE-P1"}, Outcome: o,
			Reason: evil, Steps: []report.Step{{Keyword: "When", Text: "ana " + evil, Status: "passed"}}}
	}
	for target, o := range map[string]report.Outcome{"embedded": report.Passed, "dynamodb-local": report.KnownDifference} {
		if _, err := report.Write(s.Features, nil, report.Run{Target: target,
			Scenarios: []report.Scenario{scenario(o)}}); err != nil {
			t.Fatal(err)
		}
	}
	stated := cost.FromFloat(0.25)
	write(t, filepath.Join(s.Loadtest, "loadtest.json"), []*result.Report{{
		Profile: profile.Profile{ID: "PE-L1", Title: evil, Figure: "100 a second at the peak",
			Method: "at that rate for a minute"}, Target: "embedded", Shortened: "5s of 1m0s",
		Verdicts: []result.Verdict{
			{ID: "PE-L1", Metric: "rate_share", Limit: "at least 0.98", Measured: "1", State: result.Pass},
			{ID: "PE-L1", Metric: "p99_ms", Limit: "at most 50 ms", Measured: "81", State: result.Fail, Remark: evil},
			{ID: "PE-C1", Metric: "month_dollars", Limit: "at most 0.25", State: result.NotMeasured},
		},
		Documents: []result.DocumentCost{{ID: "PE-C1", Says: "writes", Stated: &stated, Computed: cost.FromFloat(0.13),
			Measured: cost.FromFloat(0.14), Today: cost.FromFloat(0.07), Remark: evil}},
	}})
	write(t, filepath.Join(s.Simulations, "phones.json"), sim.Result{Simulation: "5 users " + evil,
		Run: sim.Run{Reconciled: true}, Checks: []sim.Count{{Name: "lost", N: 2, Fault: true}}})
	write(t, filepath.Join(s.Simulations, "fleet.json"), fleet.Result{Run: sim.Run{Reconciled: true}, Devices: 7,
		Made: 9, Stored: 9, ReadBack: 9})
	return s
}

func write(t *testing.T, name string, v any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err == nil {
		err = os.WriteFile(name, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// pages returns the page and its Markdown.
func pages(t *testing.T) (html, markdown string) {
	t.Helper()
	o, err := overview.Read(folders(t), entries(),
		[]runner.Difference{{Target: "dynamodb-local", Scenario: "A phone is new",
			Reason: "it answers 500"}})
	if err != nil {
		t.Fatal(err)
	}
	files, err := o.Write(filepath.Join(t.TempDir(), "new"))
	if err != nil {
		t.Fatal(err)
	}
	var texts [2]string
	for i, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	return texts[0], texts[1]
}

func TestPageShowsAllResults(t *testing.T) {
	t.Parallel()
	html, markdown := pages(t)
	for _, want := range []string{
		"1 of 5 requirements pass; 1 failed; 3 without a result", "1 known to differ", `id="PE-P1"`, `href="#load-PE-L1"`,
		"100 a second at the peak",
		"at that rate for a minute", "5s of 1m0s", "✗ FAIL 81", "– NOT RUN. Run it with: tabletop loadtest run PE-L2",
		"$0.25", "$0.13", "$0.14", "$0.07",
		"it answers 500", "Intended differences of the emulator", "Replicas in other regions", "7 sensors",
		"2 differences from what is expected",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, want := range []string{
		"- ✗ **embedded**: 1 of 5 requirements pass; 1 failed; 3 without a result",
		"| Device tokens | ✗ 1 of 5; 1 failed; 3 without a result |", "**PE-P2** NOT RUN: A phone is refreshed.",
		"**PE-L1** FAIL on embedded", "<summary>Load tests</summary>", "| $0.25 | $0.13 | $0.14 | $0.07 |",
		"- **7 sensors**: ✓",
	} {
		if !strings.Contains(markdown, want) {
			t.Errorf("the Markdown lacks %q:\n%s", want, markdown)
		}
	}
}

func TestPageNeedsNoNetworkAndEscapesNames(t *testing.T) {
	t.Parallel()
	html, markdown := pages(t)
	if strings.Contains(html, evil) || strings.Contains(markdown, "<script") {
		t.Error("a name is not escaped")
	}
	if m := regexp.MustCompile(`(?i)src\s*=|href\s*=\s*"[^#]|@import|url\(|fetch\(`).FindString(html); m != "" {
		t.Errorf("the page refers to something outside: %s", m)
	}
	anchors := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		anchors[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(html, -1) {
		if !anchors[m[1]] {
			t.Errorf("a link leads to #%s, which is not there", m[1])
		}
	}
}

func TestErrorsNameTheFileAndTheRemedy(t *testing.T) {
	t.Parallel()
	if _, err := overview.Read(overview.Sources{Features: t.TempDir()}, entries(), nil); err == nil ||
		!strings.Contains(err.Error(), "run tabletop features") {
		t.Error(err)
	}
	for _, name := range []string{"features/run-x.json", "load/loadtest.json", "sim/phones.json"} {
		s := folders(t)
		bad := filepath.Join(filepath.Dir(s.Features), name)
		if err := os.WriteFile(bad, []byte(`[{"colour": 1}]`), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := overview.Read(s, entries(), nil); err == nil || !strings.Contains(err.Error(), bad) ||
			!strings.Contains(err.Error(), "remove it") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
