package usage

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
)

// Meter sums the capacity units that a DynamoDB client consumes, by table and index. Pass Attach to the backend as one
// of its client options, and wrap its handler with Watch. One meter serves one backend. It is safe for concurrent use.
type Meter struct {
	mu     sync.Mutex
	used   Usage
	prefix string // prefix of the names of tables

	throttled atomic.Int64
}

// Attach makes a client request consumed capacity and report it to the meter.
func (m *Meter) Attach(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
		return errors.Join(
			stack.Initialize.Add(middleware.InitializeMiddlewareFunc("LoadtestMeter", m.handle), middleware.After),
			stack.Deserialize.Add(middleware.DeserializeMiddlewareFunc("LoadtestThrottles", m.countThrottled),
				middleware.Before))
	})
}

func (m *Meter) handle(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (
	middleware.InitializeOutput, middleware.Metadata, error) {
	requestCapacity(in.Parameters)
	v := requestUsageOf(ctx)
	end := v.begin()
	out, metadata, err := next.HandleInitialize(ctx, in)
	v.recordCall(in.Parameters)
	end()
	reads, consumed := false, failedConditionCapacity(in.Parameters, err)
	if err == nil {
		reads, consumed = consumption(out.Result)
	}
	m.add(reads, consumed, time.Now())
	for _, c := range consumed {
		v.charge(reads, aws.ToFloat64(c.CapacityUnits))
	}
	return out, metadata, err
}

// requestCapacity sets ReturnConsumedCapacity on the inputs that have it.
func requestCapacity(input any) {
	switch in := input.(type) {
	case *dynamodb.GetItemInput:
		in.ReturnConsumedCapacity = types.ReturnConsumedCapacityIndexes
	case *dynamodb.PutItemInput:
		in.ReturnConsumedCapacity = types.ReturnConsumedCapacityIndexes
	case *dynamodb.UpdateItemInput:
		in.ReturnConsumedCapacity = types.ReturnConsumedCapacityIndexes
	case *dynamodb.DeleteItemInput:
		in.ReturnConsumedCapacity = types.ReturnConsumedCapacityIndexes
	case *dynamodb.QueryInput:
		in.ReturnConsumedCapacity = types.ReturnConsumedCapacityIndexes
	case *dynamodb.ScanInput:
		in.ReturnConsumedCapacity = types.ReturnConsumedCapacityIndexes
	case *dynamodb.BatchGetItemInput:
		in.ReturnConsumedCapacity = types.ReturnConsumedCapacityIndexes
	case *dynamodb.BatchWriteItemInput:
		in.ReturnConsumedCapacity = types.ReturnConsumedCapacityIndexes
	case *dynamodb.TransactGetItemsInput:
		in.ReturnConsumedCapacity = types.ReturnConsumedCapacityIndexes
	case *dynamodb.TransactWriteItemsInput:
		in.ReturnConsumedCapacity = types.ReturnConsumedCapacityIndexes
	}
}

// consumption returns the consumed capacity in an output, and whether it was for reading.
func consumption(output any) (reads bool, consumed []types.ConsumedCapacity) {
	one := func(c *types.ConsumedCapacity) []types.ConsumedCapacity {
		if c == nil {
			return nil
		}
		return []types.ConsumedCapacity{*c}
	}
	switch out := output.(type) {
	case *dynamodb.GetItemOutput:
		return true, one(out.ConsumedCapacity)
	case *dynamodb.QueryOutput:
		return true, one(out.ConsumedCapacity)
	case *dynamodb.ScanOutput:
		return true, one(out.ConsumedCapacity)
	case *dynamodb.BatchGetItemOutput:
		return true, out.ConsumedCapacity
	case *dynamodb.TransactGetItemsOutput:
		return true, out.ConsumedCapacity
	case *dynamodb.PutItemOutput:
		return false, one(out.ConsumedCapacity)
	case *dynamodb.UpdateItemOutput:
		return false, one(out.ConsumedCapacity)
	case *dynamodb.DeleteItemOutput:
		return false, one(out.ConsumedCapacity)
	case *dynamodb.BatchWriteItemOutput:
		return false, out.ConsumedCapacity
	case *dynamodb.TransactWriteItemsOutput:
		return false, out.ConsumedCapacity
	}
	return false, nil
}

// failedConditionCapacity returns the charge of a write whose condition failed, which the response does not contain.
// The service charges the units of the existing item, at least one; the meter knows only that it is at least one.
func failedConditionCapacity(input any, err error) []types.ConsumedCapacity {
	var unmet *types.ConditionalCheckFailedException
	if !errors.As(err, &unmet) {
		return nil
	}
	var table *string
	switch in := input.(type) {
	case *dynamodb.PutItemInput:
		table = in.TableName
	case *dynamodb.UpdateItemInput:
		table = in.TableName
	case *dynamodb.DeleteItemInput:
		table = in.TableName
	}
	return []types.ConsumedCapacity{{TableName: table, CapacityUnits: aws.Float64(1)}}
}

func (m *Meter) add(reads bool, consumed []types.ConsumedCapacity, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range consumed {
		table := aws.ToString(c.TableName)
		if c.Table != nil {
			m.used.charge(resource{table, ""}, reads, aws.ToFloat64(c.Table.CapacityUnits), now)
		}
		for index, i := range c.GlobalSecondaryIndexes {
			m.used.charge(resource{table, index}, reads, aws.ToFloat64(i.CapacityUnits), now)
		}
		for index, i := range c.LocalSecondaryIndexes {
			m.used.charge(resource{table, index}, reads, aws.ToFloat64(i.CapacityUnits), now)
		}
		if c.Table == nil { // the service returned only the total
			m.used.charge(resource{table, ""}, reads, aws.ToFloat64(c.CapacityUnits), now)
		}
	}
}

// Record records the charge of a response that no client of the SDK received, for a kind of request.
func (m *Meter) Record(kind, path, table string, reads bool, units float64, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.charge(resource{table, ""}, reads, units, now)
	all := m.used.kind(kind)
	all.Requests++
	all.Paths[path]++
	if reads {
		all.Reads += units
	} else {
		all.Writes += units
	}
}

// Reset clears the counters. Access paths are reported without the prefix.
func (m *Meter) Reset(prefix string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used, m.prefix = Usage{}, prefix
	m.throttled.Store(0)
}

// Usage returns what was measured since the last Reset.
func (m *Meter) Usage() Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	var u Usage
	u.Add(m.used)
	u.trimPrefix(m.prefix)
	return u
}
