package globaltables

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// GlobalTableInput names a global table.
type GlobalTableInput struct {
	GlobalTableName *string `check:"notnull,name"`
}

func (in *GlobalTableInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

// Check checks the length first, in words of its own (ack-api-quirks DDB-TABLE-457, 2026-10-09).
func (in *GlobalTableInput) Check() error {
	if name := in.GlobalTableName; name != nil && (len(*name) < 3 || len(*name) > shape.MaxNameLength) {
		return wire.ValidationError("TableName must be at least 3 characters long and at most 255 characters long")
	}
	return wire.CheckShape(in)
}

// noOutput is the output of an operation that always fails.
type noOutput struct{}

func (*noOutput) AppendJSON(dst []byte) []byte { return append(dst, "{}"...) }
