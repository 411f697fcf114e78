package observe

import (
	"context"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/tracing"
	"github.com/Azure/azure-sdk-for-go/sdk/tracing/azotel"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
)

// Cosmos is the TracingProvider for the options of a Cosmos DB client. The SDK makes a span for each operation, with
// its container and the request units that it cost, and one below it for each try; operations are measured too.
func (o *Observer) Cosmos() tracing.Provider {
	spans := azotel.NewTracingProvider(o.tracers, nil)
	return tracing.NewProvider(func(name, version string) tracing.Tracer {
		within := spans.NewTracer(name, version)
		begin := func(ctx context.Context, name string, options *tracing.SpanOptions) (context.Context, tracing.Span) {
			ctx, span := within.Start(ctx, name, options)
			return ctx, o.measured(ctx, span, options)
		}
		return tracing.NewTracer(begin, &tracing.TracerOptions{SpanFromContext: within.SpanFromContext})
	}, nil)
}

// measured is a span of the SDK whose end counts the operation; one that is below an operation's is left as it is.
func (o *Observer) measured(ctx context.Context, span tracing.Span, options *tracing.SpanOptions) tracing.Span {
	p := operation{system: semconv.DBSystemNameAzureCosmosDB.Value.AsString(), begin: time.Now()}
	if options != nil {
		p.name, p.collection = value(options.Attributes, string(semconv.DBOperationNameKey)), value(options.Attributes, string(semconv.DBCollectionNameKey))
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
