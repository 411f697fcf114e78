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

// DescribeTableReplicaAutoScaling returns an error: the table has no replicas, or does not exist.
func DescribeTableReplicaAutoScaling(_ *engine.Request, in *DescribeTableReplicaAutoScalingInput) (*noOutput, error) {
	return nil, withoutReplicas(*in.TableName)
}

// withoutReplicas returns the error for a table that has no replicas, or does not exist.
func withoutReplicas(table string) error {
	return wire.DynamoError("ResourceNotFoundException", noGlobalTable(table))
}
