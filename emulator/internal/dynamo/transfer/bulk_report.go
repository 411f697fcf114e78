package transfer

import (
	"context"
	"slices"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// The kinds of output of a bulk operation.
const (
	outputErrors    = "ERROR"
	outputUnmatched = "CONDITION_CHECK_FAILURE"
)

// bulkReport writes what a bulk operation did not put to its output bucket. The layout is that of an export, with one
// folder for each kind of output; the service's is not recorded.
type bulkReport struct {
	job       *Bulk
	manifests *exportFiles
	errors    *exportFiles // nil: not requested
	unmatched *exportFiles // nil: not requested
	line      []byte
}

// newBulkReport returns the report of a bulk operation. Errors: a failure if the bucket does not exist, or who started
// the operation may not write to it.
func (p *Extension) newBulkReport(ctx context.Context, a *engine.Account, who *identity.Principal,
	x *Bulk) (*bulkReport, error) {
	out := x.Input.OutputS3Configuration
	if err := p.bucketFailure(a, *out.S3Bucket, orDefault(out.S3BucketOwner, "")); err != nil {
		return nil, err
	}
	folder := outputFolder(out.S3KeyPrefix) + x.ARN[len(x.TableARN+"/"+bulkKind+"/"):] + "/"
	files := func(data string) *exportFiles {
		return &exportFiles{objects: p.Objects, engine: p.Engine, bucket: *out.S3Bucket, folder: folder,
			data: folder + data, suffix: ".json.gz"}
	}
	r := &bulkReport{job: x, manifests: files("")}
	if slices.Contains(out.OutputType, outputErrors) {
		r.errors = files("error/")
	}
	if slices.Contains(out.OutputType, outputUnmatched) {
		r.unmatched = files("condition-check-failure/")
	}
	return r, p.authorize(ctx, who, "PutObject", *out.S3Bucket+"/"+folder+"manifest-summary.json")
}

// recordOf is the place of a record: its object's key, and its position in the object, from 0.
type recordOf struct {
	key   string
	index int
}

// head begins a line about a record.
func (r *bulkReport) head(at recordOf) {
	r.line = jsonwrite.AppendString(append(r.line[:0], `{"S3Key":`...), at.key)
	r.line = strconv.AppendInt(append(r.line, `,"ItemIndex":`...), int64(at.index), 10)
}

func (r *bulkReport) addItem(name string, it item.Value) {
	if it != nil {
		r.line = it.AppendItem(append(append(append(r.line, `,"`...), name...), `":`...))
	}
}

// addError reports a record that is not valid; it is nil if it is not an item.
func (r *bulkReport) addError(at recordOf, it item.Value, cause error) error {
	if r.errors == nil {
		return nil
	}
	r.head(at)
	r.line = jsonwrite.AppendString(append(r.line, `,"ErrorMessage":`...), messageOf(cause))
	r.addItem("Item", it)
	return r.errors.write(append(r.line, "}\n"...))
}

// addUnmatched reports an item whose condition does not hold for the existing item, nil if there is none.
func (r *bulkReport) addUnmatched(at recordOf, it, existing item.Value) error {
	if r.unmatched == nil {
		return nil
	}
	r.head(at)
	r.addItem("Item", it)
	r.addItem("ExistingItem", existing)
	return r.unmatched.write(append(r.line, "}\n"...))
}

// parts returns the kinds of output that were requested.
func (r *bulkReport) parts() []*exportFiles {
	return slices.DeleteFunc([]*exportFiles{r.errors, r.unmatched}, func(f *exportFiles) bool { return f == nil })
}

// abort discards the files that are not complete.
func (r *bulkReport) abort() {
	for _, f := range r.parts() {
		f.abort()
	}
}

// bulkSummaryFile is the content of manifest-summary.json.
type bulkSummaryFile struct {
	BulkOperationArn           string   `json:"bulkOperationArn"`
	StartTime                  string   `json:"startTime"`
	EndTime                    string   `json:"endTime"`
	TableArn                   string   `json:"tableArn"`
	TableID                    string   `json:"tableId"`
	S3Bucket                   string   `json:"s3Bucket"`
	S3Prefix                   *string  `json:"s3Prefix"`
	ManifestFilesS3Key         string   `json:"manifestFilesS3Key"`
	OutputType                 []string `json:"outputType"`
	ProcessedItemCount         int64    `json:"processedItemCount"`
	FailedItemCount            int64    `json:"failedItemCount"`
	ConditionCheckFailureCount int64    `json:"conditionCheckFailureCount"`
}

// finish completes the files and writes the manifests, the summary last.
func (r *bulkReport) finish(c *bulkCounts) error {
	var done []dataFile
	for _, f := range r.parts() {
		if err := f.finish(); err != nil {
			return err
		}
		done = append(done, f.done...)
	}
	m, x := r.manifests, r.job
	if err := m.putFileList(done); err != nil {
		return err
	}
	out := x.Input.OutputS3Configuration
	return m.putSummary(&bulkSummaryFile{
		BulkOperationArn: x.ARN, StartTime: timestamp(x.Start), EndTime: timestamp(max(x.Start, m.engine.Now())),
		TableArn: x.TableARN, TableID: x.TableID, S3Bucket: m.bucket, S3Prefix: out.S3KeyPrefix,
		ManifestFilesS3Key: m.folder + "manifest-files.json", OutputType: out.OutputType,
		ProcessedItemCount: c.Items, FailedItemCount: c.Failed, ConditionCheckFailureCount: c.Unmatched,
	})
}
