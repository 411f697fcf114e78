package observe_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/observe"
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
)

const caller = "4bf92f3577b34da6a3ce929d0e0e4736" // a trace that a client started

// world is an observed backend of all systems on an emulator of its own, and a collector that receives its telemetry.
type world struct {
	observer  *observe.Observer
	server    *backend.Server
	collector *collector
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db := emulator.Run(t, emulator.WithCosmosAddr(""), emulator.WithCosmosHTTPAddr("127.0.0.1:0"))
	w := &world{collector: newCollector(t)}
	w.observer = observed(t, observe.Config{Endpoint: w.collector.server.URL})
	account, err := cosmosclient.New(db,
		&azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{TracingProvider: w.observer.Cosmos()}})
	if err != nil {
		t.Fatal(err)
	}
	w.server, err = backend.New(backend.Config{
		AWS: db.AWSConfig(), Cosmos: account, AdminToken: "admin", Pepper: "pepper", PIIKeyset: nil,
		Systems: []string{"telemetry", "notification"}, Observer: w.observer,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.server.CreateTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

func observed(t *testing.T, cfg observe.Config) *observe.Observer {
	t.Helper()
	observer, err := observe.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = observer.Close(context.Background()) }) // a test that closes the collector checks the error
	return observer
}

// ask sends the server a request that belongs to the caller's trace.
func (w *world) ask(t *testing.T, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer admin")
	request.Header.Set("traceparent", "00-"+caller+"-00f067aa0ba902b7-01")
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	answer := httptest.NewRecorder()
	w.server.ServeHTTP(answer, request)
	return answer
}

// TestARequestIsOneTrace checks that a request and its database operations join the caller's trace, in both clouds.
func TestARequestIsOneTrace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct{ path, body string }{
		{"/telemetry/api-keys", `{"description":"first"}`},
		{"/notification/events", `{"userId":"u1","eventType":"SECURITY_PASSWORD_CHANGED"}`},
	} {
		if response := w.ask(t, http.MethodPost, c.path, c.body); response.Code >= 300 {
			t.Fatalf("%s: %d %s", c.path, response.Code, response.Body)
		}
	}
	if err := w.observer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	within := w.collector.trace(caller)
	for _, want := range []string{
		"server POST /telemetry/api-keys http.route=/telemetry/api-keys http.response.status_code=201 < the caller",
		"client PutItem api_keys db.system.name=aws.dynamodb db.operation.name=PutItem db.collection.name=api_keys < POST /telemetry/api-keys",
		"server POST /notification/events http.route=/notification/events http.response.status_code=201 < the caller",
		"client create_item notification_events db.operation.name=create_item db.collection.name=notification_events < POST /notification/events",
	} {
		if !slices.Contains(within, want) {
			t.Errorf("no span %q; there are:\n%s", want, strings.Join(within, "\n"))
		}
	}
}

// TestMetricsOfRequestsAndDatabases checks that Prometheus and OTLP get the same counts.
func TestMetricsOfRequestsAndDatabases(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 3 {
		w.ask(t, http.MethodPost, "/telemetry/api-keys", `{"description":"first"}`)
	}
	w.ask(t, http.MethodPost, "/telemetry/api-keys", `{`)
	w.ask(t, http.MethodPost, "/notification/events", `{"userId":"u1","eventType":"SECURITY_PASSWORD_CHANGED"}`)
	if _, err := w.observer.Round(t.Context(), "tests", func(context.Context) (bool, error) {
		return false, errors.New("broken")
	}); err == nil {
		t.Error("a round's error was lost")
	}
	counts := w.scrape(t)
	for series, want := range map[string]uint64{
		`http_server_request_duration_seconds http_request_method=POST http_response_status_code=201 http_route=/telemetry/api-keys`:              3,
		`http_server_request_duration_seconds http_request_method=POST http_response_status_code=400 http_route=/telemetry/api-keys`:              1,
		`db_client_operation_duration_seconds db_collection_name=api_keys db_operation_name=PutItem db_system_name=aws.dynamodb`:                  3,
		`db_client_operation_duration_seconds db_collection_name=notification_events db_operation_name=create_item db_system_name=azure.cosmosdb`: 1,
		`tabletop_work_round_duration_seconds error_type=_OTHER tabletop_work=tests`:                                                              1,
	} {
		if counts[series] != want {
			t.Errorf("%s: %d, want %d", series, counts[series], want)
		}
	}
	if t.Failed() {
		t.Log(counts)
	}
	if err := w.observer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]uint64{"http.server.request.duration": 5, "tabletop.work.round.duration": 1} {
		if sent := w.collector.count(name); sent != want {
			t.Errorf("%s by OTLP: %d, want %d", name, sent, want)
		}
	}
}

