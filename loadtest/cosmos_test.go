package loadtest_test

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/traffic"
	"github.com/tabletop-db/tabletop/loadtest/usage"
)

// TestBuiltInProfilesOnCosmosDB runs every built-in profile of Cosmos DB on the real backend on the emulator, and
// checks that what each limit needs is measured.
func TestBuiltInProfilesOnCosmosDB(t *testing.T) {
	t.Parallel()
	profiles, err := loadtest.Profiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range profiles {
		if !p.OnCosmos() {
			continue
		}
		t.Run(p.ID, func(t *testing.T) {
			t.Parallel()
			small(p)
			// enough for every kind of request in any mix
			p.Stages = []profile.Stage{{Rate: 400, Duration: profile.Duration(100 * time.Millisecond)},
				{Rate: 50, Duration: profile.Duration(20 * time.Millisecond)}}
			meter := &usage.Meter{}
			cfg := loadtest.Config{Profile: p, AdminToken: "admin", Meter: meter,
				Cosmos: &traffic.Cosmos{Database: "t-" + notification.Database, Meter: new(usage.CosmosMeter)}}
			db := emulator.Run(t)
			watched, err := cosmosclient.New(db,
				&azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{PerRetryPolicies: []policy.Policy{cfg.Cosmos.Meter}}})
			if err != nil {
				t.Fatal(err)
			}
			if cfg.Cosmos.Client, err = cosmosclient.New(db, nil); err != nil {
				t.Fatal(err)
			}
			b, err := backend.New(backend.Config{Systems: []string{p.System}, Cosmos: watched, TablePrefix: "t-",
				AdminToken: "admin", Pepper: "pepper", Middleware: meter.Watch})
			if err != nil {
				t.Fatal(err)
			}
			if err := b.CreateTables(t.Context()); err != nil {
				t.Fatal(err)
			}
			s := httptest.NewServer(b)
			t.Cleanup(s.Close)
			cfg.BaseURL = s.URL
			r, err := loadtest.Run(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			if r.Requests == 0 || r.Errors != 0 || len(r.RequestUnits) == 0 || r.Durability == nil || r.Durability.Lost != 0 {
				t.Errorf("%d requests, errors %v, request units %+v, lost %v", r.Requests, r.ErrorTexts,
					r.RequestUnits, r.Durability)
			}
			for _, v := range r.Verdicts {
				if v.State == result.NotMeasured {
					t.Errorf("%s %s was not measured", v.ID, v.Metric)
				}
			}
		})
	}
}
