package loadtest_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/traffic"
	"github.com/tabletop-db/tabletop/loadtest/usage"
)

// TestBuiltInProfilesOnTheRealBackend runs every built-in profile on the real backend on the emulator, and checks that
// the meter measures what each limit needs.
func TestBuiltInProfilesOnTheRealBackend(t *testing.T) {
	t.Parallel()
	// requests, an emulator's heat, or a minute
	needsMore := map[string]bool{"added_p99_ms": true, "write_p99_ms": true, "read_p99_ms": true, "index_p99_ms": true,
		"key_share": true, "partition_use": true, "index_key_share": true, "index_key_use": true, "throttled": true,
		"hot_devices_misreported": true}
	profiles, err := loadtest.Profiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range profiles {
		t.Run(p.ID, func(t *testing.T) {
			t.Parallel()
			if p.OnDatabase() {
				t.Skip("a profile of a table needs no backend: TestBuiltInProfilesOnATable runs it")
			}
			if p.OnCosmos() {
				t.Skip("TestBuiltInProfilesOnCosmosDB runs it")
			}
			small(p)
			// enough for every kind of request in any mix
			p.Stages = []profile.Stage{{Rate: 400, Duration: profile.Duration(100 * time.Millisecond)}}
			meter := &usage.Meter{}
			target := emulator.Run(t).AWSConfig()
			b, err := backend.New(backend.Config{Systems: []string{p.System}, AWS: target, TablePrefix: "t-",
				AdminToken: "admin", Pepper: "pepper",
				ClientOptions: []func(*dynamodb.Options){meter.Attach}, Middleware: meter.Watch})
			if err != nil {
				t.Fatal(err)
			}
			if err := b.CreateTables(t.Context()); err != nil {
				t.Fatal(err)
			}
			s := httptest.NewServer(b)
			t.Cleanup(s.Close)
			r, err := loadtest.Run(t.Context(), loadtest.Config{Profile: p, BaseURL: s.URL, AdminToken: "admin", Meter: meter,
				Database: &traffic.Database{AWS: target, Prefix: "t-"}})
			if err != nil {
				t.Fatal(err)
			}
			if r.Requests == 0 || r.Errors != 0 || r.Readings != nil && r.Readings.Rejected > 0 || len(r.Consumed) == 0 {
				t.Errorf("%d requests, errors %v, readings %+v, consumed %+v", r.Requests, r.ErrorTexts, r.Readings, r.Consumed)
			}
			for _, v := range r.Verdicts {
				// small runs do not decide how often a call is made
				if v.State == result.Fail && strings.Contains(v.Measured, "not listed") {
					t.Errorf("%s %s: %s", v.ID, v.Metric, v.Measured)
				}
				if v.State == result.NotMeasured && !needsMore[v.Metric] {
					t.Errorf("%s %s was not measured", v.ID, v.Metric)
				}
				if v.Metric == "device_index_use" && !strings.Contains(v.Remark, "headroom") {
					t.Errorf("no headroom in the remark: %+v", v)
				}
			}
		})
	}
}

// small reduces a population to what every kind of request needs, and batches to a few readings. The test is about what
// a profile requests and measures, not about the machine's performance.
func small(p profile.Profile) {
	for name, n := range p.Population {
		p.Population[name] = min(n, 5)
	}
	for i := range p.Mix {
		batch := &p.Mix[i].Batch
		batch.Min, batch.Max = min(batch.Min, 5), min(batch.Max, 5)
	}
}
