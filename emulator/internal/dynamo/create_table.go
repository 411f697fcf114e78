package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"

// CreateTableInput has its members in the order in which the service complains of them: global indexes before local ones
// whatever the request's order (paritysuite, 2026-10-09), the rest as dynalite recorded it.
type CreateTableInput struct {
	TableName                 *string // checked before all others, and alone
	BillingMode               *string `check:"enum=PROVISIONED|PAY_PER_REQUEST"`
	ProvisionedThroughput     *ProvisionedThroughputInput
	KeySchema                 []KeySchemaElementInput    `check:"notnull,minlen=1,maxlen=2"`
	AttributeDefinitions      []AttributeDefinitionInput `check:"notnull"`
	GlobalSecondaryIndexes    []GlobalSecondaryIndexInput
	LocalSecondaryIndexes     []LocalSecondaryIndexInput
	TableClass                *string `check:"enum=STANDARD|STANDARD_INFREQUENT_ACCESS"`
	StreamSpecification       *StreamSpecificationInput
	SSESpecification          *SSESpecificationInput
	Tags                      []TagInput
	DeletionProtectionEnabled *bool
	OnDemandThroughput        *OnDemandThroughputInput
	WarmThroughput            *WarmThroughputInput
	ResourcePolicy            *string
}

func (in *CreateTableInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }

func (in *CreateTableInput) check() error {
	if err := checkNewTableName(in.TableName); err != nil {
		return err
	}
	if err := checkShape(in); err != nil {
		return err
	}
	for _, rule := range []func() error{
		in.checkBilling, in.checkOnDemand, in.checkKeys, in.checkLocalIndexes, in.checkGlobalIndexes, in.checkIndexNames,
		in.checkAttributesUsed, in.checkStream, in.checkTags, in.checkWarm, in.checkPolicy, in.checkEncryption,
	} {
		if err := rule(); err != nil {
			return err
		}
	}
	return nil
}

// billing is the table's billing mode, PROVISIONED where the request does not say.
func (in *CreateTableInput) billing() string {
	if in.BillingMode == nil {
		return provisioned
	}
	return *in.BillingMode
}

func (in *CreateTableInput) checkBilling() error {
	switch {
	case in.billing() == onDemand && in.ProvisionedThroughput != nil:
		return throughputOnDemand()
	case in.billing() == provisioned && in.ProvisionedThroughput == nil:
		return parameterError("ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED")
	}
	return checkUnits(in.ProvisionedThroughput)
}

func (in *CreateTableInput) checkOnDemand() error {
	if err := checkOnDemandThroughput(in.OnDemandThroughput, in.billing(), "table", "table BillingMode is PROVISIONED.", 1); err != nil {
		return err
	}
	for _, x := range first(in.GlobalSecondaryIndexes, maxGlobalIndexes) {
		if err := checkOnDemandThroughput(x.OnDemandThroughput, in.billing(), "index : "+*x.IndexName, "table BillingMode is PROVISIONED.", 1); err != nil {
			return err
		}
	}
	return nil
}

func (in *CreateTableInput) checkWarm() error {
	if err := checkNewWarm(in.WarmThroughput, in.billing(), in.ProvisionedThroughput, "table"); err != nil {
		return err
	}
	for _, x := range in.GlobalSecondaryIndexes {
		if err := checkNewWarm(x.WarmThroughput, in.billing(), x.ProvisionedThroughput, "index "+*x.IndexName); err != nil {
			return err
		}
	}
	return nil
}

func (in *CreateTableInput) checkKeys() error {
	return checkTableKeys(schemaOf(in.KeySchema), attributesOf(in.AttributeDefinitions))
}

func (in *CreateTableInput) checkLocalIndexes() error {
	if in.LocalSecondaryIndexes == nil {
		return nil
	}
	switch {
	case len(in.LocalSecondaryIndexes) == 0:
		return parameterError("List of LocalSecondaryIndexes is empty")
	case len(in.KeySchema) != 2:
		return parameterError("Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex")
	}
	attributes := attributesOf(in.AttributeDefinitions)
	for _, x := range first(in.LocalSecondaryIndexes, maxLocalIndexes) {
		if err := checkLocalIndex(x.definition(0), schemaOf(in.KeySchema), attributes); err != nil {
			return err
		}
	}
	if len(in.LocalSecondaryIndexes) > maxLocalIndexes {
		return parameterError("Number of LocalSecondaryIndexes exceeds per-table limit of 5")
	}
	return nil
}

func (in *CreateTableInput) checkGlobalIndexes() error {
	if in.GlobalSecondaryIndexes == nil {
		return nil
	}
	if len(in.GlobalSecondaryIndexes) == 0 {
		return parameterError("List of GlobalSecondaryIndexes is empty")
	}
	attributes := attributesOf(in.AttributeDefinitions)
	for _, x := range first(in.GlobalSecondaryIndexes, maxGlobalIndexes) {
		err := checkGlobalIndex(x.definition(0), attributes, in.billing(), x.ProvisionedThroughput != nil)
		if err != nil {
			return err
		}
	}
	if len(in.GlobalSecondaryIndexes) > maxGlobalIndexes {
		return tooManyGlobalIndexes()
	}
	return nil
}

