package globaltables

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// GlobalTableInput names a global table.
type GlobalTableInput struct {
	GlobalTableName *string `check:"notnull,name,minlen=3,maxlen=255"`
}

func (in *GlobalTableInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }
func (in *GlobalTableInput) Check() error                 { return wire.CheckShape(in) }

// noOutput is the output of an operation that always fails.
type noOutput struct{}

func (*noOutput) AppendJSON(dst []byte) []byte { return append(dst, "{}"...) }
