package kinesis

import (
	"fmt"
	"math"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// createStreamInput is the input of CreateStream.
type createStreamInput struct {
	StreamName        *string
	ShardCount        *int
	StreamModeDetails *streamModeDetails
	Tags              map[string]string
}

type streamModeDetails struct{ StreamMode string }

func (in *createStreamInput) check(v *violations) {
	v.Required(in.StreamName != nil, "streamName")
	streamRef{StreamName: in.StreamName}.check(v)
	if in.ShardCount != nil {
		v.Between("shardCount", *in.ShardCount, 1, math.MaxInt32)
	}
	if in.StreamModeDetails != nil {
		v.OneOf("streamModeDetails.streamMode", in.StreamModeDetails.StreamMode, provisioned, onDemand)
	}
}

const (
	// shardLimit is the default quota of provisioned shards of an account in us-east-1.
	shardLimit = 500
	// onDemandShards is the number of shards of a new on-demand stream. In the emulator it does not grow.
	onDemandShards = 4
)

// createStream creates a stream, which is ACTIVE immediately.
func createStream(c *call, in *createStreamInput) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.account(c.space)
	if err := c.permit(a, *in.StreamName); err != nil {
		return nil, err
	}
	if _, taken := a.streams[*in.StreamName]; taken {
		return nil, kinesisError("ResourceInUseException",
			"Stream "+*in.StreamName+" under account "+a.id()+" already exists.")
	}
	st := &stream{Name: *in.StreamName, Mode: provisioned, Shards: 1, Tags: in.Tags,
		Created: timestampOf(c.clock.Now())}
	switch {
	case in.StreamModeDetails != nil && in.StreamModeDetails.StreamMode == onDemand:
		st.Mode, st.Shards = onDemand, onDemandShards
	case in.ShardCount != nil:
		st.Shards = *in.ShardCount
	}
	if open := a.openShards(); open+st.Shards > shardLimit {
		return nil, tooManyShards(a, open, st.Shards)
	}
	st.FirstID = keyspace.KinesisLog + c.logCount
	c.logCount += uint32(st.Shards)
	return nil, a.saveStream(st)
}

// openShards returns the number of shards of the account.
func (a *account) openShards() int {
	n := 0
	for _, st := range a.streams {
		n += st.Shards
	}
	return n
}

// tooManyShards returns the error for shards beyond the quota. (mhart/kinesalite.)
func tooManyShards(a *account, open, added int) *Error {
	return kinesisError("LimitExceededException", fmt.Sprintf("This request would exceed the shard limit for the account "+
		"%s in %s. Current shard count for the account: %s. Limit: %d. Number of additional shards that would have "+
		"resulted from this request: %d. Refer to the AWS Service Limits page "+
		"(http://docs.aws.amazon.com/general/latest/gr/aws_service_limits.html) for current limits and how to request "+
		"higher limits.", a.id(), a.region(), strconv.Itoa(open), shardLimit, added))
}
