package streams

import (
	"slices"
	"strconv"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// The types of shard iterators.
const (
	trimHorizon         = "TRIM_HORIZON"
	latest              = "LATEST"
	atSequenceNumber    = "AT_SEQUENCE_NUMBER"
	afterSequenceNumber = "AFTER_SEQUENCE_NUMBER"
	atTimestamp         = "AT_TIMESTAMP"
)

// GetShardIteratorInput identifies a position in a shard of a stream.
type GetShardIteratorInput struct {
	StreamArn         *string  `check:"notnull,minlen=37,maxlen=1024"`
	ShardId           *string  `check:"notnull,minlen=28,maxlen=65"`
	ShardIteratorType *string  `check:"notnull,enum=TRIM_HORIZON|LATEST|AT_SEQUENCE_NUMBER|AFTER_SEQUENCE_NUMBER|AT_TIMESTAMP"`
	SequenceNumber    *string  `check:"minlen=21,maxlen=40"`
	Timestamp         *float64 // seconds since 1970
}

func (in *GetShardIteratorInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

// Check also returns an error for a sequence number or a timestamp that is missing or must not be set.
// (scylladb/scylladb, test_streams.py, has tested on AWS that these are ValidationExceptions; the messages are not
// confirmed.)
func (in *GetShardIteratorInput) Check() error {
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	if err := checkStreamARN(*in.StreamArn); err != nil {
		return err
	}
	bySequence := *in.ShardIteratorType == atSequenceNumber || *in.ShardIteratorType == afterSequenceNumber
	switch {
	case bySequence && in.SequenceNumber == nil:
		return wire.ValidationError("SequenceNumber is required for ShardIteratorType " + *in.ShardIteratorType)
	case !bySequence && in.SequenceNumber != nil:
		return wire.ValidationError("SequenceNumber must not be specified for ShardIteratorType " + *in.ShardIteratorType)
	case *in.ShardIteratorType == atTimestamp && in.Timestamp == nil:
		return wire.ValidationError("Timestamp is required for ShardIteratorType " + atTimestamp)
	case *in.ShardIteratorType != atTimestamp && in.Timestamp != nil:
		return wire.ValidationError("Timestamp must not be specified for ShardIteratorType " + *in.ShardIteratorType)
	case bySequence:
		_, err := parseSequenceNumber(*in.SequenceNumber)
		return err
	}
	return nil
}

// parseSequenceNumber parses a sequence number that sequenceNumber wrote.
func parseSequenceNumber(text string) (changelog.Position, error) {
	n, err := strconv.ParseUint(text[1:], 10, 64)
	if err != nil || text[0] != '1' {
		return 0, wire.ValidationError("Invalid SequenceNumber: " + text)
	}
	return changelog.Position(n), nil
}

func (in *GetShardIteratorInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Resource: wire.OrZero(in.StreamArn)})
}

type getShardIteratorOutput struct{ ShardIterator string }

func (out *getShardIteratorOutput) AppendJSON(dst []byte) []byte {
	return wire.AppendMarshaled(dst, out)
}

// GetShardIterator returns an iterator for a position in a shard.
func GetShardIterator(req *engine.Request, in *GetShardIteratorInput) (*getShardIteratorOutput, error) {
	st, err := RepartitionedStream(req.Account, req.BeginWait(), *in.StreamArn)
	if err != nil {
		return nil, err
	}
	s, ok := findShard(req.Engine, st, *in.ShardId)
	if !ok {
		// (ironSource/node-dynamodb-stream#16, 2021.)
		return nil, wire.DynamoError("ResourceNotFoundException", "Requested resource not found: Shard does not exist")
	}
	i := iterator{ARN: st.ARN, Shard: s.ID, Issued: req.Engine.Clock.Now()}
	if i.Next, err = in.startPosition(req, st, s); err != nil {
		return nil, err
	}
	saveCurrentPosition(req, st)
	text, err := encodeIterator(req.Account, i)
	return &getShardIteratorOutput{text}, err
}

// findShard returns a shard that still has, or may get, readable records.
func findShard(e *engine.Engine, st *Stream, id string) (*Shard, bool) {
	all := st.Shards(currentPosition(e, st), horizon(e))
	at := slices.IndexFunc(all, func(e Shard) bool { return e.ID == id })
	if at < 0 {
		return nil, false
	}
	return &all[at], true
}

// startPosition returns the position of the first record to read.
func (in *GetShardIteratorInput) startPosition(req *engine.Request, st *Stream, s *Shard) (changelog.Position, error) {
	oldest := max(s.From, horizon(req.Engine))
	switch *in.ShardIteratorType {
	case latest:
		return max(s.From, st.Log.Tip()+1), nil
	case atTimestamp:
		if *in.Timestamp > req.Engine.Now() {
			return 0, wire.ValidationError("Timestamp must not be in the future")
		}
		return max(oldest, changelog.At(time.UnixMilli(int64(*in.Timestamp*1000)))), nil
	case atSequenceNumber, afterSequenceNumber:
		return in.startAtSequence(s, oldest, currentPosition(req.Engine, st))
	}
	return oldest, nil
}

func (in *GetShardIteratorInput) startAtSequence(s *Shard, oldest, now changelog.Position) (changelog.Position, error) {
	at, err := parseSequenceNumber(*in.SequenceNumber)
	switch {
	case err != nil:
		return 0, err
	case at < s.From || s.To != 0 && at > s.To || at > now:
		return 0, wire.ValidationError("Invalid SequenceNumber: " + *in.SequenceNumber)
	case at < oldest:
		return 0, errTrimmed()
	case *in.ShardIteratorType == afterSequenceNumber:
		return at + 1, nil
	}
	return at, nil
}

// errTrimmed returns the error for records older than 24 hours. (ironSource/node-dynamodb-stream#13, 2019.)
func errTrimmed() *wire.Error {
	return wire.DynamoError("TrimmedDataAccessException", "The data you are trying to access has been trimmed")
}
