package transfer

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// Bulk is the description of a bulk operation, as the store keeps it. It is immutable once it is stored.
type Bulk struct {
	job
	Table    string // its name
	TableARN string
	TableID  string
	Input    StartBulkPutItemsInput

	bulkCounts
}

// bulkCounts are the counts of a bulk operation.
type bulkCounts struct {
	Items     int64  // processed: written, failed, or with a condition that does not hold
	Failed    int64  // items that are not valid, and objects of which the rest could not be read
	Unmatched int64  // items with a condition that does not hold
	Read      int64  // bytes of the objects, before decompression
	Total     *int64 // bytes of all objects; nil: not known yet
	Written   engine.BulkBytes
}

// The statuses that only bulk operations have.
const (
	completedWithErrors = "COMPLETED_WITH_ERRORS"
	cancelling          = "CANCELLING"
	cancelled           = "CANCELLED"
)

// standardTier is the performance tier of a bulk operation that was started without one.
const standardTier = "STANDARD"

// The durations of bulk operations with transitional states. None is recorded: these are those of imports.
var (
	puttingItems = importing
	failingBulk  = failingImport
	stoppingBulk = control.DurationRange{Min: time.Second, Max: 6 * time.Second}
)

// bulkDescription is the service's structure. Whether TableDetails and BulkOperationUsage have the name or the ARN of
// the table is not documented.
type bulkDescription struct {
	BulkOperationArn      string
	BulkOperationStatus   string
	TableDetails          []bulkTable
	ClientToken           string `json:",omitempty"`
	InputS3Configuration  any
	OutputS3Configuration any
	StartTime             float64
	EndTime               float64 `json:",omitempty"`
	ProcessedItemCount    int64
	ProcessedInputBytes   int64
	TotalInputBytes       *int64 `json:",omitempty"`
	BulkOperationUsage    []bulkUsage
	FailedItemCount       int64
	FailureCode           string `json:",omitempty"`
	FailureMessage        string `json:",omitempty"`
	MaxWriteRequestUnits  *int64 `json:",omitempty"`
	PerformanceTier       string
}

type bulkTable struct{ TableName, TableId string }

type bulkUsage struct {
	TableName              string
	BulkPutBytes           int64
	Table                  bulkBytes
	LocalSecondaryIndexes  map[string]bulkBytes       `json:",omitempty"`
	GlobalSecondaryIndexes map[string]bulkBytes       `json:",omitempty"`
	VectorIndexes          map[string]bulkVectorBytes `json:",omitempty"`
}

type bulkBytes struct{ BulkPutBytes int64 }

type bulkVectorBytes struct{ BulkPutVectorBytes int64 }

// consumptionKind returns what the bytes that the operation wrote are billed as.
func (x *Bulk) consumptionKind() telemetry.ConsumptionKind {
	if orDefault(x.Input.PerformanceTier, standardTier) == standardTier {
		return telemetry.BulkPuts
	}
	return telemetry.AcceleratedBulkPuts
}

// describe describes a bulk operation, with its counts so far. r is its run; nil: it had ended before x was looked up.
func (x *Bulk) describe(e *engine.Engine, r *bulkRun) *bulkDescription {
	in := &x.Input
	d := &bulkDescription{
		BulkOperationArn: x.ARN, BulkOperationStatus: inProgress, TableDetails: []bulkTable{{x.TableARN, x.TableID}},
		ClientToken: x.Token, InputS3Configuration: withoutNulls(in.InputS3Configuration),
		OutputS3Configuration: withoutNulls(in.OutputS3Configuration), StartTime: x.Start,
		MaxWriteRequestUnits: in.MaxWriteRequestUnits, PerformanceTier: orDefault(in.PerformanceTier, standardTier),
	}
	d.count(x.TableARN, &x.bulkCounts)
	switch {
	case x.isDone(e):
		d.BulkOperationStatus, d.EndTime, d.FailureCode, d.FailureMessage = x.Status, x.End, x.FailureCode, x.FailureMessage
	case x.Status == cancelled:
		d.BulkOperationStatus = cancelling
	case r != nil:
		counts, stopping := r.progress()
		d.count(x.TableARN, &counts)
		if stopping {
			d.BulkOperationStatus = cancelling
		}
	}
	return d
}

// count sets the counts.
func (d *bulkDescription) count(table string, c *bulkCounts) {
	d.ProcessedItemCount, d.FailedItemCount = c.Items, c.Failed
	d.ProcessedInputBytes, d.TotalInputBytes = c.Read, c.Total
	usage := bulkUsage{TableName: table, Table: bulkBytes{c.Written.Table}, BulkPutBytes: c.Written.Table}
	usage.LocalSecondaryIndexes = usage.indexes(c.Written.Local)
	usage.GlobalSecondaryIndexes = usage.indexes(c.Written.Global)
	for name, bytes := range c.Written.Vectors {
		if usage.VectorIndexes == nil {
			usage.VectorIndexes = map[string]bulkVectorBytes{}
		}
		usage.VectorIndexes[name] = bulkVectorBytes{bytes}
	}
	d.BulkOperationUsage = []bulkUsage{usage}
}

// indexes adds the bytes of indexes to the total and returns them by index; nil: there are none.
func (u *bulkUsage) indexes(written map[string]int64) map[string]bulkBytes {
	if len(written) == 0 {
		return nil
	}
	all := map[string]bulkBytes{}
	for name, bytes := range written {
		u.BulkPutBytes += bytes
		all[name] = bulkBytes{bytes}
	}
	return all
}

type bulkOutput struct{ BulkOperationDescription *bulkDescription }

func (out *bulkOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, out) }

// bulkOf returns the bulk operation with an ARN. The model has no other error for an absent one than
// ResourceNotFoundException; the messages are ours.
func bulkOf(a *engine.Account, arn string) (*Bulk, error) {
	if owner, _ := accountOf(arn, bulkKind); owner != a.ID() {
		return nil, wire.ServiceError("AccessDeniedException", "Access is denied")
	}
	if x, ok := jobsOf(a).bulks.All()[arn]; ok {
		return x, nil
	}
	return nil, wire.DynamoError("ResourceNotFoundException",
		"Requested resource not found: Bulk operation: "+arn+" not found")
}

// bulkKind is the resource of bulk operations in ARNs. It is ours: no ARN is documented.
const bulkKind = "bulk-operation"

// checkBulkARN returns an error for a text that is not the ARN of a bulk operation.
func checkBulkARN(arn string) error {
	if _, ok := accountOf(arn, bulkKind); !ok {
		return wire.ValidationError("Invalid Bulk Operation ARN")
	}
	return nil
}
