package loadtest

import (
	"testing"
	"time"
)

func TestJudge(t *testing.T) {
	t.Parallel()
	one, hundred, low := 1.0, 100.0, 0.1
	report := func(change func(*Report)) *Report {
		r := &Report{
			Profile:  Profile{Stages: []Stage{{Rate: 10, Duration: Duration(10 * time.Second)}}},
			Requests: 100, Throughput: 10, Latency: Latency{P99: 50}, Stages: []StageStats{{ReadingsPerSecond: 99}},
			Keys: &KeyShares{Keys: 4, HottestShare: 0.5, FairShare: 0.25},
		}
		change(r)
		return r
	}
	same := func(*Report) {}
	for name, test := range map[string]struct {
		limit  Limit
		change func(*Report)
		want   State
		remark string
	}{
		"below at most":  {Limit{Metric: "p99_ms", AtMost: &hundred}, same, Held, ""},
		"above at most":  {Limit{Metric: "p99_ms", AtMost: &one}, same, Missed, ""},
		"on at least":    {Limit{Metric: "rate_share", AtLeast: &one}, same, Held, ""},
		"below at least": {Limit{Metric: "readings_per_second", AtLeast: &hundred}, same, Missed, ""},
		"two short in a shortened run": {Limit{Metric: "readings_per_second", AtLeast: &hundred},
			func(r *Report) { r.Quick = "yes" }, Held, ""},
		"no requests": {Limit{Metric: "error_share", AtMost: &low}, func(r *Report) { r.Requests = 0 }, Missed, ""},
		"the worst error is the remark": {Limit{Metric: "error_share", AtMost: &low},
			func(r *Report) { r.Errors, r.ErrorTexts = 20, map[string]int64{"refused": 15, "slow": 5} }, Missed, "refused"},
		"hot key":  {Limit{Metric: "hottest_key_share", AtMost: &one}, same, Missed, ""},
		"no meter": {Limit{Metric: "key_partition_use", AtMost: &one}, same, Unmeasured, ""},
		"key partition": {Limit{Metric: "key_partition_use", AtMost: &low}, func(r *Report) {
			r.Consumed = []Consumed{{Table: "p-api_keys", Index: "api_key_hash_index", ReadsPerSecond: 300}}
		}, Held, "300.0 read units/s over 4 keys, 50.00% of them on the hottest; one key for all would use 0.1 of its partition"},
		"device index": {Limit{Metric: "device_index_use", AtMost: &low}, func(r *Report) {
			r.Consumed = []Consumed{{Table: "p-devices", Index: "gsi1", WritesPerSecond: 200, WritePeak: 250}}
		}, Missed, "200.0 write units/s on gsi1pk=devices (250 in the busiest second): headroom 5x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if v := judge(test.limit, report(test.change)); v.State != test.want || v.Remark != test.remark {
				t.Errorf("got %+v, want %s %q", v, test.want, test.remark)
			}
		})
	}
}

// Only what a busy machine may miss is worth another try.
func TestMissedTime(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		missed []string
		want   bool
	}{
		"nothing":                   {nil, false},
		"a latency":                 {[]string{"write_p99_ms"}, true},
		"a latency and a rate":      {[]string{"p99_ms", "rate_share"}, true},
		"a rate of the document":    {[]string{"write_units_per_second"}, true},
		"errors":                    {[]string{"error_share"}, false},
		"a latency and lost events": {[]string{"p99_ms", "lost"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &Report{Verdicts: []Verdict{{Metric: "error_share", State: Held}, {Metric: "added_p99_ms", State: Unmeasured}}}
			for _, metric := range test.missed {
				if _, known := metrics()[metric]; !known {
					t.Fatalf("no metric %s", metric)
				}
				r.Verdicts = append(r.Verdicts, Verdict{Metric: metric, State: Missed})
			}
			if got := r.MissedTime(); got != test.want || len(r.Missed()) != len(test.missed) {
				t.Errorf("missed %v: %v", r.Missed(), got)
			}
		})
	}
}

func TestHotDevices(t *testing.T) {
	t.Parallel()
	every := func(gap time.Duration, n int) []time.Duration {
		var at []time.Duration
		for i := range n {
			at = append(at, time.Duration(i)*gap)
		}
		return at
	}
	for name, test := range map[string]struct {
		writes []time.Duration
		rate   float64 // 0 when it is not hot
	}{
		"twice a second":             {every(500*time.Millisecond, 120), 2},
		"once a second":              {every(time.Second, 600), 0},
		"a buffer of 100 at once":    {every(time.Millisecond, 100), 0},
		"busy for its first minute":  {append(every(250*time.Millisecond, 240), every(10*time.Second, 30)...), 4.1},
		"once in five minutes":       {every(5*time.Minute, 3), 0},
		"a burst in half the minute": {every(100*time.Millisecond, 300), 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWrites(hotRule(10 * time.Minute))
			for _, at := range test.writes {
				w.add("02:00:00:00:00:01", at)
			}
			hot := w.hot()
			if test.rate == 0 && len(hot) == 0 {
				return
			}
			if len(hot) != 1 || hot[0].WritesPerSecond != test.rate || hot[0].HardwareID != "02:00:00:00:00:01" {
				t.Errorf("got %+v, want %v writes a second", hot, test.rate)
			}
		})
	}
}
