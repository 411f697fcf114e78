package dynamo

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// The limits of one answer of GetRecords.
const (
	maxRecords     = 1000
	maxRecordBytes = 1 << 20
	// maxLooked is how many changes of the table are looked at for an answer: those of other shards count too, so an answer
	// may have no records and still a place to go on from.
	maxLooked = 20_000
)

// GetRecordsInput asks for the records after a shard iterator.
type GetRecordsInput struct {
	ShardIterator *string `check:"notnull,minlen=1,maxlen=2048"`
	Limit         *int32  `check:"min=1"`
}

func (in *GetRecordsInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }

func (in *GetRecordsInput) check() error {
	if err := checkShape(in); err != nil {
		return err
	}
	if in.Limit != nil && *in.Limit > maxRecords {
		// The API reference has this error for it; the text is not confirmed.
		return dynamoError("LimitExceededException", "Limit must be less than or equal to 1000")
	}
	return nil
}

// appendResourceRefs names the stream that the iterator is of, if it is one.
func (in *GetRecordsInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	arn, _, _ := strings.Cut(orZero(in.ShardIterator), iteratorVersion)
	return append(dst, resourceRef{resource: arn})
}

// getRecordsOutput is an answer that is written while the log is read.
type getRecordsOutput struct {
	stream *stream
	region string
	json   []byte // the records, without brackets
	count  int
	size   int // in bytes, as SizeBytes counts them
	next   string
}

func (out *getRecordsOutput) appendJSON(dst []byte) []byte {
	dst = append(append(append(dst, `{"Records":[`...), out.json...), ']')
	if out.next != "" {
		dst = jsonwrite.AppendString(append(dst, `,"NextShardIterator":`...), out.next)
	}
	return append(dst, '}')
}

// getRecords reads on in a shard.
func getRecords(a *request, in *GetRecordsInput) (*getRecordsOutput, error) {
	i, err := a.account.decodeIterator(*in.ShardIterator)
	if err != nil {
		return nil, err
	}
	now := a.service.clock.Now()
	if err := a.account.checkLife(i); err != nil {
		return nil, err
	}
	st, err := a.account.stream(i.arn)
	if err != nil {
		return nil, err
	}
	// How far to read is asked before which shards there are: what comes after may belong to one that begins meanwhile.
	floor := st.log.Floor()
	if st, err = a.account.dividedStream(a.waiting(), i.arn); err != nil {
		return nil, err
	}
	if _, t := a.service.tableByID(st.Table); t != nil {
		if err := t.available(a.account); err != nil {
			return nil, err
		}
	}
	s, ok := a.service.shard(st, i.shard)
	if err := a.account.checkLife(i); err != nil { // once more: the shard may have gone because the clock was advanced just now
		return nil, err
	}
	if !ok {
		return nil, dynamoError("ResourceNotFoundException", "Invalid ShardId in ShardIterator") // (formkiq/formkiq-core#524, 2026.)
	}
	limit := maxRecords
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	out := &getRecordsOutput{stream: st, region: a.account.region()}
	next, err := out.read(a, s, i, floor, limit)
	a.event.Records = telemetry.StreamRead{Table: st.TableName, Label: st.Label, Records: out.count, Bytes: out.size}
	if err != nil || s.to != 0 && next > s.to {
		return out, err // all of a closed shard has been read
	}
	i.next, i.made = next, now
	out.next, err = a.account.encodeIterator(i)
	return out, err
}

// checkLife refuses an iterator that has expired. While it lives, nothing is removed of what it is to read.
func (a *account) checkLife(i iterator) error {
	if a.service.clock.Now().Sub(i.made) > iteratorLife {
		return dynamoError("ExpiredIteratorException", "The shard iterator has expired. Shard iterators are valid for 15 minutes") // not confirmed
	}
	return nil
}

