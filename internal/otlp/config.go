package otlp

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// What OpenTelemetry's specification sets.
const (
	DefaultInterval = time.Minute
	defaultTimeout  = 10 * time.Second
)

// Config says where metrics are sent, and what they are about.
type Config struct {
	URL        string            // of the collector's metrics, such as http://127.0.0.1:4318/v1/metrics
	Headers    map[string]string // of each request
	Interval   time.Duration     // between requests
	Timeout    time.Duration     // of a request
	Attributes []Attribute       // of the resource, such as service.name
	Version    string            // of the program
	Logger     *slog.Logger
}

// Attribute is a name with its value.
type Attribute struct{ Name, Value string }

// Defaults are what the environment does not set.
type Defaults struct {
	Endpoint string        // base URL of the collector, such as http://127.0.0.1:4318; overrides the environment
	Service  string        // service.name
	Version  string        // service.version
	Interval time.Duration // between requests; 0 means DefaultInterval
	Logger   *slog.Logger  // nil: nothing is logged
}

// FromEnvironment completes the defaults with OpenTelemetry's environment variables: OTEL_EXPORTER_OTLP_ENDPOINT and
// _METRICS_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS and _METRICS_HEADERS, OTEL_EXPORTER_OTLP_TIMEOUT and _METRICS_TIMEOUT,
// OTEL_METRIC_EXPORT_INTERVAL, OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES. It returns nil if there is no endpoint,
// or if OTEL_SDK_DISABLED is true. Errors: a variable or an endpoint that is not valid, by name.
func FromEnvironment(d Defaults) (*Config, error) {
	c := Config{Version: d.Version, Logger: d.Logger}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	var err error
	off := strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true")
	if c.URL, err = metricsURL(d.Endpoint); err != nil || c.URL == "" || off {
		return nil, err
	}
	c.Timeout, err = milliseconds(defaultTimeout, "OTEL_EXPORTER_OTLP_METRICS_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT")
	if err != nil {
		return nil, err
	}
	if c.Interval, err = milliseconds(cmp.Or(d.Interval, DefaultInterval), "OTEL_METRIC_EXPORT_INTERVAL"); err != nil {
		return nil, err
	}
	c.Headers = map[string]string{}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_METRICS_HEADERS"} {
		pairs, err := keyValues(name)
		if err != nil {
			return nil, err
		}
		for _, p := range pairs {
			c.Headers[p.Name] = p.Value
		}
	}
	c.Attributes, err = attributes(d)
	return &c, err
}

// metricsURL returns the address of the collector's metrics, or "" without an endpoint.
func metricsURL(endpoint string) (string, error) {
	name, path := "", "/v1/metrics"
	if endpoint == "" {
		if own := os.Getenv("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"); own != "" {
			endpoint, name, path = own, "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: ", "" // this one is the whole address
		} else if endpoint = os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"); endpoint == "" {
			return "", nil
		} else {
			name = "OTEL_EXPORTER_OTLP_ENDPOINT: "
		}
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%s%q is not a URL: use one such as http://127.0.0.1:4318", name, endpoint)
	}
	if path != "" {
		endpoint = strings.TrimSuffix(endpoint, "/") + path
	}
	return endpoint, nil
}

// milliseconds returns the first of these variables that is set.
func milliseconds(fallback time.Duration, names ...string) (time.Duration, error) {
	for _, name := range names {
		text := os.Getenv(name)
		if text == "" {
			continue
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 1 || n > int64(24*time.Hour/time.Millisecond) {
			return 0, fmt.Errorf("%s=%q: use a number of milliseconds, such as 10000", name, text)
		}
		return time.Duration(n) * time.Millisecond, nil
	}
	return fallback, nil
}

// attributes returns the resource's: those of the environment override the defaults, and OTEL_SERVICE_NAME all others.
func attributes(d Defaults) ([]Attribute, error) {
	all := []Attribute{{"service.name", d.Service}}
	if d.Version != "" {
		all = append(all, Attribute{"service.version", d.Version})
	}
	set := func(a Attribute) {
		for i := range all {
			if all[i].Name == a.Name {
				all[i] = a
				return
			}
		}
		all = append(all, a)
	}
	own, err := keyValues("OTEL_RESOURCE_ATTRIBUTES")
	for _, a := range own {
		set(a)
	}
	if name := os.Getenv("OTEL_SERVICE_NAME"); name != "" {
		set(Attribute{"service.name", name})
	}
	return all, err
}

// keyValues reads a variable such as a=1,b=2, whose values are percent-encoded.
func keyValues(variable string) (all []Attribute, err error) {
	for pair := range strings.SplitSeq(os.Getenv(variable), ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); !ok || name == "" || err != nil {
			return nil, fmt.Errorf("%s: use name=value,name=value", variable)
		}
		all = append(all, Attribute{name, value})
	}
	return all, nil
}
