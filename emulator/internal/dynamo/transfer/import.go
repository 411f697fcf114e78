package transfer

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// Import is the description of an import, as the store keeps it. It is immutable once it is stored.
type Import struct {
	job
	TableARN string
	TableID  string
	Account  string // which is the bucket's owner unless the request names another one
	Region   string
	Input    ImportTableInput

	importCounts
}

// importCounts are the counts of an import.
type importCounts struct {
	Bytes    int64 // of what was read, after decompression
	Imported int64 // items written, also those that another one of the same key replaced
	Errors   int64 // items that were not imported, and objects of which the rest could not be read
}

// importDescription is the service's structure.
type importDescription struct {
	ImportArn               string
	ImportStatus            string
	TableArn                string
	TableId                 string
	ClientToken             string
	S3BucketSource          S3BucketSourceInput
	ErrorCount              int64
	CloudWatchLogGroupArn   string
	InputFormat             string
	InputFormatOptions      *InputFormatOptionsInput `json:",omitempty"`
	InputCompressionType    string
	TableCreationParameters any
	StartTime               float64
	EndTime                 float64 `json:",omitempty"`
	ProcessedSizeBytes      *int64  `json:",omitempty"`
	ProcessedItemCount      int64
	ImportedItemCount       int64
	FailureCode             string `json:",omitempty"`
	FailureMessage          string `json:",omitempty"`
}

// describe describes the import. The counts are 0, and the size is missing, until its end
// (scylladb/scylladb, test_import.py, 2026-09).
func (x *Import) describe(e *engine.Engine) *importDescription {
	in := &x.Input
	d := &importDescription{
		ImportArn: x.ARN, ImportStatus: inProgress, TableArn: x.TableARN, TableId: x.TableID, ClientToken: x.Token,
		S3BucketSource: x.source(), CloudWatchLogGroupArn: x.logGroup(), InputFormat: *in.InputFormat,
		InputFormatOptions: in.InputFormatOptions, InputCompressionType: orDefault(in.InputCompressionType, uncompressed),
		TableCreationParameters: withoutNulls(in.TableCreationParameters), StartTime: x.Start,
	}
	if !x.isDone(e) {
		return d
	}
	d.ImportStatus, d.EndTime, d.FailureCode, d.FailureMessage = x.Status, x.End, x.FailureCode, x.FailureMessage
	d.ErrorCount, d.ImportedItemCount, d.ProcessedItemCount = x.Errors, x.Imported, x.Imported+x.Errors
	d.ProcessedSizeBytes = &x.Bytes
	return d
}

// source returns the source of the import with the bucket's owner.
func (x *Import) source() S3BucketSourceInput {
	source := *x.Input.S3BucketSource
	if source.S3BucketOwner == nil {
		source.S3BucketOwner = &x.Account
	}
	return source
}

// logGroup returns the ARN of the log group to which the service writes the errors of items.
func (x *Import) logGroup() string {
	partition, _, _ := strings.Cut(strings.TrimPrefix(x.TableARN, "arn:"), ":")
	return "arn:" + partition + ":logs:" + x.Region + ":" + x.Account + ":log-group:/aws-dynamodb/imports:*"
}

// withoutNulls returns what v is in JSON without members that are null: a part of a request, as it was sent.
func withoutNulls(v any) any {
	text, err := json.Marshal(v)
	if err != nil {
		return nil // inputs are structs of strings and numbers
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var document any
	_ = d.Decode(&document) // it was just encoded
	return dropNulls(document)
}

func dropNulls(document any) any {
	switch document := document.(type) {
	case map[string]any:
		maps.DeleteFunc(document, func(_ string, value any) bool { return value == nil })
		for _, value := range document {
			dropNulls(value)
		}
	case []any:
		for _, value := range document {
			dropNulls(value)
		}
	}
	return document
}

type importOutput struct{ ImportTableDescription *importDescription }

func (out *importOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, out) }
