package emulator

import (
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/metrics"
)

// dynamoMetrics are the emulator's own metrics, which CloudWatch and Prometheus show.
type dynamoMetrics struct {
	registry *metrics.Registry
	recorder *metrics.Recorder
	settings *metrics.Settings
}

func newDynamoMetrics(c *clock.Clock) *dynamoMetrics {
	registry := metrics.New(c)
	return &dynamoMetrics{registry: registry, recorder: metrics.NewRecorder(registry)}
}

// observe records an answered request. begin must have been called.
func (m *dynamoMetrics) observe(e *telemetry.Event) {
	m.recorder.Observe(e)
	m.settings.Observe(e)
}

// begin starts to measure the settings of a service's tables.
func (m *dynamoMetrics) begin(s *dynamo.Service) {
	m.settings = metrics.NewSettings(m.registry, s)
	m.settings.Refresh()
}

// refresh reads the settings of all tables again. It does nothing before begin.
func (m *dynamoMetrics) refresh() {
	if m.settings != nil {
		m.settings.Refresh()
	}
}
