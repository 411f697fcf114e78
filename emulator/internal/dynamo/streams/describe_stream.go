package streams

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// DescribeStreamInput requests a page of the shards of a stream.
type DescribeStreamInput struct {
	StreamArn             *string `check:"notnull,minlen=37,maxlen=1024"`
	Limit                 *int32  `check:"min=1,max=100"`
	ExclusiveStartShardId *string `check:"minlen=28,maxlen=65"`
	ShardFilter           *ShardFilterInput
}

// ShardFilterInput restricts the shards to the children of one shard. The API reference requires neither member; AWS
// refuses one without the other with a ValidationException (ScyllaDB's test on AWS, 2025), whose words are not known.
type ShardFilterInput struct {
	Type    *string `check:"notnull,enum=CHILD_SHARDS"`
	ShardId *string `check:"notnull,minlen=28,maxlen=65"`
}

func (in *DescribeStreamInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

func (in *DescribeStreamInput) Check() error {
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	return checkStreamARN(*in.StreamArn)
}

func (in *DescribeStreamInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Resource: wire.OrZero(in.StreamArn)})
}

type describeStreamOutput struct{ StreamDescription streamDetails }

type streamDetails struct {
	StreamArn, StreamLabel, StreamStatus, StreamViewType string
	CreationRequestDateTime                              float64
	TableName                                            string
	KeySchema                                            []engine.KeySchemaElement
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

func (out *describeStreamOutput) AppendJSON(dst []byte) []byte {
	return wire.AppendMarshaled(dst, out)
}

// maxListedShards is the most shards in one response.
const maxListedShards = 100

// DescribeStream describes a stream and its shards.
func DescribeStream(req *engine.Request, in *DescribeStreamInput) (*describeStreamOutput, error) {
	st, err := RepartitionedStream(req.Account, req.BeginWait(), *in.StreamArn)
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
	limit := maxListedShards
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	for _, s := range st.Shards(currentPosition(req.Engine, st), horizon(req.Engine)) {
		if s.ID <= wire.OrZero(in.ExclusiveStartShardId) || in.ShardFilter.excludes(s) {
			continue
		}
		if len(d.Shards) == limit {
			d.LastEvaluatedShardId = d.Shards[limit-1].ShardId
			break
		}
		d.Shards = append(d.Shards, s.describe())
	}
	saveCurrentPosition(req, st)
	return &describeStreamOutput{d}, nil
}

// excludes reports whether a shard is not a child of the filter's shard; f may be nil.
func (f *ShardFilterInput) excludes(s Shard) bool {
	return f != nil && s.Parent != *f.ShardId
}

func (s *Shard) describe() shardDetails {
	d := shardDetails{ShardId: s.ID, ParentShardId: s.Parent}
	d.SequenceNumberRange.StartingSequenceNumber = sequenceNumber(s.From)
	if s.To != 0 {
		d.SequenceNumberRange.EndingSequenceNumber = sequenceNumber(s.To)
	}
	return d
}

// sequenceNumber returns a position as clients see it: 21 digits, the minimum length of a sequence number.
func sequenceNumber(p changelog.Position) string { return fmt.Sprintf("1%020d", uint64(p)) }

// RepartitionedStream returns a stream whose shards match the table's partitions. If the partitions changed since the
// last call, the stream gets new shards from now on; from a later call on, if a change of some table is in progress,
// which can take minutes: the present shards have all records until then.
func RepartitionedStream(a *engine.Account, ctx context.Context, arn string) (*Stream, error) {
	st, err := findStream(a, arn)
	if err != nil || st.hasPartitions(partitionsOf(a, st)) {
		return st, err
	}
	if !a.DDL.TryClose() {
		return st, nil
	}
	defer a.DDL.Open()
	if st, err = findStream(a, arn); err != nil || st.hasPartitions(partitionsOf(a, st)) {
		return st, err
	}
	updated := *st
	err = a.Engine.Store.UpdateContext(ctx, store.Latch().Alone(a.Engine.GateOf(st.Table)), func(tx *store.Tx) error {
		from, err := st.Log.Mark(tx)
		if err != nil {
			return err
		}
		updated.Partitioning = append(slices.Clone(st.Partitioning), Partitioning{from, partitionsOf(a, st)})
		all := maps.Clone(allStreams(a))
		if err := putStream(a, tx, all, &updated); err != nil {
			return err
		}
		tx.OnCommit(func() { setStreams(a, all) })
		return nil
	})
	return &updated, err
}

// hasPartitions reports whether the stream has ended, or its open shards have those bounds.
func (st *Stream) hasPartitions(bounds [][]byte) bool {
	return st.End != 0 || slices.EqualFunc(st.Partitioning[len(st.Partitioning)-1].Bounds, bounds, bytes.Equal)
}
