package observe

import (
	"net/http"
	"strings"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// Around measures and traces the requests that next answers, by the patterns of the mux that is within it. A request
// that has a header traceparent belongs to its trace.
func (o *Observer) Around(next http.Handler) http.Handler {
	routed := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r)
		if _, route, ok := strings.Cut(r.Pattern, " "); ok { // known to the mux alone, when the span has begun
			trace.SpanFromContext(r.Context()).SetAttributes(semconv.HTTPRoute(route))
		}
	})
	return otelhttp.NewHandler(routed, "", o.options(otelhttp.WithFilter(ofUsers))...)
}

// ofUsers leaves out what those ask who watch the backend: a trace of each scrape says nothing.
func ofUsers(r *http.Request) bool { return r.URL.Path != "/metrics" && r.URL.Path != "/healthz" }

// Transport measures and traces the requests that base sends, those of pushes; http.DefaultTransport when nil.
func (o *Observer) Transport(base http.RoundTripper) http.RoundTripper {
	return otelhttp.NewTransport(base, o.options()...)
}

func (o *Observer) options(more ...otelhttp.Option) []otelhttp.Option {
	return append(more, otelhttp.WithTracerProvider(o.tracers), otelhttp.WithMeterProvider(o.meters), otelhttp.WithPropagators(propagator()))
}
