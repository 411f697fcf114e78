package emulator

import (
	"fmt"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/usage"
	"github.com/tabletop-db/tabletop/internal/cost"
)

// CostHeader is the header of DynamoDB's answers that says what a request costs on demand: dollars, and the units. See
// WithShowCost.
const CostHeader = "X-Tabletop-Cost"

// spending is what the emulator knows of what it would cost.
type spending struct {
	used   *usage.Recorder
	prices *cost.Prices
	region string // whose prices CostHeader shows; empty: it is not sent
}

func newSpending(region string) (*spending, error) {
	if region == "" {
		return &spending{}, nil
	}
	prices, err := cost.Own()
	if err != nil {
		return nil, err
	}
	if _, _, err := prices.Region(region); err != nil {
		return nil, err
	}
	return &spending{prices: prices, region: region}, nil
}

// begin has the use of a service's tables, and of keys, counted from now on.
func (s *spending) begin(e *Emulator) {
	s.used = usage.New(e.clock, e.dynamo, usage.Others{Keys: e.keys.Billed, Alarms: e.alarms.Billed, BackupBytes: e.dynamo.BackupBytes})
}

// observe takes in an answered request; begin must have been called.
func (s *spending) observe(e *telemetry.Event) { s.used.Observe(e) }

// annotate says what a request costs, in the header of its answer. It is nil where nobody wants to know.
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

// keyRequests counts the requests to KMS, and looks after each whether there are more keys.
func (s *spending) keyRequests(h http.Handler) http.Handler {
	return s.watching(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.used.KeyRequest()
		h.ServeHTTP(w, r)
	}))
}

// watching looks after each request of a service whether there is more of what it has.
func (s *spending) watching(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r)
		s.used.LookOthers()
	})
}
