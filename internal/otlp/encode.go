package otlp

import (
	"math"
	"time"

	model "github.com/prometheus/client_model/go"
	"google.golang.org/protobuf/encoding/protowire"
)

// request is one ExportMetricsServiceRequest. The numbers of the fields below are those of opentelemetry-proto's
// metrics.proto, common.proto and resource.proto.
type request struct {
	config       Config
	started, now time.Time
}

const (
	scope      = "github.com/tabletop-db/tabletop/internal/otlp"
	cumulative = 2 // AggregationTemporality: values since the start, not since the previous request
)

func (r request) encode(families []*model.MetricFamily) []byte {
	var resource, metrics message
	for _, a := range r.config.Attributes {
		resource.bytes(1, keyValue(a.Name, a.Value))
	}
	var named message
	named.text(1, scope)
	named.text(2, r.config.Version)
	metrics.bytes(1, named)
	for _, f := range families {
		if m := r.metric(f); m != nil {
			metrics.bytes(2, m)
		}
	}
	var all, whole message
	all.bytes(1, resource)
	all.bytes(2, metrics)
	whole.bytes(1, all)
	return whole
}

// metric keeps the names of Prometheus: a collector that serves Prometheus does not add to them what they have.
func (r request) metric(f *model.MetricFamily) message {
	var m, data message
	m.text(1, f.GetName())
	m.text(2, f.GetHelp())
	field := protowire.Number(5) // gauge
	for _, p := range f.GetMetric() {
		switch f.GetType() {
		case model.MetricType_COUNTER:
			field = 7
			data.bytes(1, r.number(p, p.GetCounter().GetValue()))
		case model.MetricType_GAUGE:
			data.bytes(1, r.number(p, p.GetGauge().GetValue()))
		case model.MetricType_UNTYPED:
			data.bytes(1, r.number(p, p.GetUntyped().GetValue()))
		case model.MetricType_HISTOGRAM:
			field = 9
			data.bytes(1, r.histogram(p))
		case model.MetricType_SUMMARY:
			field = 11
			data.bytes(1, r.summary(p))
		default:
			return nil // no collector has another one
		}
	}
	if field == 7 || field == 9 {
		data.varint(2, cumulative)
	}
	if field == 7 {
		data.varint(3, 1) // is_monotonic
	}
	m.bytes(field, data)
	return m
}

// times are the same fields of all points.
func (r request) times(point *message) {
	point.fixed(2, uint64(r.started.UnixNano()))
	point.fixed(3, uint64(r.now.UnixNano()))
}

func (r request) number(p *model.Metric, value float64) (point message) {
	r.times(&point)
	point.double(4, value)
	point.labels(7, p)
	return point
}

// histogram makes the buckets disjoint: Prometheus's count what is at most their bound.
func (r request) histogram(p *model.Metric) (point message) {
	h := p.GetHistogram()
	r.times(&point)
	point.fixed(4, h.GetSampleCount())
	point.double(5, h.GetSampleSum())
	var counts, bounds []byte
	below := uint64(0)
	for _, b := range h.GetBucket() {
		if math.IsInf(b.GetUpperBound(), 1) {
			continue
		}
		counts = protowire.AppendFixed64(counts, b.GetCumulativeCount()-below)
		bounds = protowire.AppendFixed64(bounds, math.Float64bits(b.GetUpperBound()))
		below = b.GetCumulativeCount()
	}
	point.bytes(6, protowire.AppendFixed64(counts, h.GetSampleCount()-below))
	point.bytes(7, bounds)
	point.labels(9, p)
	return point
}

func (r request) summary(p *model.Metric) (point message) {
	s := p.GetSummary()
	r.times(&point)
	point.fixed(4, s.GetSampleCount())
	point.double(5, s.GetSampleSum())
	for _, q := range s.GetQuantile() {
		var value message
		value.double(1, q.GetQuantile())
		value.double(2, q.GetValue())
		point.bytes(6, value)
	}
	point.labels(7, p)
	return point
}

// message is an encoded message, to which fields are appended.
type message []byte

func (m *message) bytes(field protowire.Number, value []byte) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), value)
}

func (m *message) text(field protowire.Number, value string) { m.bytes(field, []byte(value)) }

func (m *message) fixed(field protowire.Number, value uint64) {
	*m = protowire.AppendFixed64(protowire.AppendTag(*m, field, protowire.Fixed64Type), value)
}

func (m *message) double(field protowire.Number, value float64) {
	m.fixed(field, math.Float64bits(value))
}

func (m *message) varint(field protowire.Number, value uint64) {
	*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), value)
}

func (m *message) labels(field protowire.Number, p *model.Metric) {
	for _, l := range p.GetLabel() {
		m.bytes(field, keyValue(l.GetName(), l.GetValue()))
	}
}

// keyValue is an attribute whose value is a string.
func keyValue(name, value string) (pair message) {
	var any message
	any.text(1, value)
	pair.text(1, name)
	pair.bytes(2, any)
	return pair
}
