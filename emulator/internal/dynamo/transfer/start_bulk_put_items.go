package transfer

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// StartBulkPutItemsInput puts the items of a bucket's objects into a table. The order of the members is ours.
type StartBulkPutItemsInput struct {
	ClientToken           *string                     `check:"token"`
	InputS3Configuration  *InputS3ConfigurationInput  `check:"notnull"`
	OutputS3Configuration *OutputS3ConfigurationInput `check:"notnull"`
	TableName             *string                     `check:"notnull,minlen=1,maxlen=1024"`
	MaxWriteRequestUnits  *int64                      `check:"min=1024"`
	PerformanceTier       *string                     `check:"enum=STANDARD|ACCELERATED"`
}

// InputS3ConfigurationInput names the objects of a bucket whose keys begin with a prefix.
type InputS3ConfigurationInput struct {
	S3BucketOwner        *string `check:"account"`
	S3Bucket             *string `check:"notnull,bucket,maxlen=255"`
	S3KeyPrefix          *string `check:"maxlen=1024"`
	InputFormat          *string `check:"notnull,enum=DYNAMODB_JSON|ION"`
	InputCompressionType *string `check:"enum=GZIP|ZSTD|NONE"`
}

// OutputS3ConfigurationInput is where the report goes, and what it has. The API reference requires the bucket, and the
// SDK's model does not.
type OutputS3ConfigurationInput struct {
	S3BucketOwner  *string  `check:"account"`
	S3Bucket       *string  `check:"notnull,bucket,maxlen=255"`
	S3KeyPrefix    *string  `check:"maxlen=1024"`
	S3SseAlgorithm *string  `check:"enum=AES256|KMS"`
	S3SseKmsKeyId  *string  `check:"minlen=1,maxlen=2048"`
	OutputType     []string `check:"notnull,eachenum=ERROR|CONDITION_CHECK_FAILURE"`
}

// Decode decodes the request.
func (in *StartBulkPutItemsInput) Decode(d *wire.Decoder) error {
	return d.NamedShape(in, &in.TableName)
}

// Check checks the request. The message about keys is that of exports.
func (in *StartBulkPutItemsInput) Check() error {
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	out := in.OutputS3Configuration
	if out.S3SseKmsKeyId != nil && wire.OrZero(out.S3SseAlgorithm) != kmsAlgorithm {
		return invalidRequest("KMS Key Id is not supported for this encryption type")
	}
	return nil
}

// AppendResourceRefs appends the table.
func (in *StartBulkPutItemsInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: wire.OrZero(in.TableName)})
}

// StartBulkPutItems puts the items of objects into an existing table, which stays in use. For 8 hours, a request with a
// client token that was used returns that operation if its parameters are the same (API reference,
// "StartBulkPutItems").
func StartBulkPutItems(req *engine.Request, in *StartBulkPutItemsInput) (*bulkOutput, error) {
	p := engine.ExtensionOf[*Extension](req.Engine)
	x, existing, err := p.newBulk(req, in)
	if err != nil {
		return nil, err
	}
	r := p.runOf(x.ARN)
	started := x.describe(req.Engine, r)
	if !existing {
		a, who := req.Account, req.Principal
		p.start(req, func(ctx context.Context) { p.runBulk(ctx, a, who, x, r) })
	}
	return &bulkOutput{started}, nil
}

// newBulk stores the description of a new bulk operation and registers its run, or returns the operation with the
// request's token.
func (p *Extension) newBulk(req *engine.Request, in *StartBulkPutItemsInput) (x *Bulk, existing bool, err error) {
	if err := req.LockTables(); err != nil {
		return nil, false, err
	}
	defer req.Account.UnlockTables()
	a := req.Account
	text, err := json.Marshal(in)
	if err != nil {
		return nil, false, err
	}
	if x, err := p.bulkOfToken(a, in.ClientToken, string(text)); x != nil || err != nil {
		return x, true, err
	}
	t, err := a.Table(*in.TableName)
	if err != nil {
		return nil, false, err
	}
	if err := p.checkBulk(a, t); err != nil {
		return nil, false, err
	}
	id := req.Engine.NewID()
	x = &Bulk{
		job: job{ID: id, ARN: t.Def.ARN + "/" + bulkKind + "/" + newID(req.Engine, id), Request: string(text),
			Token: wire.OrZero(in.ClientToken), Status: inProgress, Start: req.Engine.Now()},
		Table: t.Def.Name, TableARN: t.Def.ARN, TableID: t.Def.UUID,
	}
	if err := json.Unmarshal(text, &x.Input); err != nil { // in is reused for another request
		return nil, false, err
	}
	req.Engine.ScheduleRemoval()
	p.register(x.ARN, req.AppendAuthor(nil))
	if err := save(req.BeginWait(), a, keyspace.TransferBulk, x, jobsOf(a).bulks); err != nil {
		p.unregister(x.ARN)
		return nil, false, err
	}
	return x, false, nil
}

// maxBulks is the most bulk operations in progress of an account. It is that of imports: the service's quota is not
// recorded.
const maxBulks = 50

// checkBulk returns an error if the table cannot have a bulk operation now: a global table, or one whose index is being
// created (developer guide, "BulkPutItems.Considerations"). The words are ours.
func (p *Extension) checkBulk(a *engine.Account, t *engine.Table) error {
	if t.Def.Replication != nil {
		return wire.ValidationError("Bulk operations are not supported for global tables: " + t.Def.Name)
	}
	if control.CreatesIndex(a, t) {
		return wire.DynamoError("ResourceInUseException",
			"Attempt to change a resource which is still in use: Table is creating an index: "+t.Def.Name)
	}
	running := 0
	for _, x := range jobsOf(a).bulks.All() {
		if !x.isDone(p.Engine) {
			running++
		}
	}
	if running >= maxBulks {
		return wire.DynamoError("LimitExceededException", fmt.Sprintf(
			"Subscriber limit exceeded: Only %d bulk operations can be in progress at a time", maxBulks))
	}
	return nil
}

// bulkOfToken returns the bulk operation that was started with a token, nil if there is none. The message is that of
// TransactWriteItems.
func (p *Extension) bulkOfToken(a *engine.Account, token *string, request string) (*Bulk, error) {
	for _, x := range jobsOf(a).bulks.All() {
		switch {
		case token == nil || x.Token != *token || p.Engine.Now()-x.Start > tokenLifetime.Seconds():
		case x.Request != request:
			return nil, wire.DynamoError("IdempotentParameterMismatchException", "The provided parameters do not match the "+
				"request. Request parameters are different for the same client request token.")
		default:
			return x, nil
		}
	}
	return nil, nil
}