// read reads a shard from an iterator's position to another, and gives the one to go on from.
func (out *getRecordsOutput) read(a *request, s *shard, i iterator, to changelog.Position, limit int) (next changelog.Position, err error) {
	if s.to != 0 {
		to = min(to, s.to)
	}
	from, horizon, looked, work := i.next, a.service.horizon(), 0, a.budget()
	next = max(from, to+1)
	err = a.service.store.View(func(r *store.Reader) error {
		if err := a.account.checkLife(i); err != nil { // once more: the clock may have been advanced before the Reader, and changes removed
			return err
		}
		return out.stream.log.Read(r, from, to, false, func(p changelog.Position, record changelog.Record) (bool, error) {
			if err := work.Step(1 + (len(record.Old)+len(record.New))/itemBytesPerStep); err != nil {
				return false, err
			}
			if looked++; looked > maxLooked {
				next = p
				return false, nil
			}
			if err := a.budget().Step(1 + (len(record.Old)+len(record.New))/16); err != nil {
				return false, err
			}
			if !s.has(record.Key) {
				return true, nil
			}
			if p < horizon {
				return false, errTrimmed()
			}
			e := out.stream.event(p, &record)
			if out.count == limit || out.count > 0 && out.size+e.size > maxRecordBytes {
				next = p
				return false, nil
			}
			before := len(out.json)
			out.append(e)
			return true, work.Grow(copies * (len(out.json) - before))
		})
	})
	return next, err
}

// event is what the stream shows of a record.
type event struct {
	at             changelog.Position
	record         *changelog.Record
	keys, old, new item.Value // nil where it does not show the item as it was, or is
	size           int        // in bytes
}

func (st *stream) event(p changelog.Position, r *changelog.Record) event {
	e := event{at: p, record: r}
	known := item.Value(r.New)
	if known == nil {
		known = item.Value(r.Old)
	}
	e.keys = st.keys().of(known)
	if r.Kind != changelog.Insert && showsOld(st.ViewType) {
		e.old = r.Old
	}
	if r.Kind != changelog.Remove && showsNew(st.ViewType) {
		e.new = r.New
	}
	e.size = sizeOf(e.keys) + sizeOf(e.old) + sizeOf(e.new)
	return e
}

// keys is the key schema of the stream's table, of which only the names matter.
func (st *stream) keys() keySchema {
	var k keySchema
	for _, e := range st.KeySchema {
		if e.KeyType == "HASH" {
			k.hash.name = e.AttributeName
		} else {
			k.sort.name = e.AttributeName
		}
	}
	return k
}

// eventNames are what the kinds of changes are called in records.
var eventNames = map[changelog.Kind]string{changelog.Insert: "INSERT", changelog.Modify: "MODIFY", changelog.Remove: "REMOVE"}

// append writes a record.
func (out *getRecordsOutput) append(e event) {
	dst := out.json
	if out.count > 0 {
		dst = append(dst, ',')
	}
	dst = jsonwrite.AppendString(append(dst, `{"eventID":`...), eventID(out.stream.ARN, e.at))
	dst = append(append(append(dst, `,"eventName":"`...), eventNames[e.record.Kind]...), `","eventVersion":"1.1","eventSource":"aws:dynamodb","awsRegion":`...)
	dst = jsonwrite.AppendString(dst, out.region)
	dst = append(dst, `,"dynamodb":{"ApproximateCreationDateTime":`...)
	dst = strconv.AppendInt(dst, e.at.Time().Unix(), 10)
	dst = e.keys.AppendItem(append(dst, `,"Keys":`...))
	if e.new != nil {
		dst = e.new.AppendItem(append(dst, `,"NewImage":`...))
	}
	if e.old != nil {
		dst = e.old.AppendItem(append(dst, `,"OldImage":`...))
	}
	dst = append(append(append(dst, `,"SequenceNumber":"`...), sequenceNumber(e.at)...), `","SizeBytes":`...)
	dst = strconv.AppendInt(dst, int64(e.size), 10)
	dst = append(append(append(dst, `,"StreamViewType":"`...), out.stream.ViewType...), `"}`...)
	if e.record.ByService { // an item whose time had come
		dst = append(dst, `,"userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}`...)
	}
	out.json = append(dst, '}')
	out.count, out.size = out.count+1, out.size+e.size
}

// eventID tells a record from all others, whenever it is read.
func eventID(arn string, p changelog.Position) string {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64([]byte(arn), uint64(p)))
	return hex.EncodeToString(sum[:16])
}

func (in *GetRecordsInput) answerBytes() int64 { return pageBytes }
