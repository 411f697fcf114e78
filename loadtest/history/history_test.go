package history_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/internal/model/cost"
	"github.com/tabletop-db/tabletop/loadtest/history"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// entryWithP99 returns a run of TL-L1 at a commit with this p99, in the setting that all tests use.
func entryWithP99(commit string, p99 float64) history.Entry {
	return history.Entry{
		At: time.Unix(1_700_000_000, 0).UTC(), Commit: commit, Profile: "TL-L1", Seed: 1, Rate: 40, P50: 2, P95: 4, P99: p99,
		Verdict: result.Pass,
		Setting: history.Setting{Target: "embedded", Duration: profile.Duration(10 * time.Second), Scale: 0.1,
			Machine: history.Machine{CPUs: 2, Model: "Some Processor", OS: "linux/amd64", Go: "go1.26.8"}},
	}
}

func onlyTrend(t *testing.T, entries ...history.Entry) history.Trend {
	t.Helper()
	trends, err := history.Trends(entries)
	if err != nil || len(trends) != 1 {
		t.Fatalf("%d trends, %v", len(trends), err)
	}
	return trends[0]
}

// TestRunsAreReadBack checks that the summaries of reports are read back from the file in the order in which they were
// written.
func TestRunsAreReadBack(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "new", "history.jsonl")
	r := &result.Report{
		Profile: profile.Profile{ID: "TL-L1",
			Stages: []profile.Stage{{Rate: 4, Duration: profile.Duration(10 * time.Second)}}},
		Target: "embedded", Started: time.Unix(1_700_000_000, 0).UTC(), Seed: 7, Throughput: 4,
		Latency:  result.Latency{P50: 2, P95: 4, P99: 9},
		Kinds:    []result.KindStats{{Metered: 10, ReadUnits: 5, WriteUnits: 40}, {Metered: 10}},
		Cost:     &result.Cost{Month: cost.FromFloat(12.5)},
		Verdicts: []result.Verdict{{Metric: "p99_ms", State: result.Fail}, {Metric: "lost", State: result.Pass}},
	}
	e := history.NewEntry(r, "abc", 0.1)
	if *e.ReadUnits != 0.25 || *e.WriteUnits != 2 || e.RequestUnits != nil || *e.MonthDollars != 12.5 ||
		e.Verdict != result.Fail ||
		e.Failed[0] != "p99_ms" || e.Scale != 0.1 || time.Duration(e.Duration) != 10*time.Second || e.Machine.CPUs < 1 ||
		e.Machine.Model == "" {
		t.Errorf("%+v", e)
	}
	r.Profile.Unscaled = "it has one rate"
	if whole := history.NewEntry(r, "abc", 0.1); whole.Scale != 1 {
		t.Errorf("a profile that is not scaled ran at %v", whole.Scale)
	}
	want := []history.Entry{e, entryWithP99("def", 1)}
	for _, e := range want {
		if err := history.Append(name, e); err != nil {
			t.Fatal(err)
		}
	}
	got, incomplete, err := history.ReadFile(name)
	if diff := cmp.Diff(want, got); err != nil || diff != "" || incomplete != nil {
		t.Errorf("%v, incomplete %v\n%s", err, incomplete, diff)
	}
}

// TestRunsAfterAnIncompleteOne checks that a history whose last line was not written completely, because the disk was
// full or the process ended, is still read, and takes further runs.
func TestRunsAfterAnIncompleteOne(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "history.jsonl")
	if err := history.Append(name, entryWithP99("abc", 1)); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	line := len(whole) - 1 // without the newline
	for cut := 1; cut < line; cut++ {
		if err := os.WriteFile(name, append(slices.Clone(whole), whole[:cut]...), 0o600); err != nil {
			t.Fatal(err)
		}
		got, incomplete, err := history.ReadFile(name)
		if err != nil || len(got) != 1 || !slices.Equal(incomplete, []int{2}) {
			t.Fatalf("cut after %d bytes: %v, incomplete %v, %v", cut, got, incomplete, err)
		}
	}
	if err := history.Append(name, entryWithP99("def", 1)); err != nil {
		t.Fatal(err)
	}
	got, incomplete, err := history.ReadFile(name)
	if diff := cmp.Diff([]history.Entry{entryWithP99("abc", 1), entryWithP99("def", 1)}, got); err != nil || diff != "" ||
		!slices.Equal(incomplete, []int{2}) {
		t.Errorf("%v, incomplete %v\n%s", err, incomplete, diff)
	}
}

