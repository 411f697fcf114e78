package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

type describeTimeToLiveOutput struct{ TimeToLiveDescription TimeToLiveDescription }

// TimeToLiveDescription is whether a table's items expire, and by which attribute.
type TimeToLiveDescription struct {
	TimeToLiveStatus string
	AttributeName    string `json:",omitempty"`
}

func (out *describeTimeToLiveOutput) AppendJSON(dst []byte) []byte {
	return wire.AppendMarshaled(dst, out)
}

// DescribeTimeToLive describes the time to live of a table.
func DescribeTimeToLive(req *engine.Request, in *TableInput) (*describeTimeToLiveOutput, error) {
	// (ack-api-quirks DDB-TABLE-115 and DDB-TABLE-118, 2026-10-08.)
	if now := TransitionOf(req.Account, *in.TableName); now != nil && (now.Status == engine.Creating ||
		now.Status == engine.Deleting) {
		return nil, wire.ValidationError("Cannot describe time to live while table is in " + now.Status +
			" state: Current table state is " + now.Status)
	}
	t, err := req.Account.NamedTable(*in.TableName)
	if err != nil {
		return nil, err
	}
	d := TimeToLiveDescription{"DISABLED", ""}
	if t.Def.TTLAttribute != "" {
		d = TimeToLiveDescription{"ENABLED", t.Def.TTLAttribute}
	}
	return &describeTimeToLiveOutput{d}, nil
}
