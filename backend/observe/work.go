package observe

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// Round measures and traces a round of a worker, such as "notifications every second". Each round starts a trace of its
// own that contains its requests to databases and push services.
func (o *Observer) Round(ctx context.Context, work string, round func(context.Context) (more bool, err error)) (bool,
	error) {
	start := time.Now()
	ctx, span := o.tracer.Start(ctx, work, trace.WithNewRoot(), trace.WithSpanKind(trace.SpanKindConsumer))
	defer span.End()
	more, err := round(ctx)
	labels := []attribute.KeyValue{attribute.String("tabletop.work", work)}
	if err != nil {
		labels = append(labels, semconv.ErrorTypeKey.String(errorType(err)))
		span.SetStatus(codes.Error, "")
	}
	o.rounds.Record(ctx, time.Since(start).Seconds(), metric.WithAttributes(labels...))
	return more, err
}
