package observe_test

import (
	"compress/gzip"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	metrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	traces "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// collector receives OTLP over HTTP.
type collector struct {
	server *httptest.Server
	mu     sync.Mutex
	spans  []*trace.Span
	counts map[string]uint64 // observations by histogram name
}

func newCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{counts: map[string]uint64{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/traces", func(w http.ResponseWriter, r *http.Request) {
		var sent traces.ExportTraceServiceRequest
		c.read(t, r, &sent)
		for _, of := range sent.ResourceSpans {
			for _, within := range of.ScopeSpans {
				c.spans = append(c.spans, within.Spans...)
			}
		}
		c.mu.Unlock()
	})
	mux.HandleFunc("POST /v1/metrics", func(w http.ResponseWriter, r *http.Request) {
		var sent metrics.ExportMetricsServiceRequest
		c.read(t, r, &sent)
		for _, of := range sent.ResourceMetrics {
			for _, within := range of.ScopeMetrics {
				for _, m := range within.Metrics {
					for _, point := range m.GetHistogram().GetDataPoints() {
						c.counts[m.Name] += point.Count
					}
				}
			}
		}
		c.mu.Unlock()
	})
	c.server = httptest.NewServer(mux)
	t.Cleanup(c.server.Close)
	return c
}

// read decodes a request and returns with c.mu held.
func (c *collector) read(t *testing.T, r *http.Request, into proto.Message) {
	body := r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		unpacked, err := gzip.NewReader(body)
		if err != nil {
			t.Error(err)
		}
		body = unpacked
	}
	text, err := io.ReadAll(body)
	if err == nil {
		err = proto.Unmarshal(text, into)
	}
	if err != nil {
		t.Error(err)
	}
	c.mu.Lock()
}

func (c *collector) count(histogram string) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts[histogram]
}

// trace describes each span of a trace: its kind, its name, the attributes that matter, and its parent.
func (c *collector) trace(id string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	names := map[string]string{}
	for _, s := range c.spans {
		names[string(s.SpanId)] = s.Name
	}
	var lines []string
	for _, s := range c.spans {
		if hex.EncodeToString(s.TraceId) != id {
			continue
		}
		below, ok := names[string(s.ParentSpanId)]
		if !ok {
			below = "the caller"
		}
		line := []string{strings.ToLower(strings.TrimPrefix(s.Kind.String(), "SPAN_KIND_")), s.Name}
		for _, key := range []string{"http.route", "http.response.status_code", "db.system.name", "db.operation.name",
			"db.collection.name"} {
			if i := slices.IndexFunc(s.Attributes, func(a *common.KeyValue) bool { return a.Key == key }); i >= 0 {
				line = append(line, key+"="+text(s.Attributes[i].Value))
			}
		}
		lines = append(lines, strings.Join(append(line, "<", below), " "))
	}
	return lines
}

func text(value *common.AnyValue) string {
	if number, ok := value.Value.(*common.AnyValue_IntValue); ok {
		return strconv.FormatInt(number.IntValue, 10)
	}
	return value.GetStringValue()
}
