package verdict

import (
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

func TestEvaluate(t *testing.T) {
	t.Parallel()
	one, hundred, low := 1.0, 100.0, 0.1
	report := func(change func(*result.Report)) *result.Report {
		r := &result.Report{
			Profile:  profile.Profile{Stages: []profile.Stage{{Rate: 10, Duration: profile.Duration(10 * time.Second)}}},
			Requests: 100, Throughput: 10, Latency: result.Latency{Count: 100, P99: 50},
			Stages: []result.StageStats{{ReadingsPerSecond: 99}},
			Keys:   &result.KeyShares{Keys: 4, HottestShare: 0.5, FairShare: 0.25},
		}
		change(r)
		return r
	}
	same := func(*result.Report) {}
	for name, test := range map[string]struct {
		limit  profile.Limit
		change func(*result.Report)
		want   result.State
		remark string
	}{
		"below at most": {profile.Limit{Metric: "p99_ms", AtMost: &hundred}, same, result.Pass, ""},
		"above at most": {profile.Limit{Metric: "p99_ms", AtMost: &one}, same, result.Fail, ""},
		"no request that counts for latency": {profile.Limit{Metric: "p99_ms", AtMost: &hundred}, func(r *result.Report) {
			r.Latency = result.Latency{}
		}, result.NotMeasured, ""},
		"on at least":    {profile.Limit{Metric: "rate_share", AtLeast: &one}, same, result.Pass, ""},
		"below at least": {profile.Limit{Metric: "readings_per_second", AtLeast: &hundred}, same, result.Fail, ""},
		"two short in a shortened run": {profile.Limit{Metric: "readings_per_second", AtLeast: &hundred},
			func(r *result.Report) { r.Shortened = "yes" }, result.Pass, ""},
		"no requests": {profile.Limit{Metric: "error_share", AtMost: &low}, func(r *result.Report) {
			r.Requests = 0
		}, result.Fail, ""},
		"the worst error is the remark": {profile.Limit{Metric: "error_share", AtMost: &low},
			func(r *result.Report) {
				r.Errors, r.ErrorTexts = 20, map[string]int64{"refused": 15, "slow": 5}
			}, result.Fail, "refused"},
		"hot key": {profile.Limit{Metric: "hottest_key_share", AtMost: &one}, same, result.Fail, ""},
		"no key": {profile.Limit{Metric: "key_share", AtLeast: &low}, func(r *result.Report) {
			r.Heat = []result.Heat{{Resource: "a"}, {Resource: "a/i", KeyShare: 1}}
		}, result.Fail, "a: hottest key "},
		"hidden keys": {profile.Limit{Metric: "key_share", AtLeast: &low}, func(r *result.Report) {
			r.Heat = []result.Heat{{Resource: "a", KeyUnknown: true}, {Resource: "a/i", KeyShare: 1}}
		}, result.NotMeasured, ""},
		"throttled": {profile.Limit{Metric: "throttled", AtMost: &low}, func(r *result.Report) {
			r.Heat = []result.Heat{{Resource: "a", Throttled: 2}}
		}, result.Fail, ""},
		"a target that cannot throttle": {profile.Limit{Metric: "throttled", AtMost: &low}, func(r *result.Report) {
			r.Heat, r.NotApplied = []result.Heat{{Resource: "a"}}, "like_cloud: throttling"
		}, result.NotMeasured, ""},
		"no meter": {profile.Limit{Metric: "key_partition_use", AtMost: &one}, same, result.NotMeasured, ""},
		"key partition": {profile.Limit{Metric: "key_partition_use", AtMost: &low}, func(r *result.Report) {
			r.Consumed = []result.Consumed{{Table: "p-api_keys", Index: "api_key_hash_index", ReadsPerSecond: 300}}
		}, result.Pass, "300.0 read units/s over 4 keys, 50.00% on the hottest; a single key would use 0.1 of its partition"},
		"device index": {profile.Limit{Metric: "device_index_use", AtMost: &low}, func(r *result.Report) {
			r.Consumed = []result.Consumed{{Table: "p-devices", Index: "gsi1", WritesPerSecond: 200, WritePeak: 250}}
		}, result.Fail, "200.0 write units/s on gsi1pk=devices (peak 250): headroom 5×"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if v := evaluateLimit(test.limit, report(test.change)); v.State != test.want || v.Remark != test.remark {
				t.Errorf("got %+v, want %s %q", v, test.want, test.remark)
			}
		})
	}
}

