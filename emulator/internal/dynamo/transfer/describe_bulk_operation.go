package transfer

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// BulkOperationInput is the input of DescribeBulkOperation and CancelBulkOperation.
type BulkOperationInput struct {
	BulkOperationArn *string `check:"notnull,minlen=37,maxlen=1024"`
}

// Decode decodes the request.
func (in *BulkOperationInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

// Check checks the request.
func (in *BulkOperationInput) Check() error {
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	return checkBulkARN(*in.BulkOperationArn)
}

// AppendResourceRefs appends the bulk operation.
func (in *BulkOperationInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Resource: wire.OrZero(in.BulkOperationArn)})
}

// DescribeBulkOperation describes a bulk operation, also while it runs, and after its table was deleted.
func DescribeBulkOperation(req *engine.Request, in *BulkOperationInput) (*bulkOutput, error) {
	r := engine.ExtensionOf[*Extension](req.Engine).runOf(*in.BulkOperationArn)
	x, err := bulkOf(req.Account, *in.BulkOperationArn)
	if err != nil {
		return nil, err
	}
	return &bulkOutput{x.describe(req.Engine, r)}, nil
}
