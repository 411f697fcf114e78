package report

import (
	"testing"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// TestChangesBetweenTwoRuns compares two runs: the change of each figure has a sign and a meaning.
func TestChangesBetweenTwoRuns(t *testing.T) {
	t.Parallel()
	run := func(target string, throughput, p99 float64, failed int64, states ...result.State) *result.Report {
		r := &result.Report{Profile: profile.Profile{ID: "A-L1"}, Target: target, Throughput: throughput, Errors: failed,
			Latency: result.Latency{P50: 1, P99: p99}, Stored: []result.Stored{{Bytes: int64(throughput)}}}
		for i, s := range states {
			r.Verdicts = append(r.Verdicts, result.Verdict{ID: string(rune('a' + i)), State: s})
		}
		return r
	}
	reports := []*result.Report{run("one", 100, 8, 0, result.Pass, result.Fail, result.Fail, result.NotMeasured),
		run("two", 110, 4, 3, result.Fail, result.Pass, result.Fail, result.Pass)}
	got := map[string]*Change{}
	for _, row := range Compare(reports, []string{"one", "two"}).Profiles[0].Rows {
		got[row.Label] = row.Change
	}
	for label, want := range map[string]Change{
		"Throughput, requests/s": {"+10.0%", Better}, "Errors": {"+3", Worse}, "Latency p50, ms": {"", Same},
		"Latency p99, ms": {"-50.0%", Better}, "Stored bytes": {"+10.0%", Neutral}, "a  ": {"PASS to FAIL", Worse},
		"b  ": {"FAIL to PASS", Better}, "c  ": {"", Same},
	} {
		if got[label] == nil || *got[label] != want {
			t.Errorf("%s: %v, want %v", label, got[label], want)
		}
	}
	if got["d  "] != nil {
		t.Errorf("a limit that one run did not measure: %v", got["d  "])
	}
	worse := Compare(reports, []string{"two", "one"}).Profiles[0].Rows[0]
	if *worse.Change != (Change{"-9.1%", Worse}) {
		t.Errorf("the other way round: %v", worse.Change)
	}
	if alone := Compare(reports, []string{"one"}).Profiles[0].Rows[0]; alone.Change != nil {
		t.Errorf("a single target: %v", alone.Change)
	}
}
