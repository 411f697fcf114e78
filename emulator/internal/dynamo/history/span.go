package history

import (
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// maxBuckets is the number of equal parts of time in which changes are counted.
const maxBuckets = 200

// SpanInput asks for the moments of a table that can be read, and how much changed between two of them.
type SpanInput struct {
	TableName wire.TableName
	From, To  wire.Optional[string] // not set: the earliest and the latest moment
}

func (in *SpanInput) Decode(d *wire.Decoder) error {
	return d.Members(func(name []byte) error {
		switch string(name) {
		case "TableName":
			return d.TableName(&in.TableName)
		case "From":
			return d.Str(&in.From)
		case "To":
			return d.Str(&in.To)
		}
		return d.Skip()
	})
}

func (in *SpanInput) Check() error { return nil }

func (in *SpanInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Action: "DescribeContinuousBackups", Table: in.TableName.V})
}

// SpanOutput is the moments that can be read, and the changes in equal parts of a range of them.
type SpanOutput struct {
	Earliest string `json:"earliest"`
	Latest   string `json:"latest"`
	// Counted is the moment up to which changes are counted: the end of the range, unless a request does not do so much
	// work.
	Counted string   `json:"counted"`
	Buckets []bucket `json:"buckets"`
}

// bucket counts the changes from one moment to another, without the latter, except in the last bucket.
type bucket struct {
	From    string `json:"from"`
	To      string `json:"to"`
	Puts    int64  `json:"puts"` // items that were put or updated
	Deletes int64  `json:"deletes"`
}

func (o *SpanOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, o) }

// Span returns the moments of a table that can be read, and counts the changes between two of them.
func Span(req *engine.Request, in *SpanInput) (*SpanOutput, error) {
	t, err := findTable(req, in.TableName.V)
	if err != nil {
		return nil, err
	}
	moments := spanOf(req, t)
	from, to, err := moments.between(in.From, in.To)
	if err != nil {
		return nil, err
	}
	c := newCounter(from, to)
	if err := c.count(req, t); err != nil {
		return nil, err
	}
	return &SpanOutput{timeText(moments.earliest), timeText(moments.latest), timeText(c.counted), c.buckets}, nil
}

// between returns two moments of a request, which are the earliest and the latest by default.
func (s span) between(from, to wire.Optional[string]) (first, last changelog.Position, err error) {
	first = s.earliest
	if from.V != "" {
		if first, err = s.moment("from", from.V); err != nil {
			return 0, 0, err
		}
	}
	if last, err = s.moment("to", to.V); err == nil && first > last {
		err = wire.ValidationError("from must not be after to")
	}
	return first, last, err
}

// counter counts changes.
type counter struct {
	from, to changelog.Position
	width    uint64 // of a bucket, in nanoseconds
	buckets  []bucket
	counted  changelog.Position
}

func newCounter(from, to changelog.Position) *counter {
	c := &counter{from: from, to: to, buckets: []bucket{}, counted: to}
	length := uint64(to - from)
	if length == 0 {
		return c
	}
	c.width = (length + maxBuckets - 1) / maxBuckets
	for at := from; at < to; at += changelog.Position(c.width) {
		c.buckets = append(c.buckets, bucket{From: timeText(at), To: timeText(min(to, at+changelog.Position(c.width)))})
	}
	return c
}

// count counts the changes of a table.
func (c *counter) count(req *engine.Request, t *engine.Table) error {
	if len(c.buckets) == 0 {
		return nil
	}
	return req.Engine.Store.View(func(r *store.Reader) error {
		if err := t.CheckCurrent(); err != nil {
			return err
		}
		return t.Log.Read(r, c.from, c.to, false, func(p changelog.Position, record changelog.Record) (bool, error) {
			if spent(req) {
				c.counted = p - 1
				return false, nil
			}
			b := &c.buckets[min(uint64(p-c.from)/c.width, uint64(len(c.buckets)-1))]
			if record.Kind == changelog.Remove {
				b.Deletes++
			} else {
				b.Puts++
			}
			return true, req.Work.Step(recordSteps(&record))
		})
	})
}
