package transfer

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// ListImportsInput requests a page of the imports of the account, or of those into one table.
type ListImportsInput struct {
	TableArn  *string `check:"minlen=1,maxlen=1024"`
	PageSize  *int32  `check:"min=1,max=25"`
	NextToken *string `check:"minlen=112,maxlen=1024,hexadecimal"`
}

// Decode decodes the request.
func (in *ListImportsInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

// Check checks the request.
func (in *ListImportsInput) Check() error {
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	if in.TableArn != nil {
		if err := checkTableARN(*in.TableArn); err != nil {
			return err
		}
	}
	return checkToken("import", in.NextToken)
}

// AppendResourceRefs appends the imports into the table, or all.
func (in *ListImportsInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{})
}

type listImportsOutput struct {
	ImportSummaryList []importSummary
	NextToken         string `json:",omitempty"`
}

type importSummary struct {
	ImportArn             string
	ImportStatus          string
	TableArn              string
	S3BucketSource        S3BucketSourceInput
	CloudWatchLogGroupArn string
	InputFormat           string
	StartTime             float64
	EndTime               float64 `json:",omitempty"`
}

func (out *listImportsOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, out) }

// ListImports lists imports, the newest first, also those in progress and those into tables that were deleted
// (aws-controllers-k8s/dynamodb-controller, 2026-10).
func ListImports(req *engine.Request, in *ListImportsInput) (*listImportsOutput, error) {
	found, next, err := list(req, jobsOf(req.Account).imports.All(), "import", in.PageSize, in.NextToken,
		func(x *Import) bool { return in.TableArn == nil || x.TableARN == *in.TableArn })
	out := &listImportsOutput{ImportSummaryList: []importSummary{}, NextToken: next}
	for _, x := range found {
		d := x.describe(req.Engine)
		out.ImportSummaryList = append(out.ImportSummaryList, importSummary{d.ImportArn, d.ImportStatus, d.TableArn,
			d.S3BucketSource, d.CloudWatchLogGroupArn, d.InputFormat, d.StartTime, d.EndTime})
	}
	return out, err
}
