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
