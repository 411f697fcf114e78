package streams

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// The limits of one response of GetRecords.
const (
	maxRecords     = 1000
	maxRecordBytes = 1 << 20
	// maxScannedChanges is the most changes of the table that are read for one response. Changes of other shards count
	// too, so a response may have no records but a NextShardIterator.
	maxScannedChanges = 20_000
)

// GetRecordsInput requests the records after a shard iterator.
type GetRecordsInput struct {
	ShardIterator *string `check:"notnull,minlen=1,maxlen=2048"`
	Limit         *int32  `check:"min=1,max=1000"` // ScyllaDB's test on AWS, 2025: a ValidationException
}

func (in *GetRecordsInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

// Traits returns the traits of the request.
func (in *GetRecordsInput) Traits() engine.Traits { return engine.Traits{Stream: true} }

func (in *GetRecordsInput) Check() error {
	return wire.CheckShape(in)
}

// AppendResourceRefs appends the stream whose ARN the iterator contains.
func (in *GetRecordsInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	arn, _, _ := strings.Cut(wire.OrZero(in.ShardIterator), iteratorVersion)
	return append(dst, engine.ResourceRef{Resource: arn})
}

// getRecordsOutput is a response that is written while the log is read.
type getRecordsOutput struct {
	stream *Stream
	region string
	json   []byte // the records, without brackets
	count  int
	size   int // in bytes, as SizeBytes counts them
	next   string
}

func (out *getRecordsOutput) AppendJSON(dst []byte) []byte {
	dst = append(append(append(dst, `{"Records":[`...), out.json...), ']')
	if out.next != "" {
		dst = jsonwrite.AppendString(append(dst, `,"NextShardIterator":`...), out.next)
	}
	return append(dst, '}')
}

// GetRecords returns the next records of a shard.
func GetRecords(req *engine.Request, in *GetRecordsInput) (*getRecordsOutput, error) {
	i, err := decodeIterator(req.Account, *in.ShardIterator)
	if err != nil {
		return nil, err
	}
	now := req.Engine.Clock.Now()
	if err := checkNotExpired(req.Account, i); err != nil {
		return nil, err
	}
	st, err := findStream(req.Account, i.ARN)
	if err != nil {
		return nil, err
	}
	// Read the floor before the shards: a later change may belong to a shard that begins in between.
	floor := st.Log.Floor()
	if st, err = RepartitionedStream(req.Account, req.BeginWait(), i.ARN); err != nil {
		return nil, err
	}
	if _, t := req.Engine.TableByID(st.Table); t != nil {
		if err := t.CheckAvailable(); err != nil {
			return nil, err
		}
	}
	s, ok := findShard(req.Engine, st, i.Shard)
	// Again: the clock may just have been advanced, and the shard removed.
	if err := checkNotExpired(req.Account, i); err != nil {
		return nil, err
	}
	if !ok {
		// (formkiq/formkiq-core#524, 2026.)
		return nil, wire.DynamoError("ResourceNotFoundException", "Invalid ShardId in ShardIterator")
	}
	limit := maxRecords
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	out := &getRecordsOutput{stream: st, region: req.Account.Region()}
	next, err := out.read(req, s, i, floor, limit)
	req.Event.Records = telemetry.StreamRead{Table: st.TableName, Label: st.Label, Records: out.count, Bytes: out.size}
	saveCurrentPosition(req, st)
	if err == nil && req.IsRedelivered() {
		next = i.Next
	}
	if err != nil || s.To != 0 && next > s.To {
		return out, err // the closed shard has been read to its end
	}
	i.Next, i.Issued = next, now
	out.next, err = encodeIterator(req.Account, i)
	return out, err
}

// checkNotExpired returns an error for an expired iterator. Nothing that an unexpired one can read has been removed.
func checkNotExpired(a *engine.Account, i iterator) error {
	if a.Engine.Clock.Now().Sub(i.Issued) > iteratorLifetime {
		// The message is not confirmed.
		return wire.DynamoError("ExpiredIteratorException",
			"The shard iterator has expired. Shard iterators are valid for 15 minutes")
	}
	return nil
}

// read reads a shard from an iterator's position up to another, and returns the position to continue from.
func (out *getRecordsOutput) read(req *engine.Request, s *Shard, i iterator, to changelog.Position,
	limit int) (next changelog.Position, err error) {
	if s.To != 0 {
		to = min(to, s.To)
	}
	from, horizon, scanned, work := i.Next, horizon(req.Engine), 0, req.Budget()
	next = max(from, to+1)
	err = req.Engine.Store.View(func(r *store.Reader) error {
		// Again: the clock may have been advanced, and changes removed, before the Reader was opened.
		if err := checkNotExpired(req.Account, i); err != nil {
			return err
		}
		return out.stream.Log.Read(r, from, to, false, func(p changelog.Position, record changelog.Record) (bool, error) {
			if err := work.Step(1 + (len(record.Old)+len(record.New))/engine.ItemBytesPerStep); err != nil {
				return false, err
			}
			if scanned++; scanned > maxScannedChanges {
				next = p
				return false, nil
			}
			if !s.contains(record.Key) {
				return true, nil
			}
			if p < horizon {
				return false, errTrimmed()
			}
			e := out.stream.newEvent(p, &record)
			if out.count == limit || out.count > 0 && out.size+e.size > maxRecordBytes {
				next = p
				return false, nil
			}
			before := len(out.json)
			out.append(e)
			return true, work.Grow(engine.ResponseCopies * (len(out.json) - before))
		})
	})
	return next, err
}

// streamEvent is a record as the stream shows it.
type streamEvent struct {
	position       changelog.Position
	record         *changelog.Record
	keys, old, new item.Value // nil unless the stream's view type has the image
	size           int        // in bytes
}

func (st *Stream) newEvent(p changelog.Position, r *changelog.Record) streamEvent {
	e := streamEvent{position: p, record: r}
	image := item.Value(r.New)
	if image == nil {
		image = item.Value(r.Old)
	}
	e.keys = st.keyOf(image)
	if r.Kind != changelog.Insert && engine.HasOldImage(st.ViewType) {
		e.old = r.Old
	}
	if r.Kind != changelog.Remove && engine.HasNewImage(st.ViewType) {
		e.new = r.New
	}
	e.size = engine.SizeOf(e.keys) + engine.SizeOf(e.old) + engine.SizeOf(e.new)
	return e
}

// keyOf returns the key of an item of the stream's table.
func (st *Stream) keyOf(it item.Value) item.Value {
	entries := make([]item.Entry, 0, 2)
	for _, e := range st.KeySchema {
		if v, ok := it.Field(e.AttributeName); ok {
			entries = append(entries, item.Entry{Name: e.AttributeName, Value: v})
		}
	}
	return item.NewMap(entries...)
}

// eventNames are the names of changes in records.
var eventNames = map[changelog.Kind]string{changelog.Insert: "INSERT", changelog.Modify: "MODIFY",
	changelog.Remove: "REMOVE"}

// append writes a record.
func (out *getRecordsOutput) append(e streamEvent) {
	dst := out.json
	if out.count > 0 {
		dst = append(dst, ',')
	}
	dst = jsonwrite.AppendString(append(dst, `{"eventID":`...), eventID(out.stream.ARN, e.position))
	dst = append(append(append(dst, `,"eventName":"`...), eventNames[e.record.Kind]...),
		`","eventVersion":"1.1","eventSource":"aws:dynamodb","awsRegion":`...)
	dst = jsonwrite.AppendString(dst, out.region)
	dst = append(dst, `,"dynamodb":{"ApproximateCreationDateTime":`...)
	dst = strconv.AppendInt(dst, e.position.Time().Unix(), 10)
	dst = e.keys.AppendItem(append(dst, `,"Keys":`...))
	if e.new != nil {
		dst = e.new.AppendItemHashed(append(dst, `,"NewImage":`...))
	}
	if e.old != nil {
		dst = e.old.AppendItemHashed(append(dst, `,"OldImage":`...))
	}
	dst = append(append(append(dst, `,"SequenceNumber":"`...), sequenceNumber(e.position)...), `","SizeBytes":`...)
	dst = strconv.AppendInt(dst, int64(e.size), 10)
	dst = append(append(append(dst, `,"StreamViewType":"`...), out.stream.ViewType...), `"}`...)
	if e.record.ByService { // an expired item
		dst = append(dst, `,"userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}`...)
	}
	out.json = append(dst, '}')
	out.count, out.size = out.count+1, out.size+e.size
}

// eventID returns a unique id for a record. It is the same whenever the record is read.
func eventID(arn string, p changelog.Position) string {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64([]byte(arn), uint64(p)))
	return hex.EncodeToString(sum[:16])
}

func (in *GetRecordsInput) ResponseBytes() int64 { return engine.PageBytes }
