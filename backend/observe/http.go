package observe

import (
	"net/http"
	"strings"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// Middleware measures and traces the requests that next handles, by the route patterns of next's mux. A request with a
// traceparent header joins that trace.
func (o *Observer) Middleware(next http.Handler) http.Handler {
	routed := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r)
		if _, route, ok := strings.Cut(r.Pattern, " "); ok { // only the mux knows it, after the span has begun
			trace.SpanFromContext(r.Context()).SetAttributes(semconv.HTTPRoute(route))
		}
	})
	return otelhttp.NewHandler(routed, "", o.options(otelhttp.WithFilter(isUserRequest))...)
}

// isUserRequest excludes the requests of monitoring: traces of scrapes and health checks are noise.
func isUserRequest(r *http.Request) bool { return r.URL.Path != "/metrics" && r.URL.Path != "/healthz" }

// Transport measures and traces the requests sent through base, which are those of pushes; base is
// http.DefaultTransport when nil.
func (o *Observer) Transport(base http.RoundTripper) http.RoundTripper {
	return otelhttp.NewTransport(base, o.options()...)
}

func (o *Observer) options(more ...otelhttp.Option) []otelhttp.Option {
	return append(more, otelhttp.WithTracerProvider(o.tracerProvider), otelhttp.WithMeterProvider(o.meterProvider),
		otelhttp.WithPropagators(propagator()))
}
