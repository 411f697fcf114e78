package ddb

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
)

// CountAttempts returns an option of a request that counts the attempts of the SDK in n. After more than one, the
// request may meet what an attempt without a response has done.
func CountAttempts(n *int) func(*dynamodb.Options) {
	count := middleware.FinalizeMiddlewareFunc("CountAttempts", func(ctx context.Context, in middleware.FinalizeInput,
		next middleware.FinalizeHandler) (middleware.FinalizeOutput, middleware.Metadata, error) {
		*n++
		return next.HandleFinalize(ctx, in)
	})
	return dynamodb.WithAPIOptions(func(stack *middleware.Stack) error {
		return stack.Finalize.Add(count, middleware.After) // after the SDK's own retries
	})
}
