// Package otlp sends the metrics of Prometheus collectors to an OpenTelemetry collector, by OTLP over HTTP. It encodes
// the requests itself, because OpenTelemetry's SDK would add several MiB to a program that has Prometheus's library.
package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// closeTimeout is how long Close waits for the collector.
const closeTimeout = 3 * time.Second

// Exporter sends metrics at intervals. Each request has the current value of every metric, so that the next one makes
// up for one that fails.
type Exporter struct {
	config   Config
	registry *prometheus.Registry
	started  time.Time // the counters count since then
	failing  bool      // the last request failed
	stop     func()
	done     chan struct{}
	close    sync.Once
}

// Start sends the metrics of the collectors until Close. An unreachable collector is not an error, because it may start
// later: the log reports the beginning and the end of failures. Errors: two collectors with the same metric.
func Start(config Config, collectors ...prometheus.Collector) (*Exporter, error) {
	ctx, stop := context.WithCancel(context.Background())
	e := &Exporter{config: config, registry: prometheus.NewRegistry(), started: time.Now(), stop: stop,
		done: make(chan struct{})}
	for _, c := range collectors {
		if err := e.registry.Register(c); err != nil {
			stop()
			return nil, err
		}
	}
	go e.run(ctx)
	return e, nil
}

// Close sends the metrics a last time, for at most three seconds, and ends the exporter.
func (e *Exporter) Close() {
	e.close.Do(func() {
		e.stop()
		<-e.done
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		e.send(ctx)
	})
}

func (e *Exporter) run(ctx context.Context) {
	defer close(e.done)
	ticker := time.NewTicker(e.config.Interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			e.send(ctx)
		}
	}
}

// send sends the metrics once, and logs when requests begin or cease to fail.
func (e *Exporter) send(ctx context.Context) {
	err := e.post(ctx)
	if ctx.Err() == context.Canceled {
		return // Close sends them
	}
	switch {
	case err != nil && !e.failing:
		e.config.Logger.Warn("failed to send metrics", "endpoint", e.config.URL, "error", err)
	case err == nil && e.failing:
		e.config.Logger.Info("metrics are sent again", "endpoint", e.config.URL)
	}
	e.failing = err != nil
}

func (e *Exporter) post(ctx context.Context) error {
	families, err := e.registry.Gather()
	if len(families) == 0 {
		return err // what could be gathered is sent
	}
	body := request{e.config, e.started, time.Now()}.encode(families)
	ctx, cancel := context.WithTimeout(ctx, e.config.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.config.URL, bytes.NewReader(compressed(body)))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-protobuf")
	req.Header.Set("Content-Encoding", "gzip")
	for name, value := range e.config.Headers {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<16)) // so that the connection is used again
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("the collector responds with %s", res.Status)
	}
	return nil
}

func compressed(body []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(body)
	_ = w.Close()
	return b.Bytes()
}
