package observe

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
)

// operation is a database operation.
type operation struct {
	system, name, collection string
	start                    time.Time
}

// labels returns the labels of the operation's metric, which are also the first attributes of its span. An unknown
// collection is left out.
func (p operation) labels() []attribute.KeyValue {
	all := []attribute.KeyValue{semconv.DBSystemNameKey.String(p.system), semconv.DBOperationName(p.name)}
	if p.collection != "" {
		all = append(all, semconv.DBCollectionName(p.collection))
	}
	return all
}

// measure records an operation that has ended; failure is its error type, empty on success.
func (o *Observer) measure(ctx context.Context, p operation, failure string) {
	labels := p.labels()
	if failure != "" {
		labels = append(labels, semconv.ErrorTypeKey.String(failure))
	}
	o.operations.Record(ctx, time.Since(p.start).Seconds(), metric.WithAttributeSet(attribute.NewSet(labels...)))
}
