package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/encryption"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// ImportTableInput creates a table with the items of a bucket's objects. A client token is required, although the model
// says otherwise (scylladb/scylladb, test_import.py, 2026-09). The order of the members is ours.
type ImportTableInput struct {
	TableCreationParameters *TableCreationParametersInput `check:"notnull"`
	ClientToken             *string                       `check:"notnull,token"`
	S3BucketSource          *S3BucketSourceInput          `check:"notnull"`
	InputFormat             *string                       `check:"notnull,enum=DYNAMODB_JSON|ION|CSV"`
	InputFormatOptions      *InputFormatOptionsInput      `json:",omitempty"`
	InputCompressionType    *string                       `check:"enum=ZSTD|NONE|GZIP"`
}

// S3BucketSourceInput names the objects of a bucket whose keys begin with a prefix.
type S3BucketSourceInput struct {
	S3BucketOwner *string `check:"account" json:",omitempty"`
	S3Bucket      *string `check:"notnull,bucket,maxlen=255"`
	S3KeyPrefix   *string `check:"maxlen=1024" json:",omitempty"`
}

// InputFormatOptionsInput describes the format.
type InputFormatOptionsInput struct {
	Csv *CsvOptionsInput `json:",omitempty"`
}

// CsvOptionsInput describes CSV. Without a header list, the first row of each object is the header.
type CsvOptionsInput struct {
	Delimiter  *string  `check:"delimiter,minlen=1,maxlen=1" json:",omitempty"`
	HeaderList []string `check:"minlen=1,maxlen=255,eachheader,eachminlen=1,eachmaxlen=65536" json:",omitempty"`
}

// TableCreationParametersInput defines the new table.
type TableCreationParametersInput struct {
	TableName              *string                            `check:"notnull,name,minlen=3,maxlen=255"`
	AttributeDefinitions   []control.AttributeDefinitionInput `check:"notnull"`
	KeySchema              []control.KeySchemaElementInput    `check:"notnull,minlen=1,maxlen=2"`
	BillingMode            *string                            `check:"enum=PROVISIONED|PAY_PER_REQUEST"`
	ProvisionedThroughput  *control.ProvisionedThroughputInput
	OnDemandThroughput     *control.OnDemandThroughputInput
	SSESpecification       *encryption.SSESpecificationInput
	GlobalSecondaryIndexes []control.GlobalSecondaryIndexInput
	VectorIndexes          []control.VectorIndexInput
}

// table returns the request that creates such a table.
func (in *TableCreationParametersInput) table() *control.CreateTableInput {
	return &control.CreateTableInput{
		TableName: in.TableName, AttributeDefinitions: in.AttributeDefinitions, KeySchema: in.KeySchema,
		BillingMode: in.BillingMode, ProvisionedThroughput: in.ProvisionedThroughput,
		OnDemandThroughput: in.OnDemandThroughput, SSESpecification: in.SSESpecification,
		GlobalSecondaryIndexes: in.GlobalSecondaryIndexes, VectorIndexes: in.VectorIndexes,
	}
}

// csv returns the options of CSV, nil if there are none.
func (in *ImportTableInput) csv() *CsvOptionsInput {
	if in.InputFormatOptions == nil {
		return nil
	}
	return in.InputFormatOptions.Csv
}

