// Package scrape serves metrics over HTTP in Prometheus's format.
package scrape

import (
	"net/http"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// maxScrapes is how many requests are answered concurrently: each holds all metrics until its client has read them.
// Further requests are answered with 503.
const maxScrapes = 8

// Handler serves the metrics of the collectors, of Go and of the process. Nothing is created before the first request.
func Handler(g ...prometheus.Collector) http.Handler {
	handler := sync.OnceValue(func() http.Handler {
		own := prometheus.NewRegistry()
		own.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
		own.MustRegister(g...)
		// Two access keys that are not valid UTF-8 may have the same label: then only the metrics of the first one are
		// shown.
		return promhttp.HandlerFor(own, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError,
			MaxRequestsInFlight: maxScrapes})
	})
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { handler().ServeHTTP(w, req) })
}
