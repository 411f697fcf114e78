package advice

import (
	"errors"
	"io"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/cost"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// Review is a review in progress. What it knows grows with each request.
type Review struct {
	Tables     map[string]*Table     // of DynamoDB, by name
	Containers map[string]*Container // of Cosmos DB, by DATABASE/CONTAINER
	Requests   int64
	Span       time.Duration // from the start of the recording to the end of the last request, by the emulator's clock

	region *cost.Region
	start  time.Time
}

// Recording reviews a recording with all rules. region names that whose prices apply; empty: cost.DefaultRegion.
// tables are what is known of tables before the first request. Errors: an unknown region, and those of the recording.
func Recording(in *recording.Reader, region string, tables ...*Table) (*Report, error) {
	v, err := newReview(region)
	if err != nil {
		return nil, err
	}
	for _, t := range tables {
		v.Tables[t.Name] = t
	}
	v.start = in.Header.Start
	watchers := make([]watcher, len(Rules()))
	for i, rule := range Rules() {
		watchers[i] = rule.watch(v)
	}
	for {
		e, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if e.Console { // the requests of a person who looks, not of a program
			continue
		}
		r := v.next(e)
		for _, w := range watchers {
			w.see(r)
		}
	}
	return v.report(watchers), nil
}

func newReview(region string) (*Review, error) {
	prices, err := cost.EmbeddedPrices()
	if err != nil {
		return nil, err
	}
	v := &Review{Tables: map[string]*Table{}, Containers: map[string]*Container{}}
	_, v.region, err = prices.Region(region)
	return v, err
}

// next decodes the next request and notes what it says about tables.
func (v *Review) next(e *recording.Entry) *Request {
	r := decode(e)
	v.Requests++
	v.Span = max(v.Span, e.Time.Add(time.Duration(e.Micros)*time.Microsecond).Sub(v.start))
	v.learn(r)
	v.learnCosmos(r)
	r.accesses = v.accessesOf(r)
	return r
}

// shortest is the shortest span that costs are extrapolated from: at the rate of a burst, a month would cost millions.
const shortest = time.Minute

// monthly returns what a quantity in the recording costs in US dollars a month at the same rate, in the first tier of
// the region's price and without the free tier.
func (v *Review) monthly(kind cost.Kind, quantity float64) float64 {
	return quantity * v.price(kind) * float64(cost.Month) / float64(max(v.Span, shortest))
}

// price returns the price of a unit in US dollars, in the first tier; 0 if the region has none.
func (v *Review) price(kind cost.Kind) float64 {
	p := v.region.Prices[kind]
	if p == nil || len(p.Tiers) == 0 {
		return 0
	}
	return p.Tiers[0].USD.Div(p.Per).Float()
}

// capacityMonthly returns what provisioned capacity costs in US dollars a month.
func (v *Review) capacityMonthly(read, write float64) float64 {
	return cost.Month.Hours() * (read*v.price(cost.ReadHours) + write*v.price(cost.WriteHours))
}
