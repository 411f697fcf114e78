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
)

// Every built-in profile runs on the real backend on the emulator, and the meter sees what each limit needs.
func TestBuiltInProfilesOnTheRealBackend(t *testing.T) {
	t.Parallel()
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
			p.Population["devices"], p.Population["keys"] = 20, 5
			meter := &loadtest.Meter{}
			b, err := backend.New(backend.Config{AWS: emulator.Run(t).AWSConfig(), TablePrefix: "t-", AdminToken: "admin", Pepper: "pepper",
				ClientOptions: []func(*dynamodb.Options){meter.Attach}})
			if err != nil {
				t.Fatal(err)
			}
			if err := b.CreateTables(t.Context()); err != nil {
				t.Fatal(err)
			}
			s := httptest.NewServer(b)
			t.Cleanup(s.Close)
			r, err := loadtest.Run(t.Context(), loadtest.Config{Profile: p, BaseURL: s.URL, AdminToken: "admin", Meter: meter, Duration: 100 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			if r.Requests == 0 || r.Errors != 0 || *r.Readings != (loadtest.Outcomes{Stored: r.Readings.Stored, Duplicate: r.Readings.Duplicate}) || len(r.Consumed) == 0 {
				t.Errorf("%d requests, errors %v, readings %+v, consumed %+v", r.Requests, r.ErrorTexts, r.Readings, r.Consumed)
			}
			for _, v := range r.Verdicts {
				if v.State == loadtest.Unmeasured {
					t.Errorf("%s %s was not measured", v.ID, v.Metric)
				}
				if v.Metric == "device_index_use" && !strings.Contains(v.Remark, "headroom") {
					t.Errorf("no headroom is told: %+v", v)
				}
			}
		})
	}
}
