package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// DisableKinesisStreamingDestination ends the delivery of a table's changes to a stream. All changes before it are
// delivered. A destination that is DISABLING may be disabled again.
func DisableKinesisStreamingDestination(req *engine.Request,
	in *KinesisStreamingDestinationInput) (*destinationOutput, error) {
	if in.EnableKinesisStreamingConfiguration != nil {
		return nil, wire.ValidationError("Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters")
	}
	if err := req.Account.DDL.Close(req.BeginWait()); err != nil {
		return nil, err
	}
	defer req.Account.DDL.Open()
	t, err := req.Account.NamedTable(*in.TableName)
	if err != nil {
		return nil, err
	}
	out := &destinationOutput{TableName: t.Def.Name, StreamArn: *in.StreamArn, DestinationStatus: "DISABLING"}
	at := destinationAt(t.Def.Destinations, *in.StreamArn)
	if at < 0 {
		return nil, wire.ValidationError(invalidState + mustBeActive)
	}
	switch t.Def.Destinations[at].Status(req.Engine.Now()) {
	case "DISABLING":
		return out, nil
	case engine.Active:
		_, err = endDelivery(req, t)
		return out, err
	}
	return nil, wire.ValidationError(invalidState + mustBeActive)
}
