package dashboard

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
)

// Answer is the result of one query of the dashboard.
type Answer struct {
	Panel  string `json:"panel"` // row and title
	Query  string `json:"query"` // PromQL, with the requested interval
	Series int    `json:"series"`
	Rare   bool   `json:"rare"` // no data is normal: there may be no errors, throttling or push requests
	Error  string `json:"error,omitempty"`
}

// Missing reports whether the query failed, or returned no data although it should.
func (a Answer) Missing() bool { return a.Error != "" || a.Series == 0 && !a.Rare }

// Check runs each query of the dashboard now against the Prometheus at base, such as http://127.0.0.1:9090, with rates
// over interval, which must be at least two scrape intervals. Errors: Prometheus cannot be reached.
func Check(ctx context.Context, base string, interval time.Duration) ([]Answer, error) {
	client, err := api.NewClient(api.Config{Address: base})
	if err != nil {
		return nil, err
	}
	at := v1.NewAPI(client)
	var answers []Answer
	for _, r := range rows() {
		for _, g := range r.graphs {
			for _, q := range g.queries {
				text := strings.ReplaceAll(q.expr, "$__rate_interval", model.Duration(interval).String())
				answer := Answer{Panel: r.title + ": " + g.title, Query: text, Rare: q.rare}
				if answer.Series, err = countSeries(ctx, at, text); err != nil {
					if _, ok := err.(*v1.Error); !ok { // Prometheus itself does not respond
						return nil, err
					}
					answer.Error = err.Error()
				}
				answers = append(answers, answer)
			}
		}
	}
	return answers, nil
}

// countSeries returns the number of series that a query returns.
func countSeries(ctx context.Context, at v1.API, query string) (int, error) {
	value, _, _, err := at.Query(ctx, query, time.Now())
	if err != nil {
		return 0, err
	}
	series, ok := value.(model.Vector)
	if !ok {
		return 0, fmt.Errorf("query %q returned a %s, not a vector", query, value.Type())
	}
	return len(series), nil
}
