package loadtest

import (
	"context"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// system is what profiles attack: the requests that their mixes can name, what their populations are of, and how it is
// prepared for a run.
type system struct {
	kinds      map[string]kind
	population map[string]count
	turns      string // what of the population the requests are about in turn, and a part's only names one of
	cosmos     bool   // its backend is on Cosmos DB
	onDatabase bool   // it is a table, attacked without a backend
	check      func(*Profile) error
	sort       func(item map[string]types.AttributeValue) string // the sort of an item of its tables; nil: they are not sorted
	open       func(Config) (subject, error)
}

// A kind is one kind of request that a mix can name.
type kind struct {
	carries int    // how many things a request may have at most, as the part's batch says; 0: it has none
	needs   string // what there has to be of the population before the attack
	writes  bool
	index   bool // it reads from an index
	sized   bool // the part's bytes say how large its items are
}

// count is how many of a thing a population may have.
type count struct {
	least, most int
	scales      bool // with the rate
}

// systems are what there is to attack, by the names that profiles use.
func systems() map[string]system {
	return map[string]system{
		"devicetoken":  devicetokenSystem(),
		"kefir":        kefirSystem(),
		"notification": notificationSystem(),
		"telemetry":    telemetrySystem(),
		"verification": verificationSystem(),
		"table":        tableSystem(),
	}
}

// subject is a system in one run. Its methods are called by one goroutine at a time, but for what they say.
type subject interface {
	// prepare makes credentials and population; done is told how far it is, by many goroutines.
	prepare(ctx context.Context, done func(done, total int)) error
	// next makes a request of a part, which has this number in the mix.
	next(ctx context.Context, number int, p Part) (request, error)
	// answered takes in a request's answer, which came so long after the start, while next makes others. It returns how
	// many things the request stored, and what is wrong with an answer that the status does not tell.
	answered(kind string, r *vegeta.Result, at time.Duration) (stored int64, wrong string)
	// measure adds what only this system has to the report, when the attack is over.
	measure(ctx context.Context, r *Report) error
	// close takes away what prepare made and nobody needs, also after a failure.
	close(ctx context.Context) error
	// link is between the attacker and the system.
	link(base http.RoundTripper) http.RoundTripper
}

// request is what an attack sends.
type request struct {
	method, url string
	header      http.Header
	body        []byte
	sent        func() // told when it goes out, by many goroutines; may be nil
	tag         string // what answered wants to know of it again: see tagOf; may be empty
}

// plain is a subject with nothing to add to what every one has.
type plain struct{}

func (plain) answered(string, *vegeta.Result, time.Duration) (int64, string) { return 0, "" }
func (plain) measure(context.Context, *Report) error                         { return nil }
func (plain) link(base http.RoundTripper) http.RoundTripper                  { return base }
