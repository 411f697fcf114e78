package globaltables

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// UpdateGlobalTableInput adds replicas to a global table, or removes them.
type UpdateGlobalTableInput struct {
	GlobalTableName *string              `check:"notnull,name,minlen=3,maxlen=255"`
	ReplicaUpdates  []ReplicaUpdateInput `check:"notnull"`
}

// ReplicaUpdateInput adds a replica or removes one.
type ReplicaUpdateInput struct {
	Create *CreateReplicaActionInput
	Delete *DeleteReplicaActionInput
}

// CreateReplicaActionInput is the region of a replica to add.
type CreateReplicaActionInput struct {
	RegionName *string `check:"notnull"`
}

// DeleteReplicaActionInput is the region of a replica to remove.
type DeleteReplicaActionInput struct {
	RegionName *string `check:"notnull"`
}

func (in *UpdateGlobalTableInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }
func (in *UpdateGlobalTableInput) Check() error                 { return wire.CheckShape(in) }

// UpdateGlobalTable returns an error: of the version, before the service looks for the table, if a replica would be
// added, otherwise that the table does not exist.
func UpdateGlobalTable(_ *engine.Request, in *UpdateGlobalTableInput) (*noOutput, error) {
	if len(in.ReplicaUpdates) == 0 {
		return nil, wire.ValidationError("One or more parameter values were invalid")
	}
	for _, update := range in.ReplicaUpdates {
		switch {
		case update.Create != nil:
			return nil, unsupportedVersion()
		case update.Delete == nil: // (ack-api-quirks DDB-TABLE-457, 2026-10-09)
			return nil, wire.ValidationError("One or more parameter values were invalid")
		}
	}
	return nil, notFound("", *in.GlobalTableName)
}
