package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/access"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/encryption"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/streams"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// CreateTableInput has its members in the order in which the service reports their errors: global indexes before local
// ones, whatever the order of the request (paritysuite, 2026-10-09), the others as recorded by dynalite.
type CreateTableInput struct {
	TableName                 *string // checked before all other members, and reported alone
	BillingMode               *string `check:"enum=PROVISIONED|PAY_PER_REQUEST"`
	ProvisionedThroughput     *ProvisionedThroughputInput
	KeySchema                 []KeySchemaElementInput    `check:"notnull,minlen=1,maxlen=2"`
	AttributeDefinitions      []AttributeDefinitionInput `check:"notnull"`
	GlobalSecondaryIndexes    []GlobalSecondaryIndexInput
	LocalSecondaryIndexes     []LocalSecondaryIndexInput
	VectorIndexes             []VectorIndexInput
	TableClass                *string
	StreamSpecification       *StreamSpecificationInput
	SSESpecification          *encryption.SSESpecificationInput
	Tags                      []TagInput
	DeletionProtectionEnabled *bool
	OnDemandThroughput        *OnDemandThroughputInput
	WarmThroughput            *WarmThroughputInput
	ResourcePolicy            *string

	// What belongs to features that the emulator does not have: see checkUnsupported.
	GlobalTableSourceArn               *string `check:"minlen=1,maxlen=1024"`
	GlobalTableSettingsReplicationMode *string `check:"enum=ENABLED|DISABLED|ENABLED_WITH_OVERRIDES"`
}

func (in *CreateTableInput) Decode(d *wire.Decoder) error { return d.NamedShape(in, &in.TableName) }

func (in *CreateTableInput) Check() error {
	if err := checkNewTableName(in.TableName); err != nil {
		return err
	}
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	for _, rule := range []func() error{
		func() error { return checkTableClass(in.TableClass) }, in.checkUnsupported, in.checkDistinctAttributes,
		in.checkBilling, in.checkOnDemand, in.checkKeys, in.checkKeysDistinct, in.checkVectorIndexes,
		in.checkAttributesUsed, in.checkLocalIndexes,
		in.checkGlobalIndexes, in.checkIndexNames, in.checkStream, in.checkTags, in.checkWarmThroughput, in.checkPolicy,
		in.checkEncryption,
	} {
		if err := rule(); err != nil {
			return err
		}
	}
	return nil
}

// billing returns the table's billing mode, by default PROVISIONED.
func (in *CreateTableInput) billing() string {
	if in.BillingMode == nil {
		return engine.Provisioned
	}
	return *in.BillingMode
}

func (in *CreateTableInput) checkBilling() error {
	switch {
	case in.billing() == engine.OnDemand && in.ProvisionedThroughput != nil:
		return errThroughputOnDemand()
	case in.billing() == engine.Provisioned && in.ProvisionedThroughput == nil:
		return wire.ParameterError(
			"ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED")
	}
	return CheckUnits(in.ProvisionedThroughput)
}

func (in *CreateTableInput) checkOnDemand() error {
	if err := checkOnDemandThroughput(in.OnDemandThroughput, in.billing(), "table",
		" cannot be specified when table BillingMode is PROVISIONED.", 1); err != nil {
		return err
	}
	for _, x := range firstN(in.GlobalSecondaryIndexes, maxGlobalIndexes) {
		if err := checkOnDemandThroughput(x.OnDemandThroughput, in.billing(), "index : "+*x.IndexName,
			" for index: "+*x.IndexName+" cannot be specified when table BillingMode is PROVISIONED.", 1); err != nil {
			return err
		}
	}
	return nil
}

func (in *CreateTableInput) checkWarmThroughput() error {
	if err := checkNewWarmThroughput(in.WarmThroughput, in.billing(), in.ProvisionedThroughput, "table"); err != nil {
		return err
	}
	for _, x := range in.GlobalSecondaryIndexes {
		if err := checkNewWarmThroughput(x.WarmThroughput, in.billing(), x.ProvisionedThroughput,
			"index "+*x.IndexName); err != nil {
			return err
		}
	}
	return nil
}

