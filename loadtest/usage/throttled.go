package usage

import (
	"context"
	"errors"
	"slices"

	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
)

// throttlingCodes are the codes of DynamoDB's errors for too many requests ("Error handling with DynamoDB").
var throttlingCodes = []string{"ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded"}

// Throttled returns the number of attempts that DynamoDB throttled, since the last Reset. A client repeats most of
// them, so that few become errors.
func (m *Meter) Throttled() int64 { return m.throttled.Load() }

// CountThrottled counts an attempt that no client of the SDK made, if DynamoDB throttled it. code is that of its error.
func (m *Meter) CountThrottled(code string) {
	if slices.Contains(throttlingCodes, code) {
		m.throttled.Add(1)
	}
}

// countThrottled counts an attempt of a client. Middleware of the step Deserialize runs for each attempt.
func (m *Meter) countThrottled(ctx context.Context, in middleware.DeserializeInput,
	next middleware.DeserializeHandler) (middleware.DeserializeOutput, middleware.Metadata, error) {
	out, metadata, err := next.HandleDeserialize(ctx, in)
	var refused smithy.APIError
	if errors.As(err, &refused) {
		m.CountThrottled(refused.ErrorCode())
	}
	return out, metadata, err
}
