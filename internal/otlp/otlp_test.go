package otlp_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	collector "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	"github.com/tabletop-db/tabletop/internal/otlp"
)

// received is a request to a collector.
type received struct {
	path, header string
	body         *collector.ExportMetricsServiceRequest
}

// receiver is a collector for OTLP over HTTP. It responds with the next status of statuses, or 200.
func receiver(t *testing.T, statuses chan int) (url string, requests chan received) {
	requests = make(chan received, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		unpacked, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		text, err := io.ReadAll(unpacked)
		var body collector.ExportMetricsServiceRequest
		if err == nil {
			err = proto.UnmarshalOptions{DiscardUnknown: false}.Unmarshal(text, &body)
		}
		if err != nil || r.Header.Get("Content-Type") != "application/x-protobuf" || unknown(&body) {
			t.Errorf("%v, %s, %s", err, r.Header.Get("Content-Type"), prototext.Format(&body))
		}
		select {
		case status := <-statuses:
			w.WriteHeader(status)
		default:
		}
		requests <- received{r.URL.Path, r.Header.Get("Api-Key"), &body}
	}))
	t.Cleanup(server.Close)
	return server.URL, requests
}

var unknownField = regexp.MustCompile(`(?m)^\s*[0-9]+:`)

// unknown reports whether the points of a request have fields that the protocol does not have.
func unknown(body *collector.ExportMetricsServiceRequest) bool {
	return unknownField.MatchString(prototext.MarshalOptions{EmitUnknown: true, Multiline: true}.Format(body))
}

func config(t *testing.T, d otlp.Defaults) otlp.Config {
	t.Helper()
	c, err := otlp.FromEnvironment(d)
	if err != nil || c == nil {
		t.Fatal(c, err)
	}
	return *c
}

// collectors are one metric of each kind.
func collectors() []prometheus.Collector {
	counter := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "requests_total", Help: "Requests."},
		[]string{"table"})
	counter.WithLabelValues("orders").Add(3)
	gauge := prometheus.NewGauge(prometheus.GaugeOpts{Name: "items"})
	gauge.Set(-1.5)
	histogram := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "latency_seconds", Buckets: []float64{1, 2}})
	summary := prometheus.NewSummary(prometheus.SummaryOpts{Name: "size_bytes",
		Objectives: map[float64]float64{0.5: 0.01}})
	for _, n := range []float64{0.5, 1, 1.5, 9, 9} {
		histogram.Observe(n)
		summary.Observe(n)
	}
	return []prometheus.Collector{counter, gauge, histogram, summary}
}

// TestMetricsAreSent decodes what a collector receives: each kind of metric, with its labels, and the resource.
func TestMetricsAreSent(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "api-key=se%20cret")
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "service.version=2,team=a")
	url, requests := receiver(t, nil)
	before := time.Now()
	c := config(t, otlp.Defaults{Endpoint: url + "/", Service: "tabletop", Version: "1", Interval: time.Hour})
	e, err := otlp.Start(c, collectors()...)
	if err != nil {
		t.Fatal(err)
	}
	e.Close()
	e.Close()
	got := <-requests
	if got.path != "/v1/metrics" || got.header != "se cret" || len(requests) > 0 {
		t.Errorf("%s, %q, %d more requests", got.path, got.header, len(requests))
	}
	resource := got.body.ResourceMetrics[0]
	var attributes []string
	for _, a := range resource.Resource.Attributes {
		attributes = append(attributes, a.Key+"="+a.Value.GetStringValue())
	}
	if text := strings.Join(attributes, " "); text != "service.name=tabletop service.version=2 team=a" {
		t.Error(text)
	}
	named := map[string]*metrics.Metric{}
	for _, m := range resource.ScopeMetrics[0].Metrics {
		named[m.Name] = m
	}
	sum := named["requests_total"].GetSum()
	point := sum.GetDataPoints()[0]
	const cumulative = metrics.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE
	if !sum.IsMonotonic || sum.AggregationTemporality != cumulative || point.GetAsDouble() != 3 ||
		point.Attributes[0].Key != "table" || point.Attributes[0].Value.GetStringValue() != "orders" ||
		named["requests_total"].Description != "Requests." {
		t.Error(named["requests_total"])
	}
	at := time.Unix(0, int64(point.StartTimeUnixNano))
	if at.Before(before) || point.TimeUnixNano < point.StartTimeUnixNano {
		t.Errorf("from %v for %d ns", at, point.TimeUnixNano-point.StartTimeUnixNano)
	}
	if n := named["items"].GetGauge().GetDataPoints()[0].GetAsDouble(); n != -1.5 {
		t.Error(n)
	}
	h := named["latency_seconds"].GetHistogram().GetDataPoints()[0]
	if h.Count != 5 || h.GetSum() != 21 || len(h.ExplicitBounds) != 2 || h.ExplicitBounds[1] != 2 ||
		len(h.BucketCounts) != 3 || h.BucketCounts[0] != 2 || h.BucketCounts[1] != 1 || h.BucketCounts[2] != 2 {
		t.Error(h)
	}
	s := named["size_bytes"].GetSummary().GetDataPoints()[0]
	if s.Count != 5 || s.Sum != 21 || s.QuantileValues[0].Quantile != 0.5 || s.QuantileValues[0].Value != 1.5 {
		t.Error(s)
	}
}

