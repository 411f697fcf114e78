package loadtest_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/verdict"
)

// TestSaturate checks that the maximum rate of a target is found as precisely as the number of steps allows,
// from above and from below.
func TestSaturate(t *testing.T) {
	t.Parallel()
	p := profileOf(t, "TL-L1")
	for _, c := range []struct{ capacity, passed, failed float64 }{
		{capacity: 11, passed: 11, failed: 12},               // 1 2 4 8 16, then 12 10 11
		{capacity: 0.3, passed: 0.296875, failed: 0.3046875}, // 1 0.5 0.25, then 0.375 0.3125 0.28125 0.296875 0.3046875
		{capacity: 1e9, passed: 128},                         // never reached
		{capacity: 0, failed: 1.0 / 64},                      // every step fails
	} {
		var shown []loadtest.SaturationStep
		s, err := loadtest.Saturate(p, 8, func(p profile.Profile, scale float64) (*result.Report, error) {
			return reportOf(p, scale, c.capacity), nil
		}, func(step loadtest.SaturationStep) { shown = append(shown, step) })
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s.Steps, shown); diff != "" {
			t.Errorf("the steps passed to done differ from those of the result:\n%s", diff)
		}
		passed, failed := scaleOf(s.Passed), scaleOf(s.Failed)
		if passed != c.passed || failed != c.failed || len(s.Steps) > 8 {
			t.Errorf("capacity %v: passed %v, failed %v in %d steps", c.capacity, passed, failed, len(s.Steps))
		}
	}
}

// TestSaturateScalesTheRate checks that each step has its own rate, and the documented population if it is
// above the documented rate.
func TestSaturateScalesTheRate(t *testing.T) {
	t.Parallel()
	p := profileOf(t, "TL-L1")
	peak := p.Stages[1].Rate // the rate of the second stage
	_, err := loadtest.Saturate(p, 6, func(at profile.Profile, scale float64) (*result.Report, error) {
		want := p.Population["devices"]
		if scale < 1 {
			want = int(float64(want) * scale)
		}
		if len(at.Stages) != 1 || at.Stages[0].Rate != scale*peak || at.Population["devices"] != want {
			t.Errorf("at %v: %v requests a second of %d devices", scale, at.Stages[0].Rate, at.Population["devices"])
		}
		return reportOf(at, scale, 0.3), nil
	}, ignoreStep)
	if err != nil {
		t.Fatal(err)
	}
	_, err = loadtest.Saturate(p, 3, func(at profile.Profile, scale float64) (*result.Report, error) {
		if len(at.Stages) != 1 || at.Stages[0].Rate != scale*peak || at.Population["devices"] != p.Population["devices"] {
			t.Errorf("at %v: %v requests a second of %d devices", scale, at.Stages[0].Rate, at.Population["devices"])
		}
		return reportOf(at, scale, 100), nil
	}, ignoreStep)
	if err != nil {
		t.Fatal(err)
	}
}

// TestSaturatePassesAPerfectTarget checks that each built-in profile passes on a target that keeps up with any rate.
func TestSaturatePassesAPerfectTarget(t *testing.T) {
	t.Parallel()
	profiles, err := loadtest.Profiles()
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, p := range profiles {
		if p.Unscaled != "" {
			continue
		}
		tried++
		s, err := loadtest.Saturate(p, 3, func(at profile.Profile, _ float64) (*result.Report, error) {
			return perfectReport(at), nil
		}, ignoreStep)
		if err != nil || s.Failed != nil || s.Passed.Scale != 4 {
			t.Errorf("%s: %+v, %v", p.ID, s, err)
		}
	}
	if tried < 8 {
		t.Errorf("only %d profiles can be scaled", tried)
	}
}