func TestInvalidHistoryFiles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{\"profile\":\"TL-L1\",\"commit\":\"a\"}\n\nnothing\n":       "line 3 is not a run: ",
		"{\"profile\":\"TL-L1\"}":                                     "line 1 is not a run: profile or commit is missing",
		"{\"profile\":\"TL-L1\",\"commit\":\"a\",\"p50_ms\":\"two\"}": "line 1 is not a run: ",
		strings.Repeat("x", 100_000):                                  "after line 0: ",
	} {
		_, _, err := history.Read(strings.NewReader(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
	if _, _, err := history.ReadFile(filepath.Join(t.TempDir(), "none")); err == nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// TestRegressionsDifferFromNoise checks that a worse figure is reported with its ratio, that a difference within the
// runs of both commits is noise, and that one within the tolerance is neither.
func TestRegressionsDifferFromNoise(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before, now  []float64 // p99 of each run
		worse, noise bool
		worsening    float64
	}{
		"twice as slow, each time":  {[]float64{5, 6, 7}, []float64{12, 11, 14}, true, false, 2},
		"one run of each":           {[]float64{6}, []float64{9}, true, false, 1.5},
		"one slow run of three":     {[]float64{5, 6, 7}, []float64{5, 6, 40}, false, false, 1},
		"slower, but the runs mix":  {[]float64{5, 6, 12}, []float64{9, 11, 14}, false, true, 11.0 / 6},
		"within the tolerance":      {[]float64{10, 10, 10}, []float64{11, 11, 11}, false, false, 1.1},
		"faster":                    {[]float64{10}, []float64{5}, false, false, 0.5},
		"an even number has a mean": {[]float64{4, 6}, []float64{10, 10}, true, false, 2},
		"from nothing to something": {[]float64{0}, []float64{1}, true, false, math.Inf(1)},
		"from something to nothing": {[]float64{1}, []float64{0}, false, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var entries []history.Entry
			for _, p99 := range test.before {
				entries = append(entries, entryWithP99("before", p99))
			}
			for _, p99 := range test.now {
				entries = append(entries, entryWithP99("now", p99))
			}
			changes, why := onlyTrend(t, entries...).Against("bef", 0.2)
			if why != "" {
				t.Fatal(why)
			}
			for _, c := range changes {
				if c.Metric != "p99 ms" {
					if c.Worse || c.Noise || c.Worsening != 1 {
						t.Errorf("%+v did not change", c)
					}
				} else if c.Worse != test.worse || c.Noise != test.noise || math.Abs(c.Worsening-test.worsening) > 1e-9 &&
					c.Worsening != test.worsening {
					t.Errorf("%+v", c)
				}
			}
		})
	}
}

// TestLowerRateIsWorse checks that a lower rate and a failed limit count as worse too.
func TestLowerRateIsWorse(t *testing.T) {
	t.Parallel()
	slow := entryWithP99("now", 5)
	slow.Rate, slow.Verdict, slow.Failed = 20, result.Fail, []string{"rate_share"}
	trend := onlyTrend(t, entryWithP99("before", 5), slow)
	changes, _ := trend.Against("before", 0.2)
	var worse []string
	for _, c := range changes {
		if c.Worse {
			worse = append(worse, c.String())
		}
	}
	want := []string{"requests/s 20, was 40: 2.00× worse", "failed limits 1, was 0: worse, from 0"}
	if diff := cmp.Diff(want, worse); diff != "" {
		t.Error(diff)
	}
	var text strings.Builder
	if err := trend.WriteText(&text); err != nil || !strings.Contains(text.String(), "FAIL  now: Throughput\n") {
		t.Errorf("%v\n%s", err, &text)
	}
}

// TestUnitsThatRiseFromZeroAreWorse checks that a commit whose requests read for the first time is worse, and that the
// units of the other database are absent.
func TestUnitsThatRiseFromZeroAreWorse(t *testing.T) {
	t.Parallel()
	run := func(commit, system string, reads float64) history.Entry {
		return history.NewEntry(&result.Report{Profile: profile.Profile{ID: "PE-L4", System: system},
			Kinds: []result.KindStats{{Metered: 10, ReadUnits: reads, WriteUnits: 20, RequestUnits: reads}}}, commit, 1)
	}
	changes, why := onlyTrend(t, run("before", "devicetoken", 0), run("now", "devicetoken", 5)).Against("before", 0.2)
	i := slices.IndexFunc(changes, func(c history.Change) bool { return c.Metric == "read units/request" })
	if i < 0 || !changes[i].Worse || changes[i].Now.Median != 0.5 {
		t.Errorf("%q, %+v", why, changes)
	}
	if e := run("now", "devicetoken", 5); e.RequestUnits != nil {
		t.Errorf("on DynamoDB: %v RU", *e.RequestUnits)
	}
	if e := run("now", "notification", 5); e.ReadUnits != nil || e.WriteUnits != nil || *e.RequestUnits != 0.5 {
		t.Errorf("on Cosmos DB: %+v", e)
	}
	if e := history.NewEntry(&result.Report{Kinds: []result.KindStats{{Requests: 10}}}, "now", 1); e.ReadUnits != nil {
		t.Errorf("without a meter: %v read units", *e.ReadUnits)
	}
}

// TestChangesAsJSON checks that a figure that got worse from 0 has no worsening in JSON, which has no infinite numbers.
func TestChangesAsJSON(t *testing.T) {
	t.Parallel()
	slow := entryWithP99("now", 10)
	slow.Verdict, slow.Failed = result.Fail, []string{"p99_ms"}
	changes, _ := onlyTrend(t, entryWithP99("before", 5), slow).Against("before", 0.2)
	text, err := json.Marshal(changes)
	if err != nil {
		t.Fatal(err)
	}
	var got []struct {
		Metric    string
		Worsening *float64
		Worse     bool
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	for _, c := range got {
		switch {
		case c.Metric == "p99 ms" && c.Worsening != nil && *c.Worsening == 2 && c.Worse:
		case c.Metric == "failed limits" && c.Worsening == nil && c.Worse:
		case c.Worsening != nil && *c.Worsening == 1 && !c.Worse:
		default:
			t.Errorf("%+v in %s", c, text)
		}
	}
}

// TestOnlySameSettingsAreCompared checks that figures of another machine, duration, rate or target are not compared,
// and that a line says why.
func TestOnlySameSettingsAreCompared(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*history.Entry){
		"target aws, not embedded": func(e *history.Entry) { e.Target = "aws" },
		"duration 30s, not 10s": func(e *history.Entry) {
			e.Duration = profile.Duration(30 * time.Second)
		},
		"rate scale 1, not 0.1":                             func(e *history.Entry) { e.Scale = 1 },
		"machine 8 × Some Processor, linux/amd64, go1.26.8": func(e *history.Entry) { e.Machine.CPUs = 8 },
	} {
		other := entryWithP99("before", 1)
		change(&other)
		trend := onlyTrend(t, other, other, entryWithP99("now", 5))
		if got := trend.NotCompared(); len(got) != 1 || got[0] != "not compared: 2 runs with another setting: "+want {
			t.Errorf("%q, want %s", got, want)
		}
		if changes, why := trend.Against("before", 0.2); changes != nil || why != "before ran with another setting: "+want {
			t.Errorf("%v, %q, want %s", changes, why, want)
		}
	}
	if _, why := onlyTrend(t, entryWithP99("now", 5)).Against("now", 0.2); !strings.HasPrefix(why,
		"now is the last commit") {
		t.Error(why)
	}
	if _, why := onlyTrend(t, entryWithP99("now", 5)).Against("other", 0.2); why != "no runs of other" {
		t.Error(why)
	}
}

// TestBaselineOfAChangedWorkingTree checks that a changed working tree is compared with its own commit, whose id is the
// beginning of its own.
func TestBaselineOfAChangedWorkingTree(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		commits  []string
		baseline string
		why      string // "": compared with the first commit
	}{
		{[]string{"53fc", "53fc-dirty"}, "53fc", ""},
		{[]string{"53fc", "53fc-dirty"}, "53", ""},
		{[]string{"53fc", "53fc-dirty", "8ba2"}, "53fc", ""},
		{[]string{"8ba2", "53fc-dirty"}, "53fc", "53fc-dirty is the last commit: run the profile at another one"},
		{[]string{"53fc-dirty", "53fc"}, "53fc", "53fc is the last commit: run the profile at another one"},
	} {
		var entries []history.Entry
		for i, id := range test.commits {
			entries = append(entries, entryWithP99(id, float64(1+i)))
		}
		changes, why := onlyTrend(t, entries...).Against(test.baseline, 0.2)
		if why != test.why {
			t.Errorf("%+v: %q", test, why)
		}
		for _, c := range changes {
			if c.Metric == "p99 ms" && c.Before.Median != 1 {
				t.Errorf("%+v: compared with %+v", test, c.Before)
			}
		}
	}
}

