package transfer

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// DescribeImportInput requests the description of an import.
type DescribeImportInput struct {
	ImportArn *string `check:"notnull,minlen=37,maxlen=1024"`
}

// Decode decodes the request.
func (in *DescribeImportInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

// Check checks the request.
func (in *DescribeImportInput) Check() error {
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	if _, ok := accountOf(*in.ImportArn, "import"); !ok {
		return wire.ValidationError("Invalid Import ARN")
	}
	return nil
}

// AppendResourceRefs appends the import.
func (in *DescribeImportInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Resource: wire.OrZero(in.ImportArn)})
}

// DescribeImport describes an import, also after its table was deleted. The errors are the service's
// (aws-controllers-k8s/dynamodb-controller, 2026-10); the messages of those for absent imports are as for exports.
func DescribeImport(req *engine.Request, in *DescribeImportInput) (*importOutput, error) {
	a, arn := req.Account, *in.ImportArn
	if owner, _ := accountOf(arn, "import"); owner != a.ID() {
		return nil, wire.ServiceError("AccessDeniedException", "Access is denied")
	}
	if x, ok := jobsOf(a).imports.All()[arn]; ok {
		return &importOutput{x.describe(req.Engine)}, nil
	}
	if strings.Split(arn, ":")[3] != a.Region() {
		return nil, wire.DynamoError("ImportNotFoundException", "Import not found: Invalid import arn")
	}
	return nil, wire.DynamoError("ImportNotFoundException", "Import not found: Import not found: "+arn)
}
