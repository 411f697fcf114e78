package transfer

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// Export is the description of an export, as the store keeps it. It is immutable once it is stored.
type Export struct {
	job
	Table    string // its name
	TableARN string
	TableID  string
	Input    ExportTableToPointInTimeInput
	Time     float64 // seconds since 1970 whose state a full export has
	From, To float64 // the range of an incremental export: seconds since 1970, To excluded
	View     string  // of an incremental export

	Items    int64
	Billed   int64  // bytes
	Manifest string // key of the summary; empty: the export is not complete
}

// The formats, types and views of exports.
const (
	dynamoJSON   = "DYNAMODB_JSON"
	ion          = "ION"
	csvFormat    = "CSV"
	fullExport   = "FULL_EXPORT"
	incremental  = "INCREMENTAL_EXPORT"
	newImage     = "NEW_IMAGE"
	bothImages   = "NEW_AND_OLD_IMAGES"
	kmsAlgorithm = "KMS"
	sseAlgorithm = "AES256"
)

// isIncremental reports whether the export is of changes.
func (x *Export) isIncremental() bool { return wire.OrZero(x.Input.ExportType) == incremental }

func orDefault(s *string, otherwise string) string {
	if s == nil {
		return otherwise
	}
	return *s
}

// exportDescription is the service's structure. The service returns DestinationType, which the SDK's model does not
// have (aws-controllers-k8s/dynamodb-controller, 2026-10).
type exportDescription struct {
	ExportArn                      string
	ExportStatus                   string
	StartTime                      float64
	EndTime                        float64 `json:",omitempty"`
	ExportManifest                 string  `json:",omitempty"`
	TableArn                       string
	TableId                        string
	ExportTime                     float64 `json:",omitempty"`
	ClientToken                    string  `json:",omitempty"`
	S3Bucket                       string
	S3BucketOwner                  *string `json:",omitempty"`
	S3Prefix                       *string `json:",omitempty"`
	S3SseAlgorithm                 string
	S3SseKmsKeyId                  *string `json:",omitempty"`
	FailureCode                    string  `json:",omitempty"`
	FailureMessage                 string  `json:",omitempty"`
	ExportFormat                   string
	BilledSizeBytes                *int64                `json:",omitempty"`
	ItemCount                      *int64                `json:",omitempty"`
	ExportType                     *string               `json:",omitempty"`
	IncrementalExportSpecification *incrementDescription `json:",omitempty"`
	DestinationType                string
}

type incrementDescription struct {
	ExportFromTime float64
	ExportToTime   float64
	ExportViewType string
}

// describe describes the export. The type is not reported unless it was requested, and the results only at the end
// (aws-controllers-k8s/dynamodb-controller, 2026-10).
func (x *Export) describe(e *engine.Engine) *exportDescription {
	in := &x.Input
	d := &exportDescription{
		ExportArn: x.ARN, ExportStatus: inProgress, StartTime: x.Start, TableArn: x.TableARN, TableId: x.TableID,
		ExportTime: x.Time, ClientToken: x.Token, S3Bucket: *in.S3Bucket, S3BucketOwner: in.S3BucketOwner,
		S3Prefix: in.S3Prefix, S3SseAlgorithm: orDefault(in.S3SseAlgorithm, sseAlgorithm), S3SseKmsKeyId: in.S3SseKmsKeyId,
		ExportFormat: orDefault(in.ExportFormat, dynamoJSON), ExportType: in.ExportType, DestinationType: "S3",
	}
	if x.isIncremental() {
		d.IncrementalExportSpecification = &incrementDescription{x.From, x.To, x.View}
	}
	if !x.isDone(e) {
		return d
	}
	d.ExportStatus, d.EndTime, d.FailureCode, d.FailureMessage = x.Status, x.End, x.FailureCode, x.FailureMessage
	if x.Status == completed {
		d.ExportManifest, d.ItemCount, d.BilledSizeBytes = x.Manifest, &x.Items, &x.Billed
	}
	return d
}

type exportOutput struct{ ExportDescription *exportDescription }

func (out *exportOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, out) }
