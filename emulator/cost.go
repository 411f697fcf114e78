package emulator

import (
	"fmt"
	"net/http"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/usage"
	"github.com/tabletop-db/tabletop/internal/model/cost"
)

// CostHeader is the header of DynamoDB responses that states what a request costs on demand, in dollars and in units.
// See WithShowCost.
const CostHeader = "X-Tabletop-Cost"

// spending measures what the emulator's use would cost.
type spending struct {
	used   *usage.Recorder
	prices *cost.Prices
	region string // region whose prices CostHeader shows; empty: CostHeader is not sent
	begun  atomic.Bool
}

func newSpending(region string) (*spending, error) {
	if region == "" {
		return &spending{}, nil
	}
	prices, err := cost.EmbeddedPrices()
	if err != nil {
		return nil, err
	}
	if _, _, err := prices.Region(region); err != nil {
		return nil, err
	}
	return &spending{prices: prices, region: region}, nil
}

// begin starts to record the use of the services' tables, keys and alarms.
func (s *spending) begin(e *Emulator) {
	s.used = usage.New(e.clock, e.dynamo, usage.OtherResources{Keys: e.keys.Billed, Alarms: e.alarms.Billed,
		BackupBytes: e.dynamo.BackupBytes})
	s.begun.Store(true)
}

// observe records an answered request. begin must have been called.
func (s *spending) observe(e *telemetry.Event) { s.used.Observe(e) }

// consume records what an account consumed without a request, or after the answer to it. What the service does before
// begin is not recorded.
func (s *spending) consume(account string, c telemetry.Consumption) {
	if s.begun.Load() {
		s.used.Consume(account, c)
	}
}

// replicated records a write that reached a replica in another region, unless none are recorded yet: the queue of a
// folder is emptied while it opens.
func (s *spending) replicated(w *telemetry.ReplicatedWrite) {
	if s.begun.Load() {
		s.used.Replicated(w)
	}
}

// annotate returns a function that writes a request's cost into the header of its response, or nil without
// WithShowCost.
func (s *spending) annotate() func(http.Header, *telemetry.Event) {
	if s.region == "" {
		return nil
	}
	return func(h http.Header, e *telemetry.Event) {
		bill, err := s.prices.Bill(s.used.Request(e), cost.Options{Region: s.region})
		if err != nil {
			return
		}
		var reads, writes float64
		for _, c := range e.Charges {
			if c.Write {
				writes += c.Units
			} else {
				reads += c.Units
			}
		}
		h.Set(CostHeader, fmt.Sprintf("usd=%s, reads=%g, writes=%g", bill.Total, reads, writes))
	}
}

// keyRequests counts the requests to KMS, and updates the number of keys after each.
func (s *spending) keyRequests(h http.Handler) http.Handler {
	return s.watching(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.used.KeyRequest()
		h.ServeHTTP(w, r)
	}))
}

// watching updates the number of billed keys and alarms after each request of a service.
func (s *spending) watching(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r)
		s.used.SampleOthers()
	})
}
