package globaltables

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// DescribeTableReplicaAutoScalingInput names a table of version 2019.11.21.
type DescribeTableReplicaAutoScalingInput struct {
	TableName *string `check:"notnull,minlen=1,maxlen=1024"`
}

func (in *DescribeTableReplicaAutoScalingInput) Decode(d *wire.Decoder) error {
	return d.NamedShape(in, &in.TableName)
}

func (in *DescribeTableReplicaAutoScalingInput) Check() error { return wire.CheckShape(in) }

func (in *DescribeTableReplicaAutoScalingInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: *in.TableName})
}

// DescribeTableReplicaAutoScaling describes the auto scaling of a table's replicas. It fails for a table without
// replicas.
func DescribeTableReplicaAutoScaling(req *engine.Request,
	in *DescribeTableReplicaAutoScalingInput) (*autoScalingOutput, error) {
	t, err := replicaTable(req, *in.TableName)
	if err != nil {
		return nil, err
	}
	return describeAutoScaling(req.Account, t), nil
}
