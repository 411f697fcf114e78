package traffic

import (
	"context"
	"fmt"
	"net/http"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/usage"
)

// openers are what there is to attack, by the names that profiles use.
func openers() map[string]func(Setup) (Subject, error) {
	return map[string]func(Setup) (Subject, error){
		"devicetoken":  func(s Setup) (Subject, error) { return newDevicetoken(s), nil },
		"kefir":        func(s Setup) (Subject, error) { return newKefir(s), nil },
		"notification": func(s Setup) (Subject, error) { return newNotifications(s), nil },
		"telemetry":    func(s Setup) (Subject, error) { return newTelemetry(s, time.Now()), nil },
		"verification": func(s Setup) (Subject, error) { return newVerification(s), nil },
		"table":        func(s Setup) (Subject, error) { return newTable(s) },
	}
}

// Setup is what a subject of one run attacks, and by which profile. BaseURL and AdminToken are for profiles of a
// backend, Database for those of a table.
type Setup struct {
	Profile    profile.Profile
	BaseURL    string       // of the running backend
	AdminToken string       // of its admin routes
	Database   *Database    // of the backend, or the one attacked; nil leaves unmeasured what only it knows
	Cosmos     *Cosmos      // of a backend on Cosmos DB; nil leaves unmeasured what only it knows
	Meter      *usage.Meter // told what a table's answers were charged
	Seed       uint64
}

// Open returns the subject of a run, which is not prepared yet.
func (s Setup) Open() (Subject, error) {
	f, known := openers()[s.Profile.System]
	if !known {
		return nil, fmt.Errorf("nothing attacks the system %q", s.Profile.System)
	}
	return f(s)
}

// Subject is a system in one run. Its methods are called by one goroutine at a time, but for what they say.
type Subject interface {
	// Prepare makes credentials and population; done is told how far it is, by many goroutines.
	Prepare(ctx context.Context, done func(done, total int)) error
	// next makes a request of a part, which has this number in the mix.
	next(ctx context.Context, number int, p profile.Part) (request, error)
	// Answered takes in a request's answer, which came so long after the start, while next makes others. It returns how
	// many things the request stored, and what is wrong with an answer that the status does not tell.
	Answered(kind string, r *vegeta.Result, at time.Duration) (stored int64, wrong string)
	// Measure adds what only this system has to the report, when the attack is over.
	Measure(ctx context.Context, r *result.Report) error
	// Close takes away what prepare made and nobody needs, also after a failure.
	Close(ctx context.Context) error
	// Link is between the attacker and the system.
	Link(base http.RoundTripper) http.RoundTripper
}

// request is what an attack sends.
type request struct {
	method, url string
	header      http.Header
	body        []byte
	sent        func() // told when it goes out, by many goroutines; may be nil
	tag         string // what Answered wants to know of it again: see tagOf; may be empty
}

// plain is a subject with nothing to add to what every one has.
type plain struct{}

func (plain) Answered(string, *vegeta.Result, time.Duration) (int64, string) { return 0, "" }
func (plain) Measure(context.Context, *result.Report) error                  { return nil }
func (plain) Link(base http.RoundTripper) http.RoundTripper                  { return base }
