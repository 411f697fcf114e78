package transfer

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// ListExportsInput requests a page of the exports of the account, or of one table.
type ListExportsInput struct {
	TableArn   *string `check:"minlen=1,maxlen=1024"`
	MaxResults *int32  `check:"min=1,max=25"`
	NextToken  *string
}

// Decode decodes the request.
func (in *ListExportsInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

// Check checks the request.
func (in *ListExportsInput) Check() error {
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	if in.TableArn != nil {
		if err := checkTableARN(*in.TableArn); err != nil {
			return err
		}
	}
	return checkToken("export", in.NextToken)
}

// AppendResourceRefs appends the exports of the table, or of all.
func (in *ListExportsInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{})
}

type listExportsOutput struct {
	ExportSummaries []exportSummary
	NextToken       string `json:",omitempty"`
}

type exportSummary struct {
	ExportArn    string
	ExportStatus string
	ExportType   string
}

func (out *listExportsOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, out) }

// ListExports lists exports, the newest first. Those of a table that was deleted, or created again, are not listed by
// its ARN (aws-controllers-k8s/dynamodb-controller, 2026-10).
func ListExports(req *engine.Request, in *ListExportsInput) (*listExportsOutput, error) {
	all := jobsOf(req.Account).exports.All()
	tableID := ""
	if in.TableArn != nil {
		name, _ := control.TableNameFromARN(*in.TableArn)
		if t, err := req.Account.NamedTable(name); err == nil && t.Def.ARN == *in.TableArn {
			tableID = t.Def.UUID
		}
	}
	found, next, err := list(req, all, "export", in.MaxResults, in.NextToken, func(x *Export) bool {
		return in.TableArn == nil || x.TableID == tableID
	})
	out := &listExportsOutput{ExportSummaries: []exportSummary{}, NextToken: next}
	for _, x := range found {
		d := x.describe(req.Engine)
		out.ExportSummaries = append(out.ExportSummaries, exportSummary{d.ExportArn, d.ExportStatus,
			orDefault(d.ExportType, fullExport)})
	}
	return out, err
}
