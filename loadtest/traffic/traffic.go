package traffic

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/usage"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// openers returns the functions that open the subjects, by the system's name in profiles.
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

// Setup holds the target and the profile of a subject in one run. BaseURL and AdminToken are for profiles of a backend,
// Database for those of a table.
type Setup struct {
	Profile    profile.Profile
	BaseURL    string       // URL of the running backend
	AdminToken string       // for its admin routes
	Database   *Database    // of the backend, or attacked itself; nil: do not measure what needs it
	Cosmos     *Cosmos      // of a backend on Cosmos DB; nil: do not measure what needs it
	Meter      *usage.Meter // receives the capacity that a table's responses were charged
	Seed       uint64
	Shard      sim.Shard // of the run; zero: the whole run
}

// Open returns the subject of a run. Call its Prepare next.
func (s Setup) Open() (Subject, error) {
	f, known := openers()[s.Profile.System]
	if !known {
		return nil, fmt.Errorf("unknown system %q", s.Profile.System)
	}
	return f(s)
}

// Subject is a system in one run. One goroutine at a time calls its methods, except where a method says otherwise.
type Subject interface {
	// Prepare creates credentials and population. Many goroutines call done with the progress.
	Prepare(ctx context.Context, done func(done, total int)) error
	// Population returns what other shards of the run need to use the population: ids and credentials that the backend
	// chose, and the time from which generated data counts. It is written as JSON.
	Population() any
	// Join is called instead of Prepare if another shard has prepared the run. It reads what that shard's Population
	// returned.
	Join(ctx context.Context, population json.RawMessage) error
	// next chooses the next request of a part, which has this number in the mix. Every shard chooses all requests of the
	// run, and makes only those that it sends.
	next(number int, p profile.Part) draft
	// HandleResponse processes the response to a request, which arrived at this time since the start. It may run while
	// next makes other requests. It returns how many things the request stored, and what is wrong with the response if the
	// status does not show it.
	HandleResponse(kind string, r *vegeta.Result, at time.Duration) (stored int64, wrong string)
	// Observe adds what the attack of this shard measured, after it.
	Observe(ctx context.Context, o *Observations) error
	// Inspect adds what the system stores after the attacks of all shards. Only the leading shard calls it.
	Inspect(ctx context.Context, o *Observations) error
	// Close removes what Prepare created and is no longer needed, even after a failure.
	Close(ctx context.Context) error
	// WrapTransport wraps the transport between the attacker and the system.
	WrapTransport(base http.RoundTripper) http.RoundTripper
}

// draft is a request that was chosen; calling it makes the request. Making it changes no state of the subject, so that
// a request that another shard sends costs little.
type draft func(context.Context) (request, error)

// request is a request of an attack.
type request struct {
	method, url string
	header      http.Header
	body        []byte
	sent        func() // called by many goroutines when the request is sent; may be nil
	tag         string // data for Answered: see tagOf; may be empty
}

// baseSubject is embedded in subjects for the methods that most of them do not need.
type baseSubject struct{}

func (baseSubject) HandleResponse(string, *vegeta.Result, time.Duration) (int64, string) {
	return 0, ""
}
func (baseSubject) Observe(context.Context, *Observations) error           { return nil }
func (baseSubject) Inspect(context.Context, *Observations) error           { return nil }
func (baseSubject) Population() any                                        { return struct{}{} }
func (baseSubject) WrapTransport(base http.RoundTripper) http.RoundTripper { return base }
