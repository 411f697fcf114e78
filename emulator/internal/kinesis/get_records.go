package kinesis

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// getRecordsInput is the input of GetRecords.
type getRecordsInput struct {
	ShardIterator *string
	Limit         *int
	StreamARN     *string
}

// The limits of one response.
const (
	maxRecords     = 10_000
	maxRecordBytes = 10 << 20
)

func (in *getRecordsInput) check(v *violations) {
	v.required("shardIterator", in.ShardIterator, 1, 512)
	v.between("limit", in.Limit, 1, maxRecords)
	v.text("streamARN", in.StreamARN, 1, 2048)
}

type getRecordsOutput struct {
	Records            []recordOutput
	NextShardIterator  string
	MillisBehindLatest int64
}

type recordOutput struct {
	SequenceNumber              string
	ApproximateArrivalTimestamp timestamp
	Data                        []byte
	PartitionKey                string
}

// getRecords returns the next records of a shard. The source's records are delivered first.
func getRecords(c *call, in *getRecordsInput) (any, error) {
	i, ok := decodeIterator(*in.ShardIterator)
	if !ok {
		return nil, invalidArgument("Invalid ShardIterator.") // (mhart/kinesalite.)
	}
	a, st, err := c.stream(streamRef{StreamName: &i.stream, StreamARN: in.StreamARN})
	if err != nil {
		return nil, err
	}
	if st.FirstID != i.firstID || i.shard >= st.Shards {
		return nil, invalidArgument("Invalid ShardIterator.")
	}
	if now := c.clock.Now(); now.Sub(i.issued) > iteratorLifetime {
		return nil, expiredIterator(i.issued, now)
	}
	if err := c.deliver(c.ctx, a, st); err != nil {
		return nil, err
	}
	limit := maxRecords
	if in.Limit != nil {
		limit = *in.Limit
	}
	return c.read(st, i, limit)
}

// expiredIterator returns the error for an iterator that is too old. (mhart/kinesalite.)
func expiredIterator(issued, now time.Time) *Error {
	const layout = "Mon Jan 02 15:04:05 UTC 2006"
	return kinesisError("ExpiredIteratorException", "Iterator expired. The iterator was created at time "+
		issued.UTC().Format(layout)+" while right now it is "+now.UTC().Format(layout)+
		" which is further in the future than the tolerated delay of 300000 milliseconds.")
}

// read reads a shard from an iterator's position.
func (c *call) read(st *stream, i iterator, limit int) (*getRecordsOutput, error) {
	out, bytes := &getRecordsOutput{Records: []recordOutput{}}, 0
	l := st.logs[i.shard]
	floor, now := l.Floor(), c.clock.Now()
	from := max(i.next, c.horizon())
	next := max(from, floor+1)
	err := c.store.View(func(r *store.Reader) error {
		return l.Read(r, from, floor, false, func(p changelog.Position, record changelog.Record) (bool, error) {
			size := len(record.Key) + len(record.New)
			if len(out.Records) == limit || len(out.Records) > 0 && bytes+size > maxRecordBytes {
				next = p
				out.MillisBehindLatest = max(0, now.Sub(p.Time()).Milliseconds())
				return false, nil
			}
			bytes += size
			out.Records = append(out.Records, st.output(i.shard, p, record))
			if err := c.work.Step(1 + size/64); err != nil {
				return false, err
			}
			return true, c.work.Grow(3 * size)
		})
	})
	l.SaveAhead(c.ctx, floor)
	i.next, i.issued = next, now
	out.NextShardIterator = i.encode()
	return out, err
}

// output returns a record as in the response, in its own memory.
func (st *stream) output(shard int, p changelog.Position, r changelog.Record) recordOutput {
	return recordOutput{
		SequenceNumber:              st.sequenceNumber(shard, p),
		ApproximateArrivalTimestamp: timestampOf(p.Time()),
		Data:                        append([]byte{}, r.New...), PartitionKey: string(r.Key),
	}
}
