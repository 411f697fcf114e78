package cli

import (
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/otlp"
	"github.com/tabletop-db/tabletop/internal/util/version"
	"github.com/tabletop-db/tabletop/loadtest"
)

// loadMetricsInterval is the time between two requests to the collector: load profiles can be short.
const loadMetricsInterval = 5 * time.Second

// loadMetrics sends the state of load profiles to an OpenTelemetry collector.
type loadMetrics struct {
	exporter *otlp.Exporter // nil: there is no collector
	mu       sync.Mutex
	latest   map[[2]string]loadtest.Progress // by profile and target
}

// startLoadMetrics sends metrics to the endpoint, or to that of the environment, if there is one. The caller must close
// the result.
func startLoadMetrics(endpoint string, log *slog.Logger) (*loadMetrics, error) {
	config, err := otlp.FromEnvironment(otlp.Defaults{Endpoint: endpoint, Service: "tabletop-loadtest",
		Version: version.Current(), Interval: loadMetricsInterval, Logger: log})
	if err != nil {
		return nil, command.Usagef("--otlp-endpoint %v", err)
	}
	m := &loadMetrics{latest: map[[2]string]loadtest.Progress{}}
	if config != nil {
		m.exporter, err = otlp.Start(*config, m)
	}
	return m, err
}

// close sends the final values.
func (m *loadMetrics) close() {
	if m.exporter != nil {
		m.exporter.Close()
	}
}

// observe returns a Progress function that calls another one and notes the state of a profile on a target.
func (m *loadMetrics) observe(target string, next func(loadtest.Progress)) func(loadtest.Progress) {
	if m == nil || m.exporter == nil {
		return next
	}
	return func(p loadtest.Progress) {
		if p.Phase == loadtest.Attacking {
			p.Series = nil
			m.mu.Lock()
			m.latest[[2]string{p.Profile, target}] = p
			m.mu.Unlock()
		}
		next(p)
	}
}

var (
	loadLabels   = []string{"profile", "target"}
	loadRequests = prometheus.NewDesc("tabletop_loadtest_requests_total", "Requests that ended.", loadLabels, nil)
	loadErrors   = prometheus.NewDesc("tabletop_loadtest_errors_total", "Requests that failed.", loadLabels, nil)
	loadThrottle = prometheus.NewDesc("tabletop_loadtest_throttled_total",
		"Attempts of the backend's database clients that were throttled.", loadLabels, nil)
	loadRate    = prometheus.NewDesc("tabletop_loadtest_rate", "Responses per second, recently.", loadLabels, nil)
	loadLatency = prometheus.NewDesc("tabletop_loadtest_latency_seconds", "Latency of all requests so far, by quantile.",
		append(loadLabels[:2:2], "quantile"), nil)
)

// Describe is of prometheus.Collector.
func (m *loadMetrics) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{loadRequests, loadErrors, loadThrottle, loadRate, loadLatency} {
		out <- d
	}
}

// Collect is of prometheus.Collector.
func (m *loadMetrics) Collect(out chan<- prometheus.Metric) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, p := range m.latest {
		labels := key[:]
		count := func(d *prometheus.Desc, n int64) {
			out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), labels...)
		}
		count(loadRequests, p.Requests)
		count(loadErrors, p.Errors)
		count(loadThrottle, p.Throttled)
		out <- prometheus.MustNewConstMetric(loadRate, prometheus.GaugeValue, p.Rate, labels...)
		for quantile, ms := range map[string]float64{"0.5": p.P50, "0.9": p.P90, "0.99": p.P99} {
			out <- prometheus.MustNewConstMetric(loadLatency, prometheus.GaugeValue, ms/1000, append(key[:2:2], quantile)...)
		}
	}
}
