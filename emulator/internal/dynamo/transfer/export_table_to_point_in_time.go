package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// ExportTableToPointInTimeInput exports a table, or its changes, to a bucket.
type ExportTableToPointInTimeInput struct {
	TableArn                       *string `check:"notnull,maxlen=1024"`
	ExportTime                     *float64
	ClientToken                    *string `check:"token"`
	S3Bucket                       *string `check:"notnull,bucket,maxlen=255"`
	S3BucketOwner                  *string `check:"account"`
	S3Prefix                       *string `check:"maxlen=1024"`
	S3SseAlgorithm                 *string `check:"enum=AES256|KMS"`
	S3SseKmsKeyId                  *string `check:"minlen=1,maxlen=2048"`
	ExportFormat                   *string `check:"enum=DYNAMODB_JSON|ION"`
	ExportType                     *string `check:"enum=FULL_EXPORT|INCREMENTAL_EXPORT"`
	IncrementalExportSpecification *IncrementalExportSpecificationInput
	FilterSpecification            *control.UnsupportedInput
}

// IncrementalExportSpecificationInput is the range of an incremental export, in seconds since 1970, and its view.
type IncrementalExportSpecificationInput struct {
	ExportFromTime *float64
	ExportToTime   *float64
	ExportViewType *string `check:"enum=NEW_IMAGE|NEW_AND_OLD_IMAGES"`
}

// Decode decodes the request.
func (in *ExportTableToPointInTimeInput) Decode(d *wire.Decoder) error {
	return shape.Read(&d.Reader, in)
}

// Check checks the request. The messages are the service's
// (aws-controllers-k8s/dynamodb-controller, 2026-10); their order is partly ours.
func (in *ExportTableToPointInTimeInput) Check() error {
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	if err := control.UnsupportedMembers(control.Member{Name: "FilterSpecification",
		Set: in.FilterSpecification != nil}); err != nil {
		return err
	}
	if *in.TableArn == "" { // (ack-api-quirks DDB-TABLE-457, 2026-10-09)
		return wire.ValidationError("Invalid TableArn: Invalid Table ARN")
	}
	if err := checkTableARN(*in.TableArn); err != nil {
		return err
	}
	if in.S3SseKmsKeyId != nil && wire.OrZero(in.S3SseAlgorithm) != kmsAlgorithm {
		return invalidRequest("KMS Key Id is not supported for this encryption type")
	}
	spec := in.IncrementalExportSpecification
	switch kind := wire.OrZero(in.ExportType); {
	case spec != nil && kind == "":
		return invalidRequest(
			"Export Type expected to be Incremental Export when incremental export specification is provided")
	case spec != nil && kind == fullExport:
		return invalidRequest(
			"When Export Type is Full Export , Incremental Export Specification should not be provided")
	case spec == nil && kind == incremental:
		return invalidRequest(
			"Incremental Export Specification expected when export type is set as Incremental Export")
	case spec != nil && spec.ExportFromTime == nil:
		return invalidRequest("ExportFromTime must be provided in IncrementalExportSpecification")
	}
	return nil
}

// AppendResourceRefs appends the table.
func (in *ExportTableToPointInTimeInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	name, _ := control.TableNameFromARN(wire.OrZero(in.TableArn))
	return append(dst, engine.ResourceRef{Table: name})
}

// ExportTableToPointInTime exports a table as of one moment, while the table is written to. A request whose client
// token was used returns that export if its parameters are the same.
func ExportTableToPointInTime(req *engine.Request, in *ExportTableToPointInTimeInput) (*exportOutput, error) {
	p := engine.ExtensionOf[*Extension](req.Engine)
	x, existing, err := p.newExport(req, in)
	if err != nil {
		return nil, err
	}
	if !existing {
		a, who := req.Account, req.Principal
		started := x.describe(req.Engine)
		p.start(req, func(ctx context.Context) { p.runExport(ctx, a, who, x) })
		return &exportOutput{started}, nil
	}
	return &exportOutput{x.describe(req.Engine)}, nil
}

// newExport stores the description of a new export, or returns that of the export with the request's token.
func (p *Extension) newExport(req *engine.Request, in *ExportTableToPointInTimeInput) (x *Export, existing bool,
	err error) {
	if strings.Split(*in.TableArn, ":")[4] != req.Account.ID() {
		return nil, false, wire.ServiceError("AccessDeniedException", "Access is denied")
	}
	name, _ := control.TableNameFromARN(*in.TableArn) // Check has checked it
	if err := req.LockTables(); err != nil {
		return nil, false, err
	}
	defer req.Account.UnlockTables()
	a := req.Account
	text, err := json.Marshal(in)
	if err != nil {
		return nil, false, err
	}
	t, err := a.Table(name)
	if err != nil || t.Def.ARN != *in.TableArn {
		return nil, false, wire.DynamoError("TableNotFoundException", "Table not found: "+*in.TableArn)
	}
	if x, err := p.exportOfToken(a, in.ClientToken, string(text)); x != nil || err != nil {
		return x, true, err
	}
	if p.exporting(a) >= maxExports {
		return nil, false, wire.DynamoError("LimitExceededException", fmt.Sprintf(
			"Subscriber limit exceeded: Only %d exports can be in progress at a time", maxExports))
	}
	id := req.Engine.NewID()
	x = &Export{
		job: job{ID: id, ARN: t.Def.ARN + "/export/" + newID(req.Engine, id), Request: string(text),
			Token: wire.OrZero(in.ClientToken), Status: inProgress, Start: req.Engine.Now()},
		Table: name, TableARN: t.Def.ARN, TableID: t.Def.UUID,
	}
	if err := json.Unmarshal(text, &x.Input); err != nil { // in is reused for another request
		return nil, false, err
	}
	if err := x.setTimes(t, req.Engine.Clock.Now()); err != nil {
		return nil, false, err
	}
	req.Engine.ScheduleRemoval()
	return x, false, save(req.BeginWait(), a, keyspace.TransferExport, x, jobsOf(a).exports)
}

// maxExports is the most exports in progress of an account (AWS, "Service, account, and table quotas"). The words of
// the error are ours.
const maxExports = 300

func (p *Extension) exporting(a *engine.Account) (n int) {
	for _, x := range jobsOf(a).exports.All() {
		if !x.isDone(p.Engine) {
			n++
		}
	}
	return n
}

// tokenLifetime is how long a client token is valid after its request is completed (AWS, "ExportTableToPointInTime").
const tokenLifetime = 8 * time.Hour

// exportOfToken returns the export that was started with a token, nil if there is none.
func (p *Extension) exportOfToken(a *engine.Account, token *string, request string) (*Export, error) {
	for _, x := range jobsOf(a).exports.All() {
		if token == nil || x.Token != *token || x.isDone(p.Engine) && p.Engine.Now()-x.End > tokenLifetime.Seconds() {
			continue
		}
		if x.Request != request {
			return nil, wire.DynamoError("ExportConflictException",
				"Export conflict: Duplicate request detected with conflicting parameters")
		}
		return x, nil
	}
	return nil, nil
}