// TestOnlyTimeFailed checks that only limits that may fail on a busy machine lead to another attempt.
func TestOnlyTimeFailed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		failed []string
		want   bool
	}{
		"no limit":                  {nil, false},
		"a latency":                 {[]string{"write_p99_ms"}, true},
		"a latency and a rate":      {[]string{"p99_ms", "rate_share"}, true},
		"a documented rate":         {[]string{"write_units_per_second"}, true},
		"errors":                    {[]string{"error_share"}, false},
		"a latency and lost events": {[]string{"p99_ms", "lost"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &result.Report{Verdicts: []result.Verdict{{Metric: "error_share", State: result.Pass},
				{Metric: "added_p99_ms", State: result.NotMeasured}}}
			for _, metric := range test.failed {
				if _, known := metrics()[metric]; !known {
					t.Fatalf("no metric %s", metric)
				}
				r.Verdicts = append(r.Verdicts, result.Verdict{Metric: metric, State: result.Fail})
			}
			if got := OnlyTimeFailed(r); got != test.want || len(r.Failed()) != len(test.failed) {
				t.Errorf("failed %v: %v", r.Failed(), got)
			}
		})
	}
}

// TestFailuresOfTimeAreUndecided checks which failed limits do not decide about their requirement.
func TestFailuresOfTimeAreUndecided(t *testing.T) {
	t.Parallel()
	const short, shared = "the run was shortened", "the machine also did other work"
	for _, test := range []struct {
		metric, shortened string
		strict, shared    bool
		want              string
	}{
		{"p99_ms", "", false, false, ""}, {"p99_ms", "5s of 1m0s", false, false, short}, {"p99_ms", "", false, true, shared},
		{"rate_share", "5s of 1m0s", false, true, short}, {"rate_share", "", false, true, ""},
		{"lost", "5s of 1m0s", false, true, ""}, {"rate_share", "5s of 1m0s", true, true, ""},
		{"p99_ms", "5s of 1m0s", true, false, ""}, {"p99_ms", "5s of 1m0s", true, true, shared},
	} {
		r := &result.Report{Shortened: test.shortened, Verdicts: []result.Verdict{{Metric: test.metric, State: result.Fail},
			{Metric: test.metric, State: result.Pass}}}
		MarkUndecided(r, test.strict, test.shared)
		if r.Verdicts[0].Undecided != test.want || r.Verdicts[1].Undecided != "" ||
			(r.Verdicts[0].State == result.NotMeasured) != (test.want != "") || len(r.Failed()) > 0 != (test.want == "") {
			t.Errorf("%+v: %+v", test, r.Verdicts)
		}
	}
}

// TestP99NeedsEnoughRequests checks that the p99 of a kind needs hundreds of requests outside warm-up stages.
func TestP99NeedsEnoughRequests(t *testing.T) {
	t.Parallel()
	most := 5.0
	for timed, want := range map[int64]result.State{minRequestsForP99: result.Pass, 50: result.NotMeasured} {
		r := &result.Report{Profile: profile.Profile{System: "telemetry"}, Kinds: []result.KindStats{{Request: "latest",
			Requests: 6050, Latency: result.Latency{Count: timed, P99: 1}}}}
		if v := evaluateLimit(profile.Limit{Metric: "read_p99_ms", AtMost: &most}, r); v.State != want {
			t.Errorf("%d of 6,050 requests count for latency: %+v", timed, v)
		}
	}
}

// TestBackendOverheadNeedsEnoughRequests checks that the p99 of the backend overhead needs hundreds of requests beyond
// the first of each kind, and a meter.
func TestBackendOverheadNeedsEnoughRequests(t *testing.T) {
	t.Parallel()
	added := &result.Latency{P99: 1}
	for name, test := range map[string]struct {
		report result.Report
		want   bool
	}{
		"enough": {result.Report{Overhead: added,
			Kinds: []result.KindStats{{Metered: result.WarmUp + minRequestsForP99}}}, true},
		"few":         {result.Report{Overhead: added, Kinds: []result.KindStats{{Metered: minRequestsForP99}}}, false},
		"no meter":    {result.Report{Kinds: []result.KindStats{{Metered: 2 * minRequestsForP99}}}, false},
		"no requests": {result.Report{Overhead: added}, false},
	} {
		if _, measured := addedP99(&test.report); measured != test.want {
			t.Errorf("%s: measured %v", name, measured)
		}
	}
}
