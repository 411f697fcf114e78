package emulator

import (
	"strconv"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/telemetry"
)

// cosmosMetrics are the metrics of Cosmos DB at /metrics, under Azure Monitor's metric names.
type cosmosMetrics struct {
	requests *prometheus.CounterVec
	units    *prometheus.CounterVec
	latency  *prometheus.HistogramVec
	service  *cosmos.Service

	mu    sync.RWMutex
	known map[cosmosSeriesKey]*cosmosSeries

	sweepAt int // size of known that triggers a sweep
}

// cosmosSeriesKey identifies a series: the labels of the requests that are counted together.
type cosmosSeriesKey struct {
	database, container, operation string
	status                         int
}

// cosmosSeries are the metrics of a request. They are cached, because looking them up by label is slow.
type cosmosSeries struct {
	requests, units prometheus.Counter
	latency         prometheus.Observer
}

// cosmosLatencies are the histogram's bucket bounds in seconds.
var cosmosLatencies = []float64{.00005, .0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5}

func newCosmosMetrics() *cosmosMetrics {
	names := []string{"database", "container", "operation"}
	return &cosmosMetrics{
		known:   map[cosmosSeriesKey]*cosmosSeries{},
		sweepAt: firstSweep,
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "azure_cosmosdb_total_requests",
			Help: "Cosmos DB's TotalRequests."}, append(names[:3:3], "status_code")),
		units: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "azure_cosmosdb_total_request_units",
			Help: "Cosmos DB's TotalRequestUnits."}, names),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "azure_cosmosdb_server_side_latency_seconds",
			Help: "Cosmos DB's ServerSideLatency.", Buckets: cosmosLatencies}, []string{"operation"}),
	}
}

// observe records an answered request. A request without a known operation is not counted.
func (m *cosmosMetrics) observe(e *telemetry.Event) {
	if e.Operation == "" {
		return
	}
	s := m.series(cosmosSeriesKey{e.Database, e.Container, e.Operation, e.Status})
	s.requests.Inc()
	s.units.Add(e.Charge)
	s.latency.Observe(e.Took.Seconds())
}

func (m *cosmosMetrics) series(key cosmosSeriesKey) *cosmosSeries {
	m.mu.RLock()
	s := m.known[key]
	m.mu.RUnlock()
	if s != nil {
		return s
	}
	s = &cosmosSeries{
		requests: m.requests.WithLabelValues(key.database, key.container, key.operation, strconv.Itoa(key.status)),
		units:    m.units.WithLabelValues(key.database, key.container, key.operation),
		latency:  m.latency.WithLabelValues(key.operation),
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.known) >= m.sweepAt {
		m.sweep()
	}
	m.known[key] = s
	return s
}

// firstSweep is the number of series at which sweep first runs, even if nobody reads the metrics.
const firstSweep = 1000

// sweep deletes the series of deleted databases and containers. m.mu must be held.
func (m *cosmosMetrics) sweep() {
	for key := range m.known {
		if key.database != "" && !m.service.Exists(key.database, key.container) {
			delete(m.known, key)
			gone := prometheus.Labels{"database": key.database, "container": key.container}
			m.requests.DeletePartialMatch(gone)
			m.units.DeletePartialMatch(gone)
		}
	}
	m.sweepAt = max(firstSweep, 2*len(m.known))
}

// Describe implements prometheus.Collector. It sends nothing, because containers are created and deleted.
func (m *cosmosMetrics) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (m *cosmosMetrics) Collect(out chan<- prometheus.Metric) {
	m.mu.Lock()
	m.sweep()
	m.mu.Unlock()
	m.requests.Collect(out)
	m.units.Collect(out)
	m.latency.Collect(out)
	for _, t := range m.service.Throughputs() {
		for _, g := range []struct {
			name, help string
			value      float64
		}{
			{"provisioned_throughput", "ProvisionedThroughput, of autoscale AutoscaleMaxThroughput", t.Provisioned},
			{"autoscaled_ru", "AutoscaledRU", t.Autoscaled},
			{"normalized_ru_consumption", "NormalizedRUConsumption, of the last minute, 1 being all", t.Normalized},
			{"document_count", "DocumentCount", float64(t.Items)},
			{"data_usage_bytes", "DataUsage", float64(t.Bytes)},
			{"physical_partition_count", "PhysicalPartitionCount", float64(t.Partitions)},
		} {
			desc := prometheus.NewDesc("azure_cosmosdb_"+g.name, "Cosmos DB's "+g.help+".", []string{"database", "container"},
				nil)
			out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, g.value, t.Database, t.Container)
		}
	}
}
