package globaltables

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// CreateGlobalTableInput joins tables of one name in several regions.
type CreateGlobalTableInput struct {
	GlobalTableName  *string        `check:"notnull,name,minlen=3,maxlen=255"`
	ReplicationGroup []ReplicaInput `check:"notnull"`
}

// ReplicaInput is a table of a global table, by its region.
type ReplicaInput struct{ RegionName *string }

func (in *CreateGlobalTableInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }
func (in *CreateGlobalTableInput) Check() error                 { return wire.CheckShape(in) }

// CreateGlobalTable returns an error: the service refuses the version before it looks at the tables.
func CreateGlobalTable(*engine.Request, *CreateGlobalTableInput) (*noOutput, error) {
	return nil, unsupportedVersion()
}