func (in *CreateTableInput) checkKeys() error {
	return checkTableKeys(keySchemaOf(in.KeySchema), attributesOf(in.AttributeDefinitions))
}

func (in *CreateTableInput) checkKeysDistinct() error {
	for _, x := range firstN(in.GlobalSecondaryIndexes, maxGlobalIndexes) {
		if err := checkDistinctKeys(keySchemaOf(x.KeySchema)); err != nil {
			return err
		}
	}
	return nil
}

func (in *CreateTableInput) checkLocalIndexes() error {
	if in.LocalSecondaryIndexes == nil {
		return nil
	}
	switch {
	case len(in.LocalSecondaryIndexes) == 0:
		return wire.ParameterError("List of LocalSecondaryIndexes is empty")
	case len(in.KeySchema) != 2:
		return wire.ParameterError(
			"Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex")
	}
	attributes := attributesOf(in.AttributeDefinitions)
	for _, x := range firstN(in.LocalSecondaryIndexes, maxLocalIndexes) {
		if err := checkLocalIndex(x.Definition(0), keySchemaOf(in.KeySchema), attributes); err != nil {
			return err
		}
	}
	if len(in.LocalSecondaryIndexes) > maxLocalIndexes {
		return wire.ParameterError("Number of LocalSecondaryIndexes exceeds per-table limit of 5")
	}
	return nil
}

func (in *CreateTableInput) checkGlobalIndexes() error {
	if in.GlobalSecondaryIndexes == nil {
		return nil
	}
	if len(in.GlobalSecondaryIndexes) == 0 {
		return wire.ParameterError("List of GlobalSecondaryIndexes is empty")
	}
	attributes := attributesOf(in.AttributeDefinitions)
	for _, x := range firstN(in.GlobalSecondaryIndexes, maxGlobalIndexes) {
		err := checkGlobalIndex(x.Definition(0), attributes, in.billing(), x.ProvisionedThroughput != nil)
		if err != nil {
			return err
		}
	}
	if len(in.GlobalSecondaryIndexes) > maxGlobalIndexes {
		return tooManyGlobalIndexes()
	}
	return nil
}

// firstN returns the first n elements. No table has more indexes; checking all that a request names against all its
// attributes could take unbounded time.
func firstN[T any](all []T, n int) []T { return all[:min(n, len(all))] }

func (in *CreateTableInput) checkIndexNames() error {
	seen := map[string]bool{}
	var names []string
	for _, x := range in.LocalSecondaryIndexes {
		names = append(names, *x.IndexName)
	}
	for _, x := range in.GlobalSecondaryIndexes {
		names = append(names, *x.IndexName)
	}
	for _, x := range in.VectorIndexes {
		names = append(names, *x.IndexName)
	}
	for _, name := range names {
		if seen[name] {
			return DuplicateIndex(name)
		}
		seen[name] = true
	}
	return nil
}

func (in *CreateTableInput) checkStream() error {
	switch s := in.StreamSpecification; {
	case s == nil:
	case !*s.StreamEnabled && s.StreamViewType != nil:
		return wire.ParameterError("Table is being created with a stream disabled, UpdateViewType should not be specified")
	case *s.StreamEnabled && s.StreamViewType == nil:
		return wire.ParameterError("Table is being created with a stream enabled, UpdateViewType is required")
	}
	return nil
}

func (in *CreateTableInput) checkTags() error { return checkNewTags(in.Tags) }

func (in *CreateTableInput) checkEncryption() error {
	return encryption.CheckEncryption(in.SSESpecification)
}

// TableOutput is the response of CreateTable, UpdateTable and DeleteTable.
type TableOutput struct{ TableDescription *TableDescription }

func (out *TableOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, out) }