// TestClientsCannotCreateSeries checks that clients cannot exhaust memory: made-up hosts, methods and paths create no
// further time series.
func TestClientsCannotCreateSeries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	created := func(from, to int) int {
		for i := from; i < to; i++ {
			w.ask(t, fmt.Sprintf("METHOD%d", i), "/telemetry/api-keys", "")
			w.ask(t, http.MethodGet, fmt.Sprintf("/nothing/%d", i), "")
			w.ask(t, http.MethodGet, "/telemetry/stats", "", "User-Agent", fmt.Sprint("agent", i))
			request := httptest.NewRequest(http.MethodGet, fmt.Sprintf("http://host%d.example.com:%d/telemetry/stats", i, i+1),
				nil)
			w.server.ServeHTTP(httptest.NewRecorder(), request)
		}
		return len(w.scrape(t))
	}
	if few, many := created(0, 2), created(2, 60); few != many {
		t.Errorf("%d series after 2 of each, %d after 60", few, many)
	}
}

// TestRequestsDoNotWaitForCollector checks that requests are answered while the collector accepts nothing, and that
// this is logged once.
func TestRequestsDoNotWaitForCollector(t *testing.T) {
	t.Parallel()
	held := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-held:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(silent.Close)
	t.Cleanup(func() { close(held) })
	var log bytes.Buffer
	observer := observed(t, observe.Config{Endpoint: silent.URL, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	handler := observer.Middleware(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	}))
	for range 5000 { // more than the span queue holds
		response := httptest.NewRecorder()
		handler.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/", nil))
		if response.Code != http.StatusNoContent {
			t.Fatal(response.Code)
		}
	}
	given, stop := context.WithCancel(t.Context())
	stop()
	if err := observer.Close(given); err == nil {
		t.Error("what was not sent is no error")
	}
}

// TestInvalidEndpoints checks that an invalid address is reported before anything is served.
func TestInvalidEndpoints(t *testing.T) {
	t.Parallel()
	for _, endpoint := range []string{"127.0.0.1:4318", "ftp://127.0.0.1", "http://", "\x00"} {
		if _, err := observe.New(t.Context(), observe.Config{Endpoint: endpoint}); err == nil ||
			!strings.Contains(err.Error(), "use one such as") {
			t.Errorf("%q: %v", endpoint, err)
		}
	}
}

// scrape returns the number of observations of each histogram, by name and labels.
func (w *world) scrape(t *testing.T) map[string]uint64 {
	t.Helper()
	answer := w.ask(t, http.MethodGet, "/metrics", "")
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]uint64{}
	for name, family := range families {
		for _, m := range family.Metric {
			labels := []string{name}
			for _, l := range m.Label {
				labels = append(labels, l.GetName()+"="+l.GetValue())
			}
			slices.SortFunc(labels[1:], cmp.Compare[string])
			if m.Histogram != nil {
				counts[strings.Join(labels, " ")] = m.Histogram.GetSampleCount()
			}
		}
	}
	return counts
}

// BenchmarkMiddleware measures the cost that metrics, and traces with an unreachable collector, add to a request.
func BenchmarkMiddleware(b *testing.B) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	for name, endpoint := range map[string]string{"measured": "", "traced": "http://127.0.0.1:1"} {
		b.Run(name, func(b *testing.B) {
			observer, err := observe.New(b.Context(), observe.Config{Endpoint: endpoint})
			if err != nil {
				b.Fatal(err)
			}
			around := observer.Middleware(handler)
			request := httptest.NewRequest(http.MethodGet, "/", nil)
			b.ReportAllocs()
			for b.Loop() {
				around.ServeHTTP(httptest.NewRecorder(), request)
			}
			given, stop := context.WithCancel(b.Context())
			stop()
			_ = observer.Close(given)
		})
	}
}
