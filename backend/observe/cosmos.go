package observe

import (
	"context"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/tracing"
	"github.com/Azure/azure-sdk-for-go/sdk/tracing/azotel"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
)

// Cosmos returns the TracingProvider for the options of a Cosmos DB client. The SDK creates a span for each operation,
// with its container and its request charge, and a child span for each attempt. The provider also measures operations.
func (o *Observer) Cosmos() tracing.Provider {
	spans := azotel.NewTracingProvider(o.tracerProvider, nil)
	return tracing.NewProvider(func(name, version string) tracing.Tracer {
		tracer := spans.NewTracer(name, version)
		start := func(ctx context.Context, name string, options *tracing.SpanOptions) (context.Context, tracing.Span) {
			ctx, span := tracer.Start(ctx, name, options)
			return ctx, o.measuredSpan(ctx, span, options)
		}
		return tracing.NewTracer(start, &tracing.TracerOptions{SpanFromContext: tracer.SpanFromContext})
	}, nil)
}

// measuredSpan returns a span of the SDK that measures its operation when it ends; spans below an operation's are
// returned unchanged.
func (o *Observer) measuredSpan(ctx context.Context, span tracing.Span, options *tracing.SpanOptions) tracing.Span {
	p := operation{system: semconv.DBSystemNameAzureCosmosDB.Value.AsString(), start: time.Now()}
	if options != nil {
		p.name, p.collection = value(options.Attributes, string(semconv.DBOperationNameKey)), value(options.Attributes,
			string(semconv.DBCollectionNameKey))
	}
	if p.name == "" {
		return span
	}
	failure := ""
	return tracing.NewSpan(tracing.SpanImpl{
		End: func() {
			span.End()
			o.measure(ctx, p, failure)
		},
		SetAttributes: func(all ...tracing.Attribute) {
			if kind := value(all, string(semconv.ErrorTypeKey)); kind != "" {
				failure = kind
			}
			span.SetAttributes(all...)
		},
		AddEvent: span.AddEvent,
		SetStatus: func(status tracing.SpanStatus, text string) {
			if status == tracing.SpanStatusError && failure == "" {
				failure = "error"
			}
			span.SetStatus(status, text)
		},
	})
}

func value(all []tracing.Attribute, key string) string {
	for _, a := range all {
		if a.Key == key {
			text, _ := a.Value.(string)
			return text
		}
	}
	return ""
}
