package tablefile

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Read describes a target: the tables of these names, or all tables, with their alarms and the customer managed keys
// that they are encrypted with. Alarms of the account are included if all tables are. Errors: a table that does not
// exist.
func (t *Target) Read(ctx context.Context, names []string) (*File, error) {
	all := len(names) == 0
	if all {
		var err error
		if names, err = t.listTables(ctx); err != nil {
			return nil, err
		}
	}
	alarms, err := t.readAlarms(ctx)
	if err != nil {
		return nil, err
	}
	f := &File{}
	for _, name := range names {
		table, err := t.readTable(ctx, name, true)
		if err != nil {
			return nil, err
		}
		if table == nil {
			return nil, errors.New("table " + name + " does not exist on the target")
		}
		table.Alarms = alarms[name]
		f.Tables = append(f.Tables, *table)
	}
	if all {
		f.Alarms = alarms[""]
	}
	return f, t.readKeys(ctx, f)
}

// OmitDefaults returns the file without settings that are the default.
func (f *File) OmitDefaults() *File {
	for i := range f.Tables {
		f.Tables[i].omitDefaults()
	}
	for i := range f.Alarms {
		f.Alarms[i].omitDefaults()
	}
	return f
}

// listTables returns the names of the target's tables.
func (t *Target) listTables(ctx context.Context) (names []string, err error) {
	pages := dynamodb.NewListTablesPaginator(t.db, &dynamodb.ListTablesInput{})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		names = append(names, page.TableNames...)
	}
	return names, nil
}

// tableNames returns a function that reports whether a table may exist. It lists the tables, because a description of
// a missing table is an error, which the target counts in its metric UserErrors. A caller who may not list tables gets
// true for every name.
func (t *Target) tableNames(ctx context.Context) (mayExist func(name string) bool, err error) {
	names, err := t.listTables(ctx)
	denied := isDenied(err)
	return func(name string) bool { return denied || slices.Contains(names, name) }, ignoreDenied(err)
}

// readTable describes one table, without its alarms, or returns nil if it does not exist. It includes the resource
// policy if withPolicy is set.
func (t *Target) readTable(ctx context.Context, name string, withPolicy bool) (*Table, error) {
	out, err := t.db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if _, missing := errors.AsType[*types.ResourceNotFoundException](err); missing {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	table := described(out.Table)
	if s := out.Table.SSEDescription; s != nil && s.SSEType == types.SSETypeKms {
		if table.Encryption, err = t.keyName(ctx, aws.ToString(s.KMSMasterKeyArn)); err != nil {
			return nil, err
		}
	}
	reads := []func(context.Context, *Table, string) error{t.readTTL, t.readRecovery, t.readTags}
	if withPolicy {
		reads = append(reads, t.readPolicy)
	}
	for _, read := range reads {
		if err := read(ctx, table, aws.ToString(out.Table.TableArn)); err != nil {
			return nil, err
		}
	}
	table.setDefaults()
	return table, nil
}

// described converts a table description of DescribeTable.
func described(d *types.TableDescription) *Table {
	t := &Table{Name: *d.TableName, Key: keyOf(d.KeySchema), DeletionProtection: aws.ToBool(d.DeletionProtectionEnabled)}
	for _, a := range d.AttributeDefinitions {
		if a.AttributeType != types.ScalarAttributeTypeS {
			if t.Attributes == nil {
				t.Attributes = map[string]string{}
			}
			t.Attributes[*a.AttributeName] = string(a.AttributeType)
		}
	}
	t.Billing = Provisioned
	if b := d.BillingModeSummary; b != nil && b.BillingMode == types.BillingModePayPerRequest {
		t.Billing = OnDemand
	}
	t.Throughput = t.capacityOf(d.ProvisionedThroughput, d.OnDemandThroughput)
	if c := d.TableClassSummary; c != nil && c.TableClass == types.TableClassStandardInfrequentAccess {
		t.Class = InfrequentAccess
	}
	for name, view := range streamViewTypes() {
		if s := d.StreamSpecification; s != nil && aws.ToBool(s.StreamEnabled) && s.StreamViewType == view {
			t.Stream = name
		}
	}
	for _, g := range d.GlobalSecondaryIndexes {
		t.Indexes = append(t.Indexes, Index{
			Name: *g.IndexName, Key: keyOf(g.KeySchema), Project: projectionOf(g.Projection),
			Throughput: t.capacityOf(g.ProvisionedThroughput, g.OnDemandThroughput),
		})
	}
	for _, l := range d.LocalSecondaryIndexes {
		t.Indexes = append(t.Indexes, Index{Name: *l.IndexName, Key: keyOf(l.KeySchema), Project: projectionOf(l.Projection),
			Local: true})
	}
	slices.SortFunc(t.Indexes, func(a, b Index) int { return cmp.Compare(a.Name, b.Name) })
	return t
}

func keyOf(all []types.KeySchemaElement) (k KeySchema) {
	for _, e := range all {
		if e.KeyType == types.KeyTypeHash {
			k.Partition = append(k.Partition, *e.AttributeName)
		} else {
			k.Sort = append(k.Sort, *e.AttributeName)
		}
	}
	return k
}

func (t *Table) capacityOf(p *types.ProvisionedThroughputDescription, o *types.OnDemandThroughput) *Capacity {
	if t.Billing == Provisioned && p != nil {
		return &Capacity{aws.ToInt64(p.ReadCapacityUnits), aws.ToInt64(p.WriteCapacityUnits)}
	}
	if t.Billing == OnDemand && o != nil {
		c := Capacity{max(aws.ToInt64(o.MaxReadRequestUnits), 0), max(aws.ToInt64(o.MaxWriteRequestUnits), 0)}
		if c != (Capacity{}) {
			return &c
		}
	}
	return nil
}

func projectionOf(p *types.Projection) Projection {
	if p == nil {
		return Projection{}
	}
	return Projection{KeysOnly: p.ProjectionType == types.ProjectionTypeKeysOnly, Include: p.NonKeyAttributes}
}

func (t *Target) readTTL(ctx context.Context, table *Table, _ string) error {
	out, err := t.db.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &table.Name})
	if err != nil {
		return err
	}
	switch d := out.TimeToLiveDescription; d.TimeToLiveStatus {
	case types.TimeToLiveStatusEnabled, types.TimeToLiveStatusEnabling:
		table.TTL = aws.ToString(d.AttributeName)
	}
	return nil
}

