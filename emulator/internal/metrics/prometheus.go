package metrics

import (
	"strings"
	"unicode"

	"github.com/prometheus/client_golang/prometheus"
)

// Collector returns a Prometheus collector of the metrics.
//
// A metric keeps its name, in Prometheus's form: SuccessfulRequestLatency is
// aws_dynamodb_successful_request_latency_seconds, a histogram; a setting such as ProvisionedReadCapacityUnits is a
// gauge, aws_dynamodb_provisioned_read_capacity_units; all others are counters of their sum since the process started,
// such as aws_dynamodb_consumed_read_capacity_units_total. Dimensions are labels: table_name,
// global_secondary_index_name, operation. The label account exists only with isolation. Metrics of a deleted table or
// index are not shown; if one of the same name is created, they continue.
func (r *Registry) Collector() prometheus.Collector { return collector{r} }

// collector exports a registry to Prometheus. It describes nothing in advance, because tables are created and deleted.
type collector struct{ registry *Registry }

// Describe implements prometheus.Collector.
func (collector) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (c collector) Collect(out chan<- prometheus.Metric) {
	c.registry.refreshGauges()
	there := c.registry.tables.Load()
	for _, m := range c.registry.all() {
		if m.id.Namespace != Namespace || !there.has(m.id) {
			continue
		}
		for _, s := range m.series {
			out <- s.prometheus()
		}
		if m.gauge != nil {
			if value, ok := m.gauge.value(); ok {
				out <- prometheus.MustNewConstMetric(m.id.desc(""), prometheus.GaugeValue, value, m.id.labels()...)
			}
		}
	}
}

// all returns a copy of all metrics.
func (r *Registry) all() []metric {
	r.mu.RLock()
	defer r.mu.RUnlock()
	all := make([]metric, 0, len(r.series))
	for _, m := range r.series {
		all = append(all, *m)
	}
	return all
}

func (s *Series) prometheus() prometheus.Metric {
	all := s.lifetime()
	if s.unit != milliseconds {
		return prometheus.MustNewConstMetric(s.id.desc("_total"), prometheus.CounterValue, all.Sum, s.id.labels()...)
	}
	return prometheus.MustNewConstHistogram(s.id.desc("_seconds"), uint64(all.Count), all.Sum/1000, all.cumulative(),
		s.id.labels()...)
}

// latencyBounds are the upper bounds of the latency histogram's buckets, in milliseconds.
var latencyBounds = [...]float64{0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000}

// cumulative counts the observations up to each bound, in seconds.
func (p *Point) cumulative() map[float64]uint64 {
	counts := make(map[float64]uint64, len(latencyBounds))
	for _, bound := range latencyBounds {
		var n uint64
		for _, b := range p.bins {
			if b.value() <= bound {
				n += uint64(b.n)
			}
		}
		counts[bound/1000] = n
	}
	return counts
}

func (id ID) desc(suffix string) *prometheus.Desc {
	names := make([]string, 0, len(id.Dimensions)+1)
	for _, d := range id.Dimensions {
		names = append(names, snake(d.Name))
	}
	if id.Account != "" {
		names = append(names, "account")
	}
	return prometheus.NewDesc("aws_dynamodb_"+snake(id.Name)+suffix, "DynamoDB's "+id.Name+".", names, nil)
}

func (id ID) labels() []string {
	values := make([]string, 0, len(id.Dimensions)+1)
	for _, d := range id.Dimensions {
		values = append(values, strings.ToValidUTF8(d.Value, "\uFFFD"))
	}
	if id.Account != "" {
		values = append(values, strings.ToValidUTF8(id.Account, "\uFFFD"))
	}
	return values
}

// snake returns a CloudWatch name in Prometheus's form: OnDemandMaxReadRequestUnits becomes
// on_demand_max_read_request_units.
func snake(name string) string {
	var b strings.Builder
	for i, c := range name {
		if unicode.IsUpper(c) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