// TestTrendText checks that each figure has one bar per commit, as high as its median.
func TestTrendText(t *testing.T) {
	t.Parallel()
	units := 2.0
	last := entryWithP99("c4", 16)
	last.WriteUnits = &units
	var text strings.Builder
	if err := onlyTrend(t, entryWithP99("c1", 2), entryWithP99("c2", 4), entryWithP99("c3", 8), entryWithP99("c2", 4),
		last).WriteText(&text); err != nil {
		t.Fatal(err)
	}
	want := `TL-L1 on embedded, 10s at rate scale 0.1; 2 × Some Processor, linux/amd64, go1.26.8
  4 commits, 5 runs: c1 to c4
  metric               trend  first  last  change
  requests/s           ████   40     40    unchanged
  p50 ms               ████   2      2     unchanged
  p95 ms               ████   4      4     unchanged
  p99 ms               ▂▃▅█   2      16    8.00× worse
  write units/request  ···█   -      2     new
  failed limits        ▁▁▁▁   0      0     unchanged
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Error(diff)
	}
}

func TestTrendsOfNamedProfiles(t *testing.T) {
	t.Parallel()
	other := entryWithP99("c1", 1)
	other.Profile = "PE-L2"
	entries := []history.Entry{entryWithP99("c1", 1), other}
	if trends, err := history.Trends(entries, "pe-l2"); err != nil || len(trends) != 1 || trends[0].Profile != "PE-L2" {
		t.Errorf("%v, %v", trends, err)
	}
	if _, err := history.Trends(entries, "XX-L1"); err == nil ||
		err.Error() != `no runs of "XX-L1" in the history; use one of TL-L1, PE-L2` {
		t.Error(err)
	}
}