// CreateTable creates a table. With States the table is CREATING for a while; otherwise it takes requests at once, and
// only the answer says CREATING.
func CreateTable(req *engine.Request, in *CreateTableInput) (*TableOutput, error) {
	if err := req.LockTables(); err != nil {
		return nil, err
	}
	defer req.Account.UnlockTables()
	if err := checkCanCreate(req.Account, *in.TableName); err != nil {
		return nil, err
	}
	def, err := in.Definition(req.Account)
	if err != nil {
		return nil, err
	}
	t, err := req.Account.Publish(req.BeginWait(), def, nil)
	if err != nil {
		return nil, err
	}
	d := Describe(t, req.Engine.Now())
	d.TableStatus = engine.Creating
	d.SetIndexStatuses(engine.Creating)
	d.ClearBillingTime() // reported once the table is active
	d.describeNewWarmThroughput(in)
	beginCreating(req.Account, t, d)
	return &TableOutput{d}, nil
}

// Definition returns the definition of the new table. Errors: a quota or the KMS key does not allow it.
func (in *CreateTableInput) Definition(a *engine.Account) (*engine.Definition, error) {
	def := in.definition(a)
	if err := CheckQuotas(a, def, nil); err != nil {
		return nil, err
	}
	var err error
	def.SSE, err = engine.ExtensionOf[*encryption.Extension](a.Engine).ResolveSSE(a, in.SSESpecification)
	return def, err
}

func (in *CreateTableInput) definition(a *engine.Account) *engine.Definition {
	def := &engine.Definition{
		Name: *in.TableName, ID: a.Engine.NewID(), UUID: a.Engine.NextUUID(), ARN: a.ARN("dynamodb", "table/"+*in.TableName),
		Created:    a.Engine.Now(),
		Attributes: attributesOf(in.AttributeDefinitions), KeySchema: keySchemaOf(in.KeySchema),
		BillingMode: in.billing(), Throughput: in.ProvisionedThroughput.Throughput(),
		OnDemand: in.OnDemandThroughput.Apply(engine.OnDemandThroughput{}), Warm: in.WarmThroughput.toWarmThroughput(),
		DeletionProtection: wire.OrZero(in.DeletionProtectionEnabled), Class: wire.OrZero(in.TableClass),
		Tags: mergeTags(nil, in.Tags),
	}
	if in.ResourcePolicy != nil {
		def.Policy = access.NewTablePolicy(a, *in.ResourcePolicy)
	}
	if def.BillingMode == engine.OnDemand {
		def.OnDemandSince = def.Created
	}
	for _, x := range in.GlobalSecondaryIndexes {
		def.Global = append(def.Global, x.Definition(a.Engine.NewID()))
	}
	for _, x := range in.LocalSecondaryIndexes {
		def.Local = append(def.Local, x.Definition(a.Engine.NewID()))
	}
	for _, x := range in.VectorIndexes {
		def.Vectors = append(def.Vectors, x.Definition(a.Engine.NewID()))
	}
	if s := in.StreamSpecification; s != nil && *s.StreamEnabled {
		def.Stream = streams.NewStreamSpecification(a, def.Name, *s.StreamViewType)
	}
	return def
}

func (in *CreateTableInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: wire.OrZero(in.TableName)})
}

func (in *CreateTableInput) PolicyValues(v *engine.PolicyValues, _ int, _ string) {
	for _, t := range in.Tags {
		v.AddTag(engine.Tag{Key: *t.Key, Value: *t.Value})
	}
}

// AppendImpliedRefs appends the permissions that tags and a resource policy of the new table need.
func (in *CreateTableInput) AppendImpliedRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	if len(in.Tags) > 0 {
		dst = append(dst, engine.ResourceRef{Action: "TagResource", Table: wire.OrZero(in.TableName)})
	}
	if in.ResourcePolicy != nil {
		dst = append(dst, engine.ResourceRef{Action: "PutResourcePolicy", Table: wire.OrZero(in.TableName)})
	}
	return dst
}

// checkPolicy returns an error for an invalid resource policy.
func (in *CreateTableInput) checkPolicy() error {
	if in.ResourcePolicy == nil {
		return nil
	}
	_, err := access.ParseTablePolicy(*in.ResourcePolicy)
	return err
}
