package traffic

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// TestReportedHotDevices checks that the hot devices that the service reports are read, without those of others, and
// that a run of less than a minute does not read them.
func TestReportedHotDevices(t *testing.T) {
	t.Parallel()
	const answer = `{"devices": [{"hardware_id": "ours", "writes": 300, "hot": true}, {"hardware_id": "others", "writes": 200, "hot": true}, {"hardware_id": "cool", "writes": 9, "hot": false}]}`
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/telemetry/hot-devices" || r.Header.Get("Authorization") != "Bearer admin" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(service.Close)
	for run, want := range map[time.Duration][]string{time.Minute: {"ours"}, time.Minute - time.Second: nil} {
		p := profile.Profile{System: "telemetry", Population: profile.Population{"devices": 1, "keys": 1},
			Stages: []profile.Stage{{Rate: 1, Duration: profile.Duration(run)}}}
		tr := newTelemetry(Setup{BaseURL: service.URL, AdminToken: "admin", Profile: p}, time.Unix(1_700_000_000, 0))
		for _, id := range []string{"ours", "cool"} {
			tr.writes.add(id, 0)
		}
		var o Observations
		err := errors.Join(tr.Observe(t.Context(), &o), tr.readHotDevices(t.Context(), &o))
		r := result.Report{Seconds: run.Seconds()}
		o.Telemetry.report(p, &r)
		if err != nil || !slices.Equal(r.ReportedHot, want) ||
			(r.ReportedHot == nil) != (want == nil) {
			t.Errorf("a run of %v: %v, %v", run, r.ReportedHot, err)
		}
	}
	service.Close()
	tr := newTelemetry(Setup{BaseURL: service.URL, Profile: profile.Profile{Population: profile.Population{"keys": 1},
		Stages: []profile.Stage{{Rate: 1, Duration: profile.Duration(time.Minute)}}}}, time.Unix(1_700_000_000, 0))
	if err := tr.readHotDevices(t.Context(), &Observations{}); err == nil {
		t.Error("no error although the service does not respond")
	}
}
