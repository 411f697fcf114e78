package loadtest

import (
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/verdict"
)

// TestLimitsAreTwoSided checks that a metric that a run could also meet by doing too little has a lower limit as well
// as an upper one.
func TestLimitsAreTwoSided(t *testing.T) {
	t.Parallel()
	profiles, err := Profiles()
	if err != nil {
		t.Fatal(err)
	}
	oneSided := map[string]bool{"error_share": true, "rejected_readings": true, "unprocessed_items": true,
		"throttled": true, "throttled_requests": true,
		"hot_devices": true, "hot_devices_misreported": true, "lost": true, "duplicated": true, "unacknowledged": true,
		"stale_registrations": true}
	for _, p := range profiles {
		for _, l := range p.Limits {
			if (l.AtMost == nil || l.AtLeast == nil) && !oneSided[l.Metric] && !strings.HasSuffix(l.Metric, "_ms") {
				t.Errorf("%s: %s has only one limit", p.ID, l.Metric)
			}
		}
		for _, part := range p.Mix {
			found := false
			for _, a := range p.Access {
				found = found || a.Request == part.Request && len(a.Calls) > 0 && (a.Reads != nil && a.Writes != nil ||
					a.Units != nil || part.Request == "work")
			}
			if !found {
				t.Errorf("%s has no access list, or no units, for %s requests", p.ID, part.Request)
			}
		}
	}
}

// TestP99LimitsAreMeasured checks that a run of the documented length makes the requests that each limit on a p99
// needs.
func TestP99LimitsAreMeasured(t *testing.T) {
	t.Parallel()
	profiles, err := Profiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range profiles {
		p.Access = nil
		p.Limits = slices.DeleteFunc(p.Limits, func(l profile.Limit) bool {
			return !strings.HasSuffix(l.Metric, "_p99_ms")
		})
		requests, weights := 0.0, 0
		for _, s := range p.Stages {
			if !s.WarmUp {
				requests += s.Requests()
			}
		}
		for _, part := range p.Mix {
			weights += part.Weight
		}
		r := &result.Report{Profile: p, Overhead: &result.Latency{}}
		for _, part := range p.Mix {
			n := int64(requests * float64(part.Weight) / float64(weights))
			r.Kinds = append(r.Kinds, result.KindStats{Request: part.Request, Metered: n, Latency: result.Latency{Count: n}})
		}
		for _, v := range verdict.Evaluate(r) {
			if v.State == result.NotMeasured {
				t.Errorf("%s: %s %s", p.ID, v.Metric, v.Measured)
			}
		}
	}
}
