// Package scrape serves metrics over HTTP as Prometheus reads them.
package scrape

import (
	"net/http"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// maxScrapes is how many requests are answered at a time: each holds all metrics until its client has taken them. More
// are answered 503.
const maxScrapes = 8

// Handler serves the metrics of the collectors, and those of Go and of the process. Nothing is made before the first
// request.
func Handler(of ...prometheus.Collector) http.Handler {
	handler := sync.OnceValue(func() http.Handler {
		own := prometheus.NewRegistry()
		own.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
		own.MustRegister(of...)
		// Two access keys that are no text may come to the same label: the first one's metrics are shown then, and all
		// others.
		return promhttp.HandlerFor(own, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: maxScrapes})
	})
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { handler().ServeHTTP(w, req) })
}
