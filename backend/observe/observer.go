package observe

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	exporter "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

const (
	scope        = "github.com/tabletop-db/tabletop/backend/observe"
	service      = "tabletop-backend" // unless OTEL_SERVICE_NAME sets another
	closeTimeout = 3 * time.Second    // to send what has not been sent yet
	maxScrapes   = 8                  // concurrently: each holds all metrics until its client has read them
)

// Config says where traces and metrics are sent.
type Config struct {
	// Endpoint is the base URL of a collector for OTLP over HTTP, such as http://127.0.0.1:4318. When it is empty,
	// nothing is sent and nothing is traced. Headers, timeouts, sampling, service name and attributes come from
	// OpenTelemetry's environment variables (OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER, OTEL_SERVICE_NAME,
	// OTEL_RESOURCE_ATTRIBUTES …).
	Endpoint string
	Version  string       // of the program, for service.version; omitted when empty
	Logger   *slog.Logger // logs when the collector starts and stops failing; discards when nil
}

// Observer measures and traces one backend. It is safe for concurrent use.
type Observer struct {
	tracerProvider trace.TracerProvider
	meterProvider  metric.MeterProvider // an interface: importing packages do not compile the SDK's generic types again
	tracer         trace.Tracer
	operations     metric.Float64Histogram // database operations
	rounds         metric.Float64Histogram // rounds of workers
	metricsHandler http.Handler
	shutdown       []func(context.Context) error
}

// New starts measuring, and sending if cfg has an endpoint. The caller must call Close. Errors: an endpoint that is not
// a valid address. An unreachable collector is not an error, because it may start later.
func New(ctx context.Context, cfg Config) (*Observer, error) {
	res, err := newResource(ctx, cfg.Version)
	if err != nil {
		return nil, err
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	promReader, err := exporter.New(exporter.WithRegisterer(registry), exporter.WithoutScopeInfo())
	if err != nil {
		return nil, err
	}
	o := &Observer{
		tracerProvider: noop.NewTracerProvider(),
		metricsHandler: promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: maxScrapes}),
	}
	options := []sdkmetric.Option{sdkmetric.WithResource(res), sdkmetric.WithReader(promReader),
		sdkmetric.WithView(boundedView)}
	if cfg.Endpoint != "" {
		reader, err := o.startExport(ctx, cfg, res)
		if err != nil {
			return nil, err
		}
		options = append(options, sdkmetric.WithReader(reader))
	}
	meters := sdkmetric.NewMeterProvider(options...)
	o.meterProvider, o.shutdown = meters, append(o.shutdown, meters.Shutdown)
	o.tracer = o.tracerProvider.Tracer(scope)
	return o, o.createInstruments()
}

// newResource returns the resource of the service: its name, its version and the attributes that the environment sets.
func newResource(ctx context.Context, version string) (*resource.Resource, error) {
	own := []attribute.KeyValue{semconv.ServiceName(service)}
	if version != "" {
		own = append(own, semconv.ServiceVersion(version))
	}
	res, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithAttributes(own...), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w: use key=value,key=value", err)
	}
	return res, nil
}

// startExport starts sending traces and metrics to the endpoint. It returns the reader that sends the metrics every
// minute unless the environment sets another interval.
func (o *Observer) startExport(ctx context.Context, cfg Config, res *resource.Resource) (sdkmetric.Reader, error) {
	endpoint, err := url.Parse(cfg.Endpoint)
	if err != nil || endpoint.Host == "" || endpoint.Scheme != "http" && endpoint.Scheme != "https" {
		return nil, fmt.Errorf("%q is not a URL: use one such as http://127.0.0.1:4318", cfg.Endpoint)
	}
	base := strings.TrimSuffix(cfg.Endpoint, "/")
	spans, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(base+"/v1/traces"))
	if err != nil {
		return nil, err
	}
	metrics, err := otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(base+"/v1/metrics"))
	if err != nil {
		return nil, err
	}
	status := &exportStatus{log: cfg.Logger, endpoint: cfg.Endpoint}
	if status.log == nil {
		status.log = slog.New(slog.DiscardHandler)
	}
	otel.SetErrorHandler(status) // the library reports nowhere else; of several observers, the last one's logger is used
	tracing := sdktrace.NewTracerProvider(sdktrace.WithResource(res),
		sdktrace.WithBatcher(reportingExporter{spans, status}))
	o.tracerProvider, o.shutdown = tracing, append(o.shutdown, tracing.Shutdown)
	return sdkmetric.NewPeriodicReader(metrics), nil
}

// boundedView drops the attributes of request metrics that a client controls, such as the host it addresses.
var boundedView = sdkmetric.NewView(sdkmetric.Instrument{Name: "http.server.*"}, sdkmetric.Stream{
	AttributeFilter: attribute.NewAllowKeysFilter(semconv.HTTPRequestMethodKey, semconv.HTTPRouteKey,
		semconv.HTTPResponseStatusCodeKey, semconv.ErrorTypeKey),
})

// durationBuckets are the bucket bounds of the histograms: those of the conventions for databases, and finer ones at
// the low end for a local database.
var durationBuckets = metric.WithExplicitBucketBoundaries(.0001, .00025, .0005, .001, .0025, .005, .01,
	.025, .05, .1, .25,
	.5, 1, 2.5, 5, 10)

func (o *Observer) createInstruments() (err error) {
	meter := o.meterProvider.Meter(scope)
	if o.operations, err = meter.Float64Histogram("db.client.operation.duration", metric.WithUnit("s"), durationBuckets,
		metric.WithDescription("Duration of database operations, including retries.")); err != nil {
		return err
	}
	o.rounds, err = meter.Float64Histogram("tabletop.work.round.duration", metric.WithUnit("s"), durationBuckets,
		metric.WithDescription("Duration of the rounds of background workers."))
	return err
}

// Metrics returns the handler that Prometheus scrapes; it includes the metrics of Go and of the process. At most 8
// requests are served at a time; the others get 503.
func (o *Observer) Metrics() http.Handler { return o.metricsHandler }

// Close stops measuring and sends what has not been sent yet, until ctx ends and for at most three seconds. Errors: the
// collector did not accept everything.
func (o *Observer) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, closeTimeout)
	defer cancel()
	var errs []error
	for _, shutdown := range o.shutdown {
		errs = append(errs, shutdown(ctx))
	}
	return errors.Join(errs...)
}

// propagator reads and writes the traceparent header (W3C Trace Context).
func propagator() propagation.TextMapPropagator { return propagation.TraceContext{} }

// exportStatus logs once when a collector stops accepting telemetry, and once when it accepts it again.
type exportStatus struct {
	log      *slog.Logger
	endpoint string
	failing  atomic.Bool
}

// Handle implements otel.ErrorHandler.
func (d *exportStatus) Handle(err error) {
	if !d.failing.Swap(true) {
		d.log.Warn("traces and metrics dropped: the collector does not accept them; sending continues", "endpoint",
			d.endpoint, "error", err)
	}
}

// succeeded records that the collector accepted telemetry.
func (d *exportStatus) succeeded() {
	if d.failing.Swap(false) {
		d.log.Info("the collector accepts traces and metrics again", "endpoint", d.endpoint)
	}
}

// reportingExporter reports the result of each export to its status.
type reportingExporter struct {
	sdktrace.SpanExporter
	status *exportStatus
}

// ExportSpans implements sdktrace.SpanExporter.
func (w reportingExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	err := w.SpanExporter.ExportSpans(ctx, spans)
	if err == nil {
		w.status.succeeded()
	}
	return err
}
