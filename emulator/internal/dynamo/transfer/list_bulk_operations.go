package transfer

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// ListBulkOperationsInput requests a page of the bulk operations of the account.
type ListBulkOperationsInput struct {
	MaxResults *int32  `check:"min=1,max=25"`
	NextToken  *string `check:"minlen=1,maxlen=1024,hexadecimal"`
}

// Decode decodes the request.
func (in *ListBulkOperationsInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

// Check checks the request.
func (in *ListBulkOperationsInput) Check() error {
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	return checkToken(bulkKind, in.NextToken)
}

// AppendResourceRefs appends all bulk operations.
func (in *ListBulkOperationsInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{})
}

type listBulkOperationsOutput struct {
	BulkOperationsSummaryList []bulkSummary
	NextToken                 string `json:",omitempty"`
}

type bulkSummary struct {
	BulkOperationArn    string
	BulkOperationStatus string
	StartTime           float64
	EndTime             float64 `json:",omitempty"`
}

func (out *listBulkOperationsOutput) AppendJSON(dst []byte) []byte {
	return wire.AppendMarshaled(dst, out)
}

// ListBulkOperations lists bulk operations, the newest first.
func ListBulkOperations(req *engine.Request, in *ListBulkOperationsInput) (*listBulkOperationsOutput, error) {
	found, next, err := list(req, jobsOf(req.Account).bulks.All(), bulkKind, in.MaxResults, in.NextToken,
		func(*Bulk) bool { return true })
	out := &listBulkOperationsOutput{BulkOperationsSummaryList: []bulkSummary{}, NextToken: next}
	p := engine.ExtensionOf[*Extension](req.Engine)
	for _, x := range found {
		d := x.describe(req.Engine, p.runOf(x.ARN))
		out.BulkOperationsSummaryList = append(out.BulkOperationsSummaryList,
			bulkSummary{d.BulkOperationArn, d.BulkOperationStatus, d.StartTime, d.EndTime})
	}
	return out, err
}
