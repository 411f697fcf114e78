package dynamo

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// DescribeStreamInput asks for a page of the shards of a stream.
type DescribeStreamInput struct {
	StreamArn             *string `check:"notnull,minlen=37,maxlen=1024"`
	Limit                 *int32  `check:"min=1,max=100"`
	ExclusiveStartShardId *string `check:"minlen=28,maxlen=65"`
	ShardFilter           *ShardFilterInput
}

// ShardFilterInput asks for the shards that came of one.
type ShardFilterInput struct {
	Type    *string `check:"enum=CHILD_SHARDS"`
	ShardId *string `check:"minlen=28,maxlen=65"`
}

func (in *DescribeStreamInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }

func (in *DescribeStreamInput) check() error {
	if err := checkShape(in); err != nil {
		return err
	}
	return checkStreamARN(*in.StreamArn)
}

func (in *DescribeStreamInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{resource: orZero(in.StreamArn)})
}

type describeStreamOutput struct{ StreamDescription streamDetails }

type streamDetails struct {
	StreamArn, StreamLabel, StreamStatus, StreamViewType string
	CreationRequestDateTime                              float64
	TableName                                            string
	KeySchema                                            []keySchemaElement
	Shards                                               []shardDetails
	LastEvaluatedShardId                                 string `json:",omitempty"`
}

type shardDetails struct {
	ShardId             string
	SequenceNumberRange sequenceNumberRange
	ParentShardId       string `json:",omitempty"`
}

type sequenceNumberRange struct {
	StartingSequenceNumber string
	EndingSequenceNumber   string `json:",omitempty"`
}

func (out *describeStreamOutput) appendJSON(dst []byte) []byte { return appendMarshalled(dst, out) }

// maxShards is how many shards one answer has.
const maxShards = 100

// describeStream tells of a stream and its shards.
func describeStream(a *request, in *DescribeStreamInput) (*describeStreamOutput, error) {
	st, err := a.account.dividedStream(a.waiting(), *in.StreamArn)
	if err != nil {
		return nil, err
	}
	d := streamDetails{
		StreamArn: st.ARN, StreamLabel: st.Label, StreamStatus: "ENABLED", StreamViewType: st.ViewType,
		CreationRequestDateTime: st.Created, TableName: st.TableName, KeySchema: st.KeySchema, Shards: []shardDetails{},
	}
	if st.End != 0 {
		d.StreamStatus = "DISABLED"
	}
	limit := maxShards
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	for _, s := range st.shards(a.service.present(st), a.service.horizon()) {
		if s.id <= orZero(in.ExclusiveStartShardId) || in.ShardFilter != nil && s.parent != orZero(in.ShardFilter.ShardId) {
			continue
		}
		if len(d.Shards) == limit {
			d.LastEvaluatedShardId = d.Shards[limit-1].ShardId
			break
		}
		d.Shards = append(d.Shards, s.describe())
	}
	return &describeStreamOutput{d}, nil
}

func (s *shard) describe() shardDetails {
	d := shardDetails{ShardId: s.id, ParentShardId: s.parent}
	d.SequenceNumberRange.StartingSequenceNumber = sequenceNumber(s.from)
	if s.to != 0 {
		d.SequenceNumberRange.EndingSequenceNumber = sequenceNumber(s.to)
	}
	return d
}

// sequenceNumber is a position as clients see it: 21 digits, the fewest that a sequence number has.
func sequenceNumber(p changelog.Position) string { return fmt.Sprintf("1%020d", uint64(p)) }

// dividedStream finds a stream, whose shards follow the table's partitions: where these have changed since the stream was
// looked at last, it is divided like them from now on.
func (a *account) dividedStream(ctx context.Context, arn string) (*stream, error) {
	st, err := a.stream(arn)
	if err != nil || st.dividedBy(a.partitionsOf(st)) {
		return st, err
	}
	if err := a.ddl.Close(ctx); err != nil {
		return nil, err
	}
	defer a.ddl.Open()
	if st, err = a.stream(arn); err != nil || st.End != 0 {
		return st, err
	}
	divided := *st
	err = a.service.store.UpdateContext(ctx, store.Latch().Alone(a.service.gateOf(st.Table)), func(tx *store.Tx) error {
		from, err := st.log.Mark(tx)
		if err != nil {
			return err
		}
		divided.Partitioning = append(slices.Clone(st.Partitioning), partitioning{from, a.partitionsOf(st)})
		all := maps.Clone(*a.streams.Load())
		if err := a.putStream(tx, all, &divided); err != nil {
			return err
		}
		a.streams.Store(&all)
		return nil
	})
	return &divided, err
}

// dividedBy says whether the stream ended, or its open shards are divided by those bounds.
func (st *stream) dividedBy(bounds [][]byte) bool {
	return st.End != 0 || slices.EqualFunc(st.Partitioning[len(st.Partitioning)-1].Bounds, bounds, bytes.Equal)
}
