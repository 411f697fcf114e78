package history

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/pointintime"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// SpanInput asks for the moments of a table that can be read, and how much changed between two of them.
type SpanInput struct{ rangeInput }

// rangeInput is the part of a request about a table between two moments.
type rangeInput struct {
	TableName wire.TableName
	From, To  wire.Optional[string] // not set: the earliest and the latest moment
}

// decodeMember decodes a member if it belongs to rangeInput.
func (in *rangeInput) decodeMember(d *wire.Decoder, name []byte) (known bool, err error) {
	switch string(name) {
	case "TableName":
		return true, d.TableName(&in.TableName)
	case "From":
		return true, d.Str(&in.From)
	case "To":
		return true, d.Str(&in.To)
	}
	return false, nil
}

func (in *SpanInput) Decode(d *wire.Decoder) error {
	return d.Members(func(name []byte) error {
		if known, err := in.decodeMember(d, name); known {
			return err
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
	*pointintime.Counts
	Restorable restorable `json:"restorable"`
}

// restorable is the first and the last second to which RestoreTableToPointInTime can restore: the end of the second.
type restorable struct {
	Earliest time.Time `json:"earliest"`
	Latest   time.Time `json:"latest"`
}

func (o SpanOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, o) }

// Span returns the moments of a table that can be read, and counts the changes between two of them.
func Span(req *engine.Request, in *SpanInput) (o SpanOutput, err error) {
	t, moments, err := findTable(req, in.TableName.V)
	if err != nil {
		return o, err
	}
	o.Restorable.Earliest, o.Restorable.Latest = backup.RecoveryWindow(t, req.Engine.Clock.Now().UTC())
	from, to, err := moments.Between(in.From.V, in.To.V)
	if err != nil {
		return o, convert(err)
	}
	err = view(req, t, from, func(r *store.Reader) error {
		o.Counts, err = moments.Count(r, t.Log, from, to, &req.Work, extensionOf(req).Bounds)
		return err
	})
	return o, err
}
