package loadtest

import (
	"strings"
	"testing"
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
