package cli

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	"google.golang.org/protobuf/proto"

	"github.com/tabletop-db/tabletop/loadtest/result"
)

// TestLoadMetricsAreSent runs a load profile with a collector: the last values that it receives are those of the
// report.
func TestLoadMetricsAreSent(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	latest := map[string]float64{}
	labels := map[string]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body collector.ExportMetricsServiceRequest
		unpacked, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		text, _ := io.ReadAll(unpacked)
		if err := proto.Unmarshal(text, &body); err != nil {
			t.Error(err)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		note := func(name string, value float64, attributes []*common.KeyValue) {
			for _, a := range attributes {
				labels[a.Key] = a.Value.GetStringValue()
				if a.Key == "quantile" {
					name += a.Value.GetStringValue()
				}
			}
			latest[name] = value
		}
		for _, m := range body.ResourceMetrics[0].ScopeMetrics[0].Metrics {
			for _, p := range append(m.GetSum().GetDataPoints(), m.GetGauge().GetDataPoints()...) {
				note(m.Name, p.GetAsDouble(), p.Attributes)
			}
		}
	}))
	defer server.Close()
	dir := t.TempDir()
	got := runCommand(t.Context(), nil, "loadtest", "run", "PE-L2", "--duration", "1s", "--shared-machine",
		"--report", dir, "--otlp-endpoint", server.URL)
	if got.status != 0 {
		t.Fatalf("%+v", got)
	}
	f, err := os.Open(filepath.Join(dir, "loadtest.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	reports, err := result.ReadJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	p99, ok := latest["tabletop_loadtest_latency_seconds0.99"]
	if latest["tabletop_loadtest_requests_total"] != float64(reports[0].Requests) || !ok || p99 <= 0 ||
		latest["tabletop_loadtest_errors_total"] != float64(reports[0].Errors) || latest["tabletop_loadtest_rate"] <= 0 {
		t.Errorf("%v, but the report has %d requests and %d errors", latest, reports[0].Requests, reports[0].Errors)
	}
	if labels["profile"] != "PE-L2" || labels["target"] != reports[0].Target {
		t.Errorf("%v", labels)
	}
	wantRefusal(t, runCommand(t.Context(), nil, "loadtest", "run", "PE-L2", "--otlp-endpoint", "127.0.0.1:4318"),
		`--otlp-endpoint "127.0.0.1:4318" is not a URL: use one such as http://127.0.0.1:4318`)
}