// TestCollectorThatFails checks that metrics are sent at intervals, and what is logged when the collector does not
// accept them for a while.
func TestCollectorThatFails(t *testing.T) {
	t.Parallel()
	statuses := make(chan int, 2)
	statuses <- http.StatusServiceUnavailable
	statuses <- http.StatusTooManyRequests
	url, requests := receiver(t, statuses)
	var log bytes.Buffer
	c := config(t, otlp.Defaults{Endpoint: url, Interval: time.Millisecond,
		Logger: slog.New(slog.NewTextHandler(&log, nil))})
	e, err := otlp.Start(c, collectors()...)
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		<-requests
	}
	e.Close()
	text := log.String()
	if strings.Count(text, "failed to send metrics") != 1 || strings.Count(text, "metrics are sent again") != 1 ||
		!strings.Contains(text, "503") {
		t.Error(text)
	}
}

// TestEnvironment reads OpenTelemetry's variables.
func TestEnvironment(t *testing.T) {
	if c, err := otlp.FromEnvironment(otlp.Defaults{Interval: time.Minute}); c != nil || err != nil {
		t.Errorf("without an endpoint: %v, %v", c, err)
	}
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "https://collector.example/otlp/")
	t.Setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "2500")
	t.Setenv("OTEL_METRIC_EXPORT_INTERVAL", "500")
	t.Setenv("OTEL_SERVICE_NAME", "mine")
	c := config(t, otlp.Defaults{Service: "tabletop", Interval: time.Minute})
	if c.URL != "https://collector.example/otlp/v1/metrics" || c.Timeout != 2500*time.Millisecond ||
		c.Interval != 500*time.Millisecond || c.Attributes[0].Value != "mine" {
		t.Errorf("%+v", c)
	}
	t.Setenv("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "http://127.0.0.1:1/own")
	if c := config(t, otlp.Defaults{}); c.URL != "http://127.0.0.1:1/own" {
		t.Error(c.URL)
	}
	for variable, value := range map[string]string{"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "127.0.0.1:4318",
		"OTEL_METRIC_EXPORT_INTERVAL": "10s", "OTEL_EXPORTER_OTLP_HEADERS": "secret", "OTEL_RESOURCE_ATTRIBUTES": "=a"} {
		t.Run(variable, func(t *testing.T) {
			t.Setenv(variable, value)
			if _, err := otlp.FromEnvironment(otlp.Defaults{}); err == nil || !strings.HasPrefix(err.Error(), variable) {
				t.Error(err)
			}
		})
	}
	t.Setenv("OTEL_SDK_DISABLED", "true")
	if c, err := otlp.FromEnvironment(otlp.Defaults{}); c != nil || err != nil {
		t.Errorf("disabled: %v, %v", c, err)
	}
}
