package kinesis

import (
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
)

// getShardIteratorInput is the input of GetShardIterator.
type getShardIteratorInput struct {
	streamRef
	ShardId                *string
	ShardIteratorType      *string
	StartingSequenceNumber *string
	Timestamp              *timestamp
}

// The types of iterators.
const (
	atSequence    = "AT_SEQUENCE_NUMBER"
	afterSequence = "AFTER_SEQUENCE_NUMBER"
	trimHorizon   = "TRIM_HORIZON"
	latest        = "LATEST"
	atTimestamp   = "AT_TIMESTAMP"
)

func (in *getShardIteratorInput) check(v *violations) {
	in.streamRef.check(v)
	v.required("shardId", in.ShardId, 1, 128)
	if v.Required(in.ShardIteratorType != nil, "shardIteratorType"); in.ShardIteratorType != nil {
		v.OneOf("shardIteratorType", *in.ShardIteratorType, afterSequence, latest, atTimestamp, atSequence, trimHorizon)
	}
}

type getShardIteratorOutput struct{ ShardIterator string }

func getShardIterator(c *call, in *getShardIteratorInput) (any, error) {
	a, st, err := c.stream(in.streamRef)
	if err != nil {
		return nil, err
	}
	shard, ok := st.findShard(*in.ShardId)
	if !ok {
		return nil, a.shardNotFound(st, *in.ShardId)
	}
	i := iterator{stream: st.Name, firstID: st.FirstID, shard: shard, issued: c.clock.Now()}
	switch *in.ShardIteratorType {
	case atSequence, afterSequence:
		i.next, err = in.atSequence(a, st, shard)
	case atTimestamp:
		i.next, err = in.atTime(c.clock.Now())
	case trimHorizon, latest:
		if in.StartingSequenceNumber != nil {
			return nil, in.mismatch("also a")
		}
		if *in.ShardIteratorType == latest {
			if err := c.deliver(c.ctx, a, st); err != nil { // records that exist now are not after the latest one
				return nil, err
			}
			i.next = st.logs[shard].Tip() + 1
		}
	}
	if err != nil {
		return nil, err
	}
	st.logs[shard].SaveAhead(c.ctx, st.logs[shard].Tip())
	return getShardIteratorOutput{i.encode()}, nil
}

// mismatch returns the error for a sequence number that does not match the type. (mhart/kinesalite.)
func (in *getShardIteratorInput) mismatch(has string) *Error {
	return invalidArgument("Must either specify (1) AT_SEQUENCE_NUMBER or AFTER_SEQUENCE_NUMBER and " +
		"StartingSequenceNumber or (2) TRIM_HORIZON or LATEST and no StartingSequenceNumber. Request specified " +
		*in.ShardIteratorType + " and " + has + " StartingSequenceNumber.")
}

// atSequence returns the position of a sequence number, or the one after it. mhart/kinesalite and users of the service
// recorded the errors.
func (in *getShardIteratorInput) atSequence(a *account, st *stream, shard int) (changelog.Position, error) {
	if in.StartingSequenceNumber == nil {
		return 0, in.mismatch("no")
	}
	p, index, own, ok := st.parseSequence(*in.StartingSequenceNumber)
	used := "StartingSequenceNumber " + *in.StartingSequenceNumber + " used in GetShardIterator on shard " +
		shardID(shard) + " in stream " + st.Name + " under account " + a.id() + " is invalid"
	switch {
	case !ok:
		return 0, invalidArgument(used + ".")
	case index != shard:
		return 0, invalidArgument("Invalid StartingSequenceNumber. It encodes " + shardID(index) +
			", while it was used in a call to a shard with " + shardID(shard))
	case !own, p > st.logs[shard].Tip():
		return 0, invalidArgument(used + " because it did not come from this stream.")
	}
	if *in.ShardIteratorType == afterSequence {
		p++
	}
	return p, nil
}

// atTime returns the first position of the requested time.
func (in *getShardIteratorInput) atTime(now time.Time) (changelog.Position, error) {
	if in.Timestamp == nil {
		return 0, invalidArgument("Must specify timestampInMillis parameter for iterator of type AT_TIMESTAMP. " +
			"Current request has no timestamp parameter.")
	}
	ms := in.Timestamp.milliseconds()
	if ms > float64(now.UnixMilli()) {
		return 0, invalidArgument(fmt.Sprintf("The timestampInMillis parameter cannot be greater than the "+
			"currentTimestampInMillis. timestampInMillis: %.0f, currentTimestampInMillis: %d", ms, now.UnixMilli()))
	}
	return changelog.At(time.UnixMilli(int64(max(ms, 0)))), nil
}
