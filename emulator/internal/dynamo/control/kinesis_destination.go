package control

import (
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/destination"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// The states of Kinesis destinations, their durations and the errors are those that aws-controllers-k8s/
// dynamodb-controller recorded, 2026-10-09.

var (
	enablingDestination  = DurationRange{2020 * time.Millisecond, 7080 * time.Millisecond}
	failingDestination   = DurationRange{time.Second, 2110 * time.Millisecond}
	updatingDestination  = DurationRange{123 * time.Second, 152 * time.Second}
	disablingDestination = DurationRange{time.Second, 2200 * time.Millisecond}
)

// Why a destination cannot be enabled. The service says so in its description only: the request succeeds.
const (
	noSuchStream  = "User does not have a permission to use kinesis stream"
	otherRegion   = "The kinesis Arn used to enable kinesis replication belongs to a stream which is not in the current region"
	otherAccount  = "The kinesis Arn used to enable kinesis replication belongs to a stream which is not in Active state"
	invalidState  = "Table is not in a valid state to enable Kinesis Streaming Destination: "
	mustBeOff     = "EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform ENABLE operation."
	mustBeActive  = "KinesisStreamingDestination must be ACTIVE to perform DISABLE operation."
	noDestination = "No streaming destination with streamArn: " // LocalStack's snapshots of the service, 2025-07-23
	onlyForActive = "Kinesis streaming is not in ACTIVE state. Updates are only allowed in ACTIVE state. TableName: "
)

// PrecisionInput is the configuration of a destination.
type PrecisionInput struct {
	ApproximateCreationDateTimePrecision *string `check:"enum=MILLISECOND|MICROSECOND"`
}

// precisionOutput is the configuration as the request had it.
type precisionOutput struct {
	ApproximateCreationDateTimePrecision string `json:",omitempty"`
}

func (in *PrecisionInput) output() *precisionOutput {
	if in == nil {
		return &precisionOutput{}
	}
	return &precisionOutput{wire.OrZero(in.ApproximateCreationDateTimePrecision)}
}

// destinationOutput is the answer of the operations that change a destination.
type destinationOutput struct {
	TableName                           string
	StreamArn                           string
	DestinationStatus                   string
	EnableKinesisStreamingConfiguration *precisionOutput `json:",omitempty"`
	UpdateKinesisStreamingConfiguration *precisionOutput `json:",omitempty"`
}

func (out *destinationOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, out) }

// destinationAt returns the position of the destination with that stream, -1 if there is none.
func destinationAt(all []engine.KinesisDestination, arn string) int {
	return slices.IndexFunc(all, func(d engine.KinesisDestination) bool { return d.StreamARN == arn })
}

// settled returns when a change that begins now is complete.
func settled(e *engine.Engine, r DurationRange) float64 {
	now := e.Now()
	if e.States {
		now += float64(RandomDuration(e, r)/time.Millisecond) / 1000
	}
	return now
}

// maxDestinations is how many destinations a table remembers, of which at most one, the newest, is enabled. No limit of
// the service is known.
const maxDestinations = 100

// publishDestination replaces the destination with the stream of d, or adds d before the others.
func publishDestination(req *engine.Request, t *engine.Table, d engine.KinesisDestination) (*engine.Table, error) {
	def := t.Def.Clone()
	if at := destinationAt(def.Destinations, d.StreamARN); at >= 0 {
		def.Destinations = slices.Clone(def.Destinations)
		def.Destinations[at] = d
	} else {
		def.Destinations = append([]engine.KinesisDestination{d},
			def.Destinations[:min(len(def.Destinations), maxDestinations-1)]...)
	}
	return req.Account.Publish(req.BeginWait(), def, nil)
}

// endDelivery delivers what is left of a table's changes to its destination, and disables it: the changes up to then
// are in the stream, and later ones are not. It returns the table as it is afterwards.
func endDelivery(req *engine.Request, t *engine.Table) (*engine.Table, error) {
	d := t.Def.Delivering()
	if d == nil {
		return t, nil
	}
	p := engine.ExtensionOf[*destination.Extension](req.Engine)
	if err := p.Deliver(req.BeginWait(), req.Account, t); err != nil { // most of it, while writes go on
		return nil, err
	}
	ended := *d
	ended.Change, ended.Settled = engine.DisableDestination, settled(req.Engine, disablingDestination)
	t, err := publishDestination(req, t, ended) // sets the end in the log
	if err != nil {
		return nil, err
	}
	if err := p.Deliver(req.BeginWait(), req.Account, t); err != nil {
		return nil, err
	}
	ended.Delivering, ended.Precision = false, ""
	return publishDestination(req, t, ended)
}

// destinationFailure returns why a stream cannot be a destination; empty if it can.
func destinationFailure(req *engine.Request, arn string) string {
	parts := strings.SplitN(arn, ":", 6)
	switch {
	case len(parts) != 6 || parts[2] != "kinesis":
		return noSuchStream
	case parts[3] != req.Account.Region():
		return otherRegion
	case parts[4] != req.Account.ID():
		return otherAccount
	}
	if !engine.ExtensionOf[*destination.Extension](req.Engine).HasStream(req.Account, arn) {
		return noSuchStream
	}
	return ""
}
