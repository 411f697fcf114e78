package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

type describeKinesisStreamingDestinationOutput struct {
	TableName                     string
	KinesisDataStreamDestinations []destinationDescription
}

// destinationDescription describes a destination. The precision is absent until it is set.
type destinationDescription struct {
	StreamArn                            string
	DestinationStatus                    string
	DestinationStatusDescription         string `json:",omitempty"`
	ApproximateCreationDateTimePrecision string `json:",omitempty"`
}

func (out *describeKinesisStreamingDestinationOutput) AppendJSON(dst []byte) []byte {
	return wire.AppendMarshaled(dst, out)
}

// DescribeKinesisStreamingDestination lists the Kinesis destinations of a table, the newest first: one for each stream,
// those that are disabled or could not be enabled included.
func DescribeKinesisStreamingDestination(req *engine.Request,
	in *TableInput) (*describeKinesisStreamingDestinationOutput, error) {
	t, err := req.Account.NamedTable(*in.TableName)
	if err != nil {
		return nil, err
	}
	out := &describeKinesisStreamingDestinationOutput{t.Def.Name, []destinationDescription{}}
	for _, d := range t.Def.Destinations {
		status := d.Status(req.Engine.Now())
		description := destinationDescription{d.StreamARN, status, "", d.Precision}
		if status == "ENABLE_FAILED" {
			description.DestinationStatusDescription = d.Failure
		}
		out.KinesisDataStreamDestinations = append(out.KinesisDataStreamDestinations, description)
	}
	return out, nil
}
