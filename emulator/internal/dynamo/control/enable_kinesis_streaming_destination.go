package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// KinesisStreamingDestinationInput enables or disables the delivery of a table's changes to a Kinesis stream.
type KinesisStreamingDestinationInput struct {
	TableName                           *string
	StreamArn                           *string `check:"notnull,maxlen=1024"`
	EnableKinesisStreamingConfiguration *PrecisionInput
}

func (in *KinesisStreamingDestinationInput) Decode(d *wire.Decoder) error {
	return d.NamedShape(in, &in.TableName)
}

func (in *KinesisStreamingDestinationInput) Check() error {
	if err := CheckTableName(in.TableName); err != nil {
		return err
	}
	return wire.CheckShape(in)
}

// EnableKinesisStreamingDestination begins to deliver a table's changes to a stream. Any ARN is accepted; the status of
// one that cannot be used becomes ENABLE_FAILED. (Only this operation checks the length of the ARN: ack-api-quirks
// DDB-TABLE-302 and DDB-TABLE-457, 2026-10-09.)
func EnableKinesisStreamingDestination(req *engine.Request,
	in *KinesisStreamingDestinationInput) (*destinationOutput, error) {
	if err := wire.CheckShape(&struct {
		StreamArn *string `check:"minlen=37"`
	}{in.StreamArn}); err != nil {
		return nil, err
	}
	if err := req.Account.DDL.Close(req.BeginWait()); err != nil {
		return nil, err
	}
	defer req.Account.DDL.Open()
	t, err := req.Account.NamedTable(*in.TableName)
	if err != nil {
		return nil, err
	}
	for _, d := range t.Def.Destinations {
		if status := d.Status(req.Engine.Now()); status != "DISABLED" && status != "ENABLE_FAILED" {
			return nil, wire.ValidationError(invalidState + mustBeOff)
		}
	}
	if t, err = endDelivery(req, t); err != nil { // of one whose disabling was interrupted by a crash
		return nil, err
	}
	d := engine.KinesisDestination{StreamARN: *in.StreamArn, Change: engine.EnableDestination,
		Failure: destinationFailure(req, *in.StreamArn)}
	config := in.EnableKinesisStreamingConfiguration.output()
	d.Precision, d.Delivering = config.ApproximateCreationDateTimePrecision, d.Failure == ""
	d.Settled = settled(req.Engine, enablingDestination)
	if d.Failure != "" {
		d.Settled = settled(req.Engine, failingDestination)
	}
	_, err = publishDestination(req, t, d)
	return &destinationOutput{TableName: t.Def.Name, StreamArn: d.StreamARN, DestinationStatus: "ENABLING",
		EnableKinesisStreamingConfiguration: config}, err
}

func (in *KinesisStreamingDestinationInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: wire.OrZero(in.TableName)})
}
