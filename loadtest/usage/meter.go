package usage

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"

	"github.com/tabletop-db/tabletop/loadtest/result"
)

// Meter sums the capacity units that a DynamoDB client consumes, by table and index. Pass Attach to the backend as one
// of its client options, and wrap its handler with Watch. One meter serves one backend. It is safe for concurrent use.
type Meter struct {
	mu     sync.Mutex
	uses   map[resource]*resourceUsage
	kinds  map[string]*kindUsage // by kind of request
	prefix string                // prefix of the names of tables

	throttled atomic.Int64
}

// resource is a table or an index that is charged for capacity. index is empty for the table itself.
type resource struct{ table, index string }

// resourceUsage is the capacity that a resource was charged.
type resourceUsage struct {
	reads, writes, readPeak, writePeak, readNow, writeNow float64
	calls                                                 int64
	second                                                int64
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
	if m.uses == nil {
		m.uses = map[resource]*resourceUsage{}
	}
	for _, c := range consumed {
		table := aws.ToString(c.TableName)
		if c.Table != nil {
			m.charge(resource{table, ""}, reads, aws.ToFloat64(c.Table.CapacityUnits), now)
		}
		for index, i := range c.GlobalSecondaryIndexes {
			m.charge(resource{table, index}, reads, aws.ToFloat64(i.CapacityUnits), now)
		}
		for index, i := range c.LocalSecondaryIndexes {
			m.charge(resource{table, index}, reads, aws.ToFloat64(i.CapacityUnits), now)
		}
		if c.Table == nil { // the service returned only the total
			m.charge(resource{table, ""}, reads, aws.ToFloat64(c.CapacityUnits), now)
		}
	}
}

// charge adds units to a resource and updates its busiest second. It ignores 0 units, which a table has if only an
// index of it was read.
func (m *Meter) charge(p resource, reads bool, units float64, now time.Time) {
	if units == 0 {
		return
	}
	u := m.uses[p]
	if u == nil {
		u = &resourceUsage{}
		m.uses[p] = u
	}
	if s := now.Unix(); s != u.second {
		u.second, u.readNow, u.writeNow = s, 0, 0
	}
	u.calls++
	if reads {
		u.reads, u.readNow = u.reads+units, u.readNow+units
		u.readPeak = max(u.readPeak, u.readNow)
	} else {
		u.writes, u.writeNow = u.writes+units, u.writeNow+units
		u.writePeak = max(u.writePeak, u.writeNow)
	}
}

// Record records the charge of a response that no client of the SDK received, for a kind of request.
func (m *Meter) Record(kind, path, table string, reads bool, units float64, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.uses == nil {
		m.uses = map[resource]*resourceUsage{}
	}
	m.charge(resource{table, ""}, reads, units, now)
	all := m.kindUsage(kind)
	all.count++
	all.paths[path]++
	if reads {
		all.reads += units
	} else {
		all.writes += units
	}
}

// Reset clears the counters. Access paths are reported without the prefix.
func (m *Meter) Reset(prefix string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.uses, m.kinds, m.prefix = nil, nil, prefix
	m.throttled.Store(0)
}

// Consumed returns the consumed capacity, with averages over this time, sorted by table and index.
func (m *Meter) Consumed(over time.Duration) []result.Consumed {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := []result.Consumed{}
	for p, u := range m.uses {
		list = append(list, result.Consumed{
			Table: p.table, Index: p.index, Calls: u.calls, ReadUnits: u.reads, WriteUnits: u.writes,
			ReadsPerSecond: u.reads / over.Seconds(), WritesPerSecond: u.writes / over.Seconds(),
			ReadPeak: u.readPeak, WritePeak: u.writePeak,
		})
	}
	slices.SortFunc(list, func(a, b result.Consumed) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Index, b.Index))
	})
	return list
}
