package control

import (
	"cmp"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/destination"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// UpdateKinesisStreamingDestinationInput changes the precision of times in records.
type UpdateKinesisStreamingDestinationInput struct {
	TableName                           *string
	StreamArn                           *string `check:"notnull,maxlen=1024"`
	UpdateKinesisStreamingConfiguration *PrecisionInput
}

func (in *UpdateKinesisStreamingDestinationInput) Decode(d *wire.Decoder) error {
	return d.NamedShape(in, &in.TableName)
}

func (in *UpdateKinesisStreamingDestinationInput) Check() error {
	if err := CheckTableName(in.TableName); err != nil {
		return err
	}
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	if in.UpdateKinesisStreamingConfiguration.output().ApproximateCreationDateTimePrecision == "" {
		return wire.ValidationError("Streaming destination cannot be updated with given parameters: " +
			"UpdateKinesisStreamingConfiguration cannot be null or contain only null values")
	}
	return nil
}

// UpdateKinesisStreamingDestination changes the precision of the times of later changes.
func UpdateKinesisStreamingDestination(req *engine.Request,
	in *UpdateKinesisStreamingDestinationInput) (*destinationOutput, error) {
	if err := req.Account.DDL.Close(req.BeginWait()); err != nil {
		return nil, err
	}
	defer req.Account.DDL.Open()
	t, err := req.Account.NamedTable(*in.TableName)
	if err != nil {
		return nil, err
	}
	at := destinationAt(t.Def.Destinations, *in.StreamArn)
	if at < 0 {
		return nil, wire.ValidationError(invalidState + noDestination + *in.StreamArn + " found for table with tableName: " +
			t.Def.Name)
	}
	if t.Def.Destinations[at].Status(req.Engine.Now()) != engine.Active {
		return nil, wire.ValidationError(invalidState + onlyForActive + t.Def.Name + ", kdsArn: " + *in.StreamArn)
	}
	d, config := t.Def.Destinations[at], in.UpdateKinesisStreamingConfiguration.output()
	precision := config.ApproximateCreationDateTimePrecision
	if precision == cmp.Or(d.Precision, "MILLISECOND") {
		return nil, wire.ValidationError("Invalid Request: Precision is already set to the desired value of " + precision +
			" for tableId: " + t.Def.UUID + ", kdsArn: " + *in.StreamArn)
	}
	p := engine.ExtensionOf[*destination.Extension](req.Engine)
	if err := p.Deliver(req.BeginWait(), req.Account, t); err != nil { // earlier changes
		return nil, err
	}
	d.Precision, d.Change, d.Settled = precision, engine.UpdateDestination, settled(req.Engine, updatingDestination)
	_, err = publishDestination(req, t, d)
	return &destinationOutput{TableName: t.Def.Name, StreamArn: d.StreamARN, DestinationStatus: engine.Updating,
		UpdateKinesisStreamingConfiguration: config}, err
}

func (in *UpdateKinesisStreamingDestinationInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: wire.OrZero(in.TableName)})
}
