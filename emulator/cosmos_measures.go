package emulator

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos"
)

// cosmosMeasures are the metrics of Cosmos DB at /metrics, under the names that Azure Monitor has for them.
type cosmosMeasures struct {
	requests *prometheus.CounterVec
	units    *prometheus.CounterVec
	latency  *prometheus.HistogramVec
	service  *cosmos.Service
}

// cosmosLatencies are the bounds in seconds of what the histogram counts.
var cosmosLatencies = []float64{.00005, .0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5}

func newCosmosMeasures() *cosmosMeasures {
	names := []string{"database", "container", "operation"}
	return &cosmosMeasures{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "azure_cosmosdb_total_requests", Help: "Cosmos DB's TotalRequests."}, append(names[:3:3], "status_code")),
		units:    prometheus.NewCounterVec(prometheus.CounterOpts{Name: "azure_cosmosdb_total_request_units", Help: "Cosmos DB's TotalRequestUnits."}, names),
		latency:  prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "azure_cosmosdb_server_side_latency_seconds", Help: "Cosmos DB's ServerSideLatency.", Buckets: cosmosLatencies}, []string{"operation"}),
	}
}

// observe takes in an answered request. One that named no operation there is belongs to nobody.
func (m *cosmosMeasures) observe(e *cosmos.Event) {
	if e.Operation == "" {
		return
	}
	m.requests.WithLabelValues(e.Database, e.Container, e.Operation, strconv.Itoa(e.Status)).Inc()
	m.units.WithLabelValues(e.Database, e.Container, e.Operation).Add(e.Charge)
	m.latency.WithLabelValues(e.Operation).Observe(e.Took.Seconds())
}

// Describe implements prometheus.Collector. It describes nothing beforehand, for containers come and go.
func (m *cosmosMeasures) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (m *cosmosMeasures) Collect(out chan<- prometheus.Metric) {
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
			desc := prometheus.NewDesc("azure_cosmosdb_"+g.name, "Cosmos DB's "+g.help+".", []string{"database", "container"}, nil)
			out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, g.value, t.Database, t.Container)
		}
	}
}
