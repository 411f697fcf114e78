package extensions

import (
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// loadHandler returns the API of the console's page about load tests.
func (x *Extensions) loadHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /profiles", respond(x.loadProfiles))
	mux.HandleFunc("POST /runs", respond(x.startLoad))
	mux.HandleFunc("GET /current", respond(x.currentLoad))
	mux.HandleFunc("DELETE /current", respond(x.stopLoad))
	mux.HandleFunc("GET /runs", respond(x.loadRuns))
	mux.HandleFunc("GET /runs/{id}", respond(x.loadReport))
	mux.HandleFunc("GET /comparison", respond(x.loadComparison))
	return mux
}

// loadChoices is what can be run.
type loadChoices struct {
	Profiles []profileSummary `json:"profiles"`
	Targets  []loadTarget     `json:"targets"`
}

// profileSummary is a load profile, as the list shows it.
type profileSummary struct {
	profile.Profile
	Seconds  float64 `json:"seconds"`  // its duration
	Requests int     `json:"requests"` // that it sends
	PeakRate float64 `json:"peakRate"` // requests per second of its busiest stage
	Database string  `json:"database"` // dynamodb or cosmos
}

// The targets that a browser can choose.
const (
	embeddedTarget = "embedded"
	emulatorTarget = "emulator"
)

// loadTarget is a database that load tests can run on.
type loadTarget struct {
	ID       string `json:"id"`
	DynamoDB string `json:"dynamodb,omitempty"` // endpoint of the running emulator
	Cosmos   string `json:"cosmos,omitempty"`
	Reason   string `json:"reason,omitempty"` // why it cannot be used; empty: it can
}

func (x *Extensions) loadProfiles(*http.Request) (any, error) {
	profiles, err := loadtest.Profiles()
	if err != nil {
		return nil, err
	}
	e, err := x.running()
	if err != nil {
		return nil, err
	}
	choices := loadChoices{Targets: []loadTarget{{ID: embeddedTarget},
		{ID: emulatorTarget, DynamoDB: e.DynamoDBURL, Cosmos: e.CosmosURL, Reason: e.unusable()}}}
	for _, p := range profiles {
		one := profileSummary{Profile: p, Seconds: p.Duration().Seconds(), Requests: p.Requests(),
			PeakRate: p.Stages[p.Peak()].Mean(), Database: "dynamodb"}
		if p.OnCosmos() {
			one.Database = "cosmos"
		}
		choices.Profiles = append(choices.Profiles, one)
	}
	return choices, nil
}

// unusable returns why load tests cannot run on the emulator, or "" if they can.
func (e Emulator) unusable() string {
	if e.Identities {
		return "The emulator has identities: use the command with --target and the access key of a user."
	}
	return ""
}

// profileOf returns a built-in profile. Errors: there is none with this id.
func profileOf(id string) (profile.Profile, error) {
	profiles, err := loadtest.Profiles()
	if err != nil {
		return profile.Profile{}, err
	}
	for _, p := range profiles {
		if p.ID == id {
			return p, nil
		}
	}
	return profile.Profile{}, invalid("there is no load profile %q: choose one of the list", id)
}

// maxSeconds is the longest duration of a run, in seconds: that of a profile's stage.
const maxSeconds = 24 * 60 * 60

// limitOf returns how long a run may take: twice its planned duration, and the time to create its population and to
// read its data back.
func limitOf(p profile.Profile, seconds int) time.Duration {
	planned := p.Duration()
	if seconds > 0 {
		planned = time.Duration(seconds) * time.Second
	}
	return 2*planned + 30*time.Minute
}
