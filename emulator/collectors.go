package emulator

import "github.com/prometheus/client_golang/prometheus"

// Collectors returns the metrics of tables and containers, for a Prometheus registry of yours. The web console's port
// serves them too, at /metrics.
func (e *Emulator) Collectors() []prometheus.Collector {
	return []prometheus.Collector{e.metrics.registry.Collector(), e.cosmos.metrics}
}