// perfectReport returns the report of a run of one stage in which each request succeeded in time and consumed the units
// that the profile states.
func perfectReport(p profile.Profile) *result.Report {
	rate := p.Stages[0].Mean()
	r := &result.Report{Profile: p, Target: "embedded", Requests: int64(p.Requests()), Throughput: rate,
		Keys: &result.KeyShares{LookupsPerSec: rate, HottestShare: 1, FairShare: 1}}
	weights, stage, units := 0, result.StageStats{Planned: rate, Sent: rate}, result.Consumed{}
	for _, part := range p.Mix {
		weights += part.Weight
	}
	for _, part := range p.Mix {
		share := float64(part.Weight) / float64(weights)
		r.Kinds = append(r.Kinds, result.KindStats{Request: part.Request, Requests: int64(share * float64(r.Requests))})
		if part.Request == "ingest" {
			stage.ReadingsPerSecond += rate * share * float64(max(1, part.Batch.Min)+max(1, part.Batch.Max)) / 2
		}
		for _, a := range p.Access {
			if a.Request == part.Request && a.Reads != nil && a.Writes != nil {
				units.ReadsPerSecond += rate * share * a.Reads.Max
				units.WritesPerSecond += rate * share * a.Writes.Max
			}
		}
	}
	r.Stages, r.Consumed = []result.StageStats{stage}, []result.Consumed{units}
	r.Verdicts = verdict.Evaluate(r)
	return r
}

// TestSaturationMeasuresLatency checks that the busiest stage counts for latency although the profile warms up with it.
func TestSaturationMeasuresLatency(t *testing.T) {
	t.Parallel()
	p := profileOf(t, "TL-L1")
	p.Stages[1].WarmUp = true
	_, err := loadtest.Saturate(p, 1, func(at profile.Profile, scale float64) (*result.Report, error) {
		if at.Stages[0].WarmUp {
			t.Error("the only stage is a warm-up")
		}
		return reportOf(at, scale, 1), nil
	}, ignoreStep)
	if err != nil {
		t.Fatal(err)
	}
}

// TestSaturationIgnoresCost checks that only limits on time and failures count, and not the cost of a run.
func TestSaturationIgnoresCost(t *testing.T) {
	t.Parallel()
	p := profileOf(t, "TL-L1")
	for metric, breaks := range map[string]bool{"p99_ms": true, "rate_share": true, "error_share": true, "lost": true,
		"month_dollars": false, "table_mb": false} {
		s, err := loadtest.Saturate(p, 1, func(profile.Profile, float64) (*result.Report, error) {
			return &result.Report{Profile: p, Verdicts: []result.Verdict{{Metric: metric, State: result.Fail}}}, nil
		}, ignoreStep)
		if err != nil || (s.Failed != nil) != breaks {
			t.Errorf("%s failed: %+v, %v", metric, s, err)
		}
	}
}

func TestSaturationNeedsScalableLimits(t *testing.T) {
	t.Parallel()
	run := func(profile.Profile, float64) (*result.Report, error) {
		t.Error("the profile ran")
		return nil, errors.New("ran")
	}
	one := profileOf(t, "TL-L1")
	one.Unscaled = "the figure is about one device"
	if _, err := loadtest.Saturate(one, 8, run, ignoreStep); err == nil {
		t.Error("a profile with a fixed rate is accepted")
	}
	none := profileOf(t, "TL-L1")
	none.Limits = nil
	if _, err := loadtest.Saturate(none, 8, run, ignoreStep); err == nil {
		t.Error("a profile without limits is accepted")
	}
}

func profileOf(t *testing.T, id string) profile.Profile {
	t.Helper()
	found, err := loadtest.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	return found[0]
}

// reportOf returns the report of a target that handles at most this multiple of the documented rate.
func reportOf(p profile.Profile, scale, most float64) *result.Report {
	r := &result.Report{Profile: p, Target: "embedded"}
	if scale > most {
		r.Verdicts = []result.Verdict{{ID: "TL-L1", Metric: "p99_ms", State: result.Fail}}
	}
	return r
}

func scaleOf(s *loadtest.SaturationStep) float64 {
	if s == nil {
		return 0
	}
	return s.Scale
}

// ignoreStep ignores the steps of a search.
func ignoreStep(loadtest.SaturationStep) {}