// Decode decodes the request.
func (in *ImportTableInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

// Check checks the request: its constraints, the options, and the table as CreateTable does
// (aws-controllers-k8s/dynamodb-controller, 2026-10).
func (in *ImportTableInput) Check() error {
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	if in.csv() != nil && *in.InputFormat != csvFormat {
		return invalidRequest("Unsupported InputFormatOptions for the given input format: " + *in.InputFormat + ".")
	}
	return in.TableCreationParameters.table().Check()
}

// AppendResourceRefs appends the new table.
func (in *ImportTableInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	var name *string
	if in.TableCreationParameters != nil {
		name = in.TableCreationParameters.TableName
	}
	return append(dst, engine.ResourceRef{Table: wire.OrZero(name)})
}

// ImportTable imports objects into a new table. The name is not reserved: of several imports into one table, all but
// one fail later. A client token is looked at only while there is no table of that name, and compares nothing but the
// table. (aws-controllers-k8s/dynamodb-controller, 2026-10; scylladb/scylladb, test_import.py, 2026-09.)
func ImportTable(req *engine.Request, in *ImportTableInput) (*importOutput, error) {
	p := engine.ExtensionOf[*Extension](req.Engine)
	x, def, err := p.newImport(req, in)
	if err != nil {
		return nil, err
	}
	started := x.describe(req.Engine)
	if def != nil {
		a, who := req.Account, req.Principal
		p.start(req, func(ctx context.Context) { p.runImport(ctx, a, who, x, def) })
	}
	return &importOutput{started}, nil
}

// newImport stores the description of a new import and returns it with the table's definition, or returns that of the
// import with the request's token.
func (p *Extension) newImport(req *engine.Request, in *ImportTableInput) (*Import, *engine.Definition, error) {
	if err := req.LockTables(); err != nil {
		return nil, nil, err
	}
	defer req.Account.UnlockTables()
	a, name := req.Account, *in.TableCreationParameters.TableName
	earlier, conflict := p.importOfToken(a, *in.ClientToken, name)
	if control.Exists(a, name) && !earlier.isRepeatedSoon(p.Engine) {
		return nil, nil, wire.DynamoError("ResourceInUseException", "Table already exists: "+name)
	}
	if earlier != nil || conflict != nil {
		return earlier, nil, conflict
	}
	if p.importing(a) >= maxImports {
		return nil, nil, wire.DynamoError("LimitExceededException", fmt.Sprintf(
			"Subscriber limit exceeded: Only %d imports can be in progress at a time", maxImports))
	}
	def, err := in.TableCreationParameters.table().Definition(a)
	if err != nil {
		return nil, nil, err
	}
	x, err := newImport(req, in, def)
	if err != nil {
		return nil, nil, err
	}
	req.Engine.ScheduleRemoval()
	return x, def, save(req.BeginWait(), a, keyspace.TransferImport, x, jobsOf(a).imports)
}

// newImport returns the description of a new import.
func newImport(req *engine.Request, in *ImportTableInput, def *engine.Definition) (*Import, error) {
	text, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	id := req.Engine.NewID()
	x := &Import{
		job: job{ID: id, ARN: def.ARN + "/import/" + newID(req.Engine, id), Request: def.Name, Token: *in.ClientToken,
			Status: inProgress, Start: req.Engine.Now()},
		TableARN: def.ARN, TableID: def.UUID, Account: req.Account.ID(), Region: req.Account.Region(),
	}
	return x, json.Unmarshal(text, &x.Input) // in is reused for another request
}

// maxImports is the most imports in progress of an account (SDK's model, LimitExceededException). The words of the
// error are ours.
const maxImports = 50

func (p *Extension) importing(a *engine.Account) (n int) {
	for _, x := range jobsOf(a).imports.All() {
		if !x.isDone(p.Engine) {
			n++
		}
	}
	return n
}

// importOfToken returns the import that was started with a token, nil if there is none. conflict is the error if that
// is one into another table.
func (p *Extension) importOfToken(a *engine.Account, token, table string) (x *Import, conflict error) {
	for _, x := range jobsOf(a).imports.All() {
		switch {
		case x.Token != token, x.isDone(p.Engine) && p.Engine.Now()-x.End > tokenLifetime.Seconds():
		case x.Request != table:
			return nil, wire.DynamoError("ImportConflictException",
				"Import conflict: Duplicate request detected with conflicting parameters")
		default:
			return x, nil
		}
	}
	return nil, nil
}

// shortestImport is less than any import into a table was recorded to take. For as long, a repeated request with the
// same token finds the import and not its table, although the import is done: so a client can retry ImportTable.
const shortestImport = 90 * time.Second

// isRepeatedSoon reports whether a repetition of the import's request finds the import, although its table exists.
func (x *Import) isRepeatedSoon(e *engine.Engine) bool {
	return x != nil && !e.States && e.Now()-x.Start < shortestImport.Seconds()
}
