package kinesis

import "math/big"

// putRecordInput is the input of PutRecord. Records of a shard are always in the order of their requests, so
// SequenceNumberForOrdering has no effect.
type putRecordInput struct {
	streamRef
	recordInput
}

// recordInput is a record of a request.
type recordInput struct {
	Data            []byte
	PartitionKey    *string
	ExplicitHashKey *string
}

func (in *putRecordInput) check(v *violations) {
	in.streamRef.check(v)
	in.recordInput.checkAt(v, "")
}

// maxData is the size in bytes of the largest record, as created by default: data and partition key.
const maxData = 1 << 20

// checkAt checks a record. Messages name its members with a prefix.
func (in *recordInput) checkAt(v *violations, prefix string) {
	v.required(prefix+"partitionKey", in.PartitionKey, 1, 256)
	v.Required(in.Data != nil, prefix+"data")
	if len(in.Data) > maxData {
		v.AddWithheld(prefix+"data", "Member must have length less than or equal to 1048576")
	}
}

// record returns the record for a stream. Error: the hash key is out of range. (mhart/kinesalite.)
func (in *recordInput) record(st *stream) (record, error) {
	key := hashOf(*in.PartitionKey)
	if in.ExplicitHashKey != nil {
		explicit, ok := new(big.Int).SetString(*in.ExplicitHashKey, 10)
		if !ok || explicit.Sign() < 0 || explicit.Cmp(maxHashKey) > 0 {
			return record{}, invalidArgument("Invalid ExplicitHashKey. ExplicitHashKey must be in the range: [0, 2^128-1]. " +
				"Specified value was " + *in.ExplicitHashKey)
		}
		key = explicit
	}
	return record{shard: st.shardOf(key), partitionKey: *in.PartitionKey, data: in.Data}, nil
}

type putRecordOutput struct{ ShardId, SequenceNumber string }

func putRecord(c *call, in *putRecordInput) (any, error) {
	out, err := c.putAll(in.streamRef, []recordInput{in.recordInput})
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// putAll appends records to a stream, after the source's records.
func (c *call) putAll(ref streamRef, all []recordInput) ([]putRecordOutput, error) {
	a, st, err := c.stream(ref)
	if err != nil {
		return nil, err
	}
	records := make([]record, len(all))
	for i := range all {
		if records[i], err = all[i].record(st); err != nil {
			return nil, err
		}
	}
	if err := c.deliver(c.ctx, a, st); err != nil {
		return nil, err
	}
	positions, err := a.put(c.ctx, st, records)
	if err != nil {
		return nil, err
	}
	out := make([]putRecordOutput, len(records))
	for i, r := range records {
		out[i] = putRecordOutput{shardID(r.shard), st.sequenceNumber(r.shard, positions[i])}
	}
	return out, nil
}
