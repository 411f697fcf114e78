package observe

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// DynamoDB measures and traces the operations of a client: one span per operation, with its table, index and
// consistency, regardless of the SDK's retries. OpenTelemetry's own package for this SDK is deprecated, and depends on
// the clients of two more services.
func (o *Observer) DynamoDB(options *dynamodb.Options) {
	options.APIOptions = append(options.APIOptions, func(stack *middleware.Stack) error {
		if err := stack.Initialize.Add(middleware.InitializeMiddlewareFunc("Observe", o.operation),
			middleware.After); err != nil {
			return err
		}
		return stack.Build.Add(middleware.BuildMiddlewareFunc("ObservePropagate", propagate), middleware.After)
	})
}

// operation wraps all attempts of one operation.
func (o *Observer) operation(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (
	out middleware.InitializeOutput, metadata middleware.Metadata, err error,
) {
	p := operation{system: semconv.DBSystemNameAWSDynamoDB.Value.AsString(), name: awsmiddleware.GetOperationName(ctx),
		start: time.Now()}
	tables, attributes := requestAttributes(in.Parameters)
	if len(tables) == 1 {
		p.collection = tables[0]
	}
	ctx, span := o.tracer.Start(ctx, spanName(p), trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(p.labels()...))
	defer span.End()
	if span.IsRecording() {
		span.SetAttributes(semconv.AWSDynamoDBTableNames(tables...))
		span.SetAttributes(attributes...)
	}
	out, metadata, err = next.HandleInitialize(ctx, in)
	if attempts, ok := retry.GetAttemptResults(metadata); ok && len(attempts.Results) > 1 {
		span.SetAttributes(attribute.Int("aws.retries", len(attempts.Results)-1))
	}
	failure := errorType(err)
	if failure != "" {
		span.SetAttributes(semconv.ErrorTypeKey.String(failure))
		span.SetStatus(codes.Error, "")
	}
	o.measure(ctx, p, failure)
	return out, metadata, err
}

// propagate adds the trace context to the request's headers, for the database or a proxy in front of it.
func propagate(ctx context.Context, in middleware.BuildInput, next middleware.BuildHandler) (middleware.BuildOutput,
	middleware.Metadata, error) {
	if request, ok := in.Request.(*smithyhttp.Request); ok {
		propagator().Inject(ctx, propagation.HeaderCarrier(request.Header))
	}
	return next.HandleBuild(ctx, in)
}

func spanName(p operation) string {
	if p.collection == "" {
		return p.name
	}
	return p.name + " " + p.collection
}

// errorType returns the error code of the service, such as ConditionalCheckFailedException, or else a word for the kind
// of failure.
func errorType(err error) string {
	var apiErr smithy.APIError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &apiErr):
		return apiErr.ErrorCode()
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	}
	return "_OTHER" // defined by the conventions
}

// requestAttributes returns the tables that a request names, sorted, and further attributes of its span. It returns
// none for rare requests and those that name no table.
func requestAttributes(request any) (tables []string, attributes []attribute.KeyValue) {
	switch in := request.(type) {
	case *dynamodb.GetItemInput:
		return oneTable(in.TableName), consistentRead(in.ConsistentRead)
	case *dynamodb.PutItemInput:
		return oneTable(in.TableName), nil
	case *dynamodb.UpdateItemInput:
		return oneTable(in.TableName), nil
	case *dynamodb.DeleteItemInput:
		return oneTable(in.TableName), nil
	case *dynamodb.QueryInput:
		return oneTable(in.TableName), append(consistentRead(in.ConsistentRead), indexName(in.IndexName)...)
	case *dynamodb.ScanInput:
		return oneTable(in.TableName), append(consistentRead(in.ConsistentRead), indexName(in.IndexName)...)
	case *dynamodb.BatchGetItemInput:
		return slices.Sorted(maps.Keys(in.RequestItems)), nil
	case *dynamodb.BatchWriteItemInput:
		return slices.Sorted(maps.Keys(in.RequestItems)), nil
	case *dynamodb.TransactWriteItemsInput:
		return writtenTables(in.TransactItems), nil
	case *dynamodb.TransactGetItemsInput:
		for _, member := range in.TransactItems {
			if member.Get != nil {
				tables = append(tables, oneTable(member.Get.TableName)...)
			}
		}
		return sortedUnique(tables), nil
	case *dynamodb.DescribeTableInput:
		return oneTable(in.TableName), nil
	case *dynamodb.CreateTableInput:
		return oneTable(in.TableName), nil
	case *dynamodb.UpdateTableInput:
		return oneTable(in.TableName), nil
	}
	return nil, nil
}

func writtenTables(members []types.TransactWriteItem) (tables []string) {
	for _, member := range members {
		switch {
		case member.Put != nil:
			tables = append(tables, oneTable(member.Put.TableName)...)
		case member.Update != nil:
			tables = append(tables, oneTable(member.Update.TableName)...)
		case member.Delete != nil:
			tables = append(tables, oneTable(member.Delete.TableName)...)
		case member.ConditionCheck != nil:
			tables = append(tables, oneTable(member.ConditionCheck.TableName)...)
		}
	}
	return sortedUnique(tables)
}

func sortedUnique(tables []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(tables)))
}

func oneTable(name *string) []string {
	if name == nil {
		return nil
	}
	return []string{*name}
}

func indexName(name *string) []attribute.KeyValue {
	if name == nil {
		return nil
	}
	return []attribute.KeyValue{semconv.AWSDynamoDBIndexName(*name)}
}

func consistentRead(read *bool) []attribute.KeyValue {
	if read == nil {
		return nil
	}
	return []attribute.KeyValue{semconv.AWSDynamoDBConsistentRead(*read)}
}