// defaultRecovery is the default recovery period of point-in-time recovery, in days.
const defaultRecovery = 35

func (t *Target) readRecovery(ctx context.Context, table *Table, _ string) error {
	out, err := t.db.DescribeContinuousBackups(ctx, &dynamodb.DescribeContinuousBackupsInput{TableName: &table.Name})
	if t.noteUnsupported(err, "point-in-time recovery") {
		return nil
	}
	if err != nil {
		return err
	}
	d := out.ContinuousBackupsDescription.PointInTimeRecoveryDescription
	if d != nil && d.PointInTimeRecoveryStatus == types.PointInTimeRecoveryStatusEnabled {
		table.RecoveryDays = cmp.Or(aws.ToInt32(d.RecoveryPeriodInDays), defaultRecovery)
	}
	return nil
}

func (t *Target) readTags(ctx context.Context, table *Table, arn string) error {
	for in := (&dynamodb.ListTagsOfResourceInput{ResourceArn: &arn}); ; {
		out, err := t.db.ListTagsOfResource(ctx, in)
		if t.noteUnsupported(err, "tags") {
			return nil
		}
		if err != nil {
			return err
		}
		for _, tag := range out.Tags {
			if strings.HasPrefix(*tag.Key, "aws:") { // set by AWS
				continue
			}
			if table.Tags == nil {
				table.Tags = map[string]string{}
			}
			table.Tags[*tag.Key] = *tag.Value
		}
		if in.NextToken = out.NextToken; in.NextToken == nil {
			return nil
		}
	}
}

func (t *Target) readPolicy(ctx context.Context, table *Table, arn string) error {
	out, err := t.db.GetResourcePolicy(ctx, &dynamodb.GetResourcePolicyInput{ResourceArn: &arn})
	if code(err) == "PolicyNotFoundException" || t.noteUnsupported(err, "resource policies") {
		return nil
	}
	if err == nil {
		table.Policy = Policy(aws.ToString(out.Policy))
	}
	return err
}