// first are the first n of all. No table has more indexes, and comparing any number of them with any number of attributes
// would take any time.
func first[T any](all []T, n int) []T { return all[:min(n, len(all))] }

func (in *CreateTableInput) checkIndexNames() error {
	seen := map[string]bool{}
	var names []string
	for _, x := range in.LocalSecondaryIndexes {
		names = append(names, *x.IndexName)
	}
	for _, x := range in.GlobalSecondaryIndexes {
		names = append(names, *x.IndexName)
	}
	for _, name := range names {
		if seen[name] {
			return duplicateIndex(name)
		}
		seen[name] = true
	}
	return nil
}

func (in *CreateTableInput) checkAttributesUsed() error {
	used := map[string]bool{}
	use := func(keys []KeySchemaElementInput) {
		for _, k := range keys {
			used[*k.AttributeName] = true
		}
	}
	use(in.KeySchema)
	for _, x := range in.LocalSecondaryIndexes {
		use(x.KeySchema)
	}
	for _, x := range in.GlobalSecondaryIndexes {
		use(x.KeySchema)
	}
	if len(used) != len(in.AttributeDefinitions) {
		return parameterError("Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions")
	}
	return nil
}

func (in *CreateTableInput) checkStream() error {
	switch s := in.StreamSpecification; {
	case s == nil:
	case !*s.StreamEnabled && s.StreamViewType != nil:
		return parameterError("Table is being created with a stream disabled, UpdateViewType should not be specified")
	case *s.StreamEnabled && s.StreamViewType == nil:
		return parameterError("Table is being created with a stream enabled, UpdateViewType is required")
	}
	return nil
}

func (in *CreateTableInput) checkTags() error {
	if len(in.Tags) > maxTags {
		return tooManyTags()
	}
	return nil
}

func (in *CreateTableInput) checkEncryption() error { return checkEncryption(in.SSESpecification) }

// tableAnswer is the answer of the operations that change a table.
type tableAnswer struct{ TableDescription *tableDescription }

func (out *tableAnswer) appendJSON(dst []byte) []byte { return appendMarshalled(dst, out) }

// createTable makes a table that takes requests at once, unless tables take their time; else only the answer says that it is
// being created.
func createTable(a *request, in *CreateTableInput) (*tableAnswer, error) {
	if err := a.lockTables(); err != nil {
		return nil, err
	}
	defer a.account.unlockTables()
	if err := a.account.mayCreate(*in.TableName); err != nil {
		return nil, err
	}
	def := in.definition(a.account)
	if err := a.account.checkQuotas(def, nil); err != nil {
		return nil, err
	}
	var err error
	if def.SSE, err = a.account.encryption(in.SSESpecification); err != nil {
		return nil, err
	}
	t, err := a.account.publish(a.waiting(), def, nil)
	if err != nil {
		return nil, err
	}
	d := t.describe()
	d.TableStatus = creating
	d.allIndexes(creating)
	d.forgetBillingTime() // it comes once the table is active
	d.describeNewWarm(in)
	a.account.beginCreating(t, d)
	return &tableAnswer{d}, nil
}

func (in *CreateTableInput) definition(a *account) *definition {
	def := &definition{
		Name: *in.TableName, ID: a.service.newID(), UUID: a.service.nextUUID(), ARN: a.arn("dynamodb", "table/"+*in.TableName), Created: a.service.now(),
		Attributes: attributesOf(in.AttributeDefinitions), KeySchema: schemaOf(in.KeySchema),
		BillingMode: in.billing(), Throughput: in.ProvisionedThroughput.throughput(), OnDemand: in.OnDemandThroughput.merged(onDemandThroughput{}), Warm: in.WarmThroughput.warm(),
		DeletionProtection: orZero(in.DeletionProtectionEnabled), Class: orZero(in.TableClass),
		Tags: merge(nil, in.Tags),
	}
	if in.ResourcePolicy != nil {
		def.Policy = a.firstPolicy(*in.ResourcePolicy)
	}
	if def.BillingMode == onDemand {
		def.OnDemandSince = def.Created
	}
	for _, x := range in.GlobalSecondaryIndexes {
		def.Global = append(def.Global, x.definition(a.service.newID()))
	}
	for _, x := range in.LocalSecondaryIndexes {
		def.Local = append(def.Local, x.definition(a.service.newID()))
	}
	if s := in.StreamSpecification; s != nil && *s.StreamEnabled {
		def.Stream = a.newStream(def.Name, *s.StreamViewType)
	}
	return def
}

func (in *CreateTableInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: orZero(in.TableName)})
}

func (in *CreateTableInput) policyValues(v *policyValues, _ int, _ string) {
	for _, t := range in.Tags {
		v.give(tag{*t.Key, *t.Value})
	}
}

// appendImpliedRefs appends what a new table needs leave for besides: its tags and its policy.
func (in *CreateTableInput) appendImpliedRefs(dst []resourceRef) []resourceRef {
	if len(in.Tags) > 0 {
		dst = append(dst, resourceRef{action: "TagResource", table: orZero(in.TableName)})
	}
	if in.ResourcePolicy != nil {
		dst = append(dst, resourceRef{action: "PutResourcePolicy", table: orZero(in.TableName)})
	}
	return dst
}
