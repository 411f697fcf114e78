package kinesis

// describeStreamInput is the input of DescribeStream.
type describeStreamInput struct {
	streamRef
	Limit                 *int
	ExclusiveStartShardId *string
}

func (in *describeStreamInput) check(v *violations) {
	in.streamRef.check(v)
	v.between("limit", in.Limit, 1, 10000)
	v.text("exclusiveStartShardId", in.ExclusiveStartShardId, 1, 128)
}

// maxDescribedShards is the maximum number of shards in a response of DescribeStream.
const maxDescribedShards = 100

type describeStreamOutput struct{ StreamDescription streamDescription }

type streamDescription struct {
	streamFacts
	Shards        []shardDescription
	HasMoreShards bool
}

// streamFacts are the members that DescribeStream and DescribeStreamSummary share.
type streamFacts struct {
	StreamName              string
	StreamARN               string
	StreamStatus            string
	StreamModeDetails       streamModeDetails
	RetentionPeriodHours    int
	StreamCreationTimestamp timestamp
	EnhancedMonitoring      []shardLevelMetrics
	EncryptionType          string
}

// shardLevelMetrics are empty, because shards have no metrics.
type shardLevelMetrics struct{ ShardLevelMetrics []string }

func (a *account) facts(st *stream) streamFacts {
	return streamFacts{
		StreamName: st.Name, StreamARN: a.arn(st.Name), StreamStatus: "ACTIVE", StreamModeDetails: streamModeDetails{st.Mode},
		RetentionPeriodHours: int(retention.Hours()), StreamCreationTimestamp: st.Created,
		EnhancedMonitoring: []shardLevelMetrics{{[]string{}}}, EncryptionType: "NONE",
	}
}

// shardDescription describes a shard. All shards are open, and have no parents.
type shardDescription struct {
	ShardId             string
	HashKeyRange        struct{ StartingHashKey, EndingHashKey string }
	SequenceNumberRange struct{ StartingSequenceNumber string }
}

func (st *stream) describeShard(shard int) shardDescription {
	d := shardDescription{ShardId: shardID(shard)}
	from, to := st.hashRange(shard)
	d.HashKeyRange.StartingHashKey, d.HashKeyRange.EndingHashKey = from.String(), to.String()
	d.SequenceNumberRange.StartingSequenceNumber = st.sequenceNumber(shard, 0)
	return d
}

// shardsAfter describes at most limit shards after the one with that id; more reports whether others follow. No shard
// needs to have the id.
func (st *stream) shardsAfter(id *string, limit int) (some []shardDescription, more bool) {
	some = []shardDescription{}
	for shard := range st.Shards {
		switch {
		case id != nil && shardID(shard) <= *id:
		case len(some) == limit:
			return some, true
		default:
			some = append(some, st.describeShard(shard))
		}
	}
	return some, false
}

func describeStream(c *call, in *describeStreamInput) (any, error) {
	a, st, err := c.stream(in.streamRef)
	if err != nil {
		return nil, err
	}
	limit := maxDescribedShards
	if in.Limit != nil {
		limit = min(limit, *in.Limit)
	}
	d := streamDescription{streamFacts: a.facts(st)}
	d.Shards, d.HasMoreShards = st.shardsAfter(in.ExclusiveStartShardId, limit)
	return describeStreamOutput{d}, nil
}
