package transfer

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// DescribeExportInput requests the description of an export.
type DescribeExportInput struct {
	ExportArn *string `check:"notnull,minlen=37,maxlen=1024"`
}

// Decode decodes the request.
func (in *DescribeExportInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

// Check checks the request.
func (in *DescribeExportInput) Check() error {
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	if _, ok := accountOf(*in.ExportArn, "export"); !ok {
		return wire.ValidationError("Invalid Export ARN")
	}
	return nil
}

// AppendResourceRefs appends the export.
func (in *DescribeExportInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Resource: wire.OrZero(in.ExportArn)})
}

// DescribeExport describes an export. The messages are the service's
// (aws-controllers-k8s/dynamodb-controller, 2026-10).
func DescribeExport(req *engine.Request, in *DescribeExportInput) (*exportOutput, error) {
	a, arn := req.Account, *in.ExportArn
	if owner, _ := accountOf(arn, "export"); owner != a.ID() {
		return nil, wire.ServiceError("AccessDeniedException", "Access is denied")
	}
	if x, ok := jobsOf(a).exports.All()[arn]; ok {
		return &exportOutput{x.describe(req.Engine)}, nil
	}
	if strings.Split(arn, ":")[3] != a.Region() {
		return nil, wire.DynamoError("ExportNotFoundException", "Export not found: Invalid export arn")
	}
	return nil, wire.DynamoError("ExportNotFoundException", "Export not found: Export not found: "+arn)
}
