package tablefile

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// compareTable finds the differences of a target's table.
func (t *Target) compareTable(p *Plan, want, have *Table) {
	before := len(p.Steps) + len(p.Refused)
	if !want.Key.equal(have.Key) {
		p.refuse(want.Name, "the key cannot be changed from (%s) to (%s): create a table with another name and move the items",
			have.Key, want.Key)
	}
	for name, kind := range want.keyTypes() {
		if was, known := have.keyTypes()[name]; known && was != kind {
			p.refuse(want.Name,
				"key attribute %s cannot be changed from type %s to %s: create a table with another name and move the items",
				name, was, kind)
		}
	}
	t.extraIndexes(p, want, have)
	t.compareCapacity(p, want, have)
	t.compareSettings(p, want, have)
	t.compareStream(p, want, have)
	t.compareIndexes(p, want, have)
	t.planTTL(p, want, have.TTL)
	t.planRecovery(p, want, have.RecoveryDays)
	t.compareTags(p, want, have)
	t.comparePolicy(p, want, have)
	if len(p.Steps)+len(p.Refused) == before {
		p.addUnchanged("table " + want.Name)
	}
}

// keyTypes returns the types of the key attributes of the table and its indexes.
func (t *Table) keyTypes() map[string]string {
	all := map[string]string{}
	for _, d := range t.definitions() {
		all[*d.AttributeName] = string(d.AttributeType)
	}
	return all
}

// update adds a step that updates a table and waits until the update is done.
func (t *Target) update(p *Plan, table, text string, in *dynamodb.UpdateTableInput) {
	in.TableName = &table
	p.add(table, text, func(ctx context.Context) error {
		if _, err := t.db.UpdateTable(ctx, in); err != nil {
			return err
		}
		return t.active(ctx, table)
	})
}

func (c *Capacity) String() string {
	if c == nil {
		return "no limit"
	}
	return fmt.Sprintf("%d reads and %d writes a second", c.Read, c.Write)
}

func equalCapacity(a, b *Capacity) bool {
	return cmp.Or(a, &Capacity{}).Read == cmp.Or(b, &Capacity{}).Read && cmp.Or(a, &Capacity{}).Write == cmp.Or(b,
		&Capacity{}).Write
}

// compareCapacity changes the billing mode, with the capacity of the table and of all its indexes, or only the
// capacities that differ.
func (t *Target) compareCapacity(p *Plan, want, have *Table) {
	if want.Billing != have.Billing {
		in := &dynamodb.UpdateTableInput{BillingMode: want.billingMode()}
		in.ProvisionedThroughput, in.OnDemandThroughput = want.throughput(want.Throughput)
		for _, x := range want.Indexes {
			if y := have.index(x.Name); y != nil && !x.Local && x.Throughput != nil {
				in.GlobalSecondaryIndexUpdates = append(in.GlobalSecondaryIndexUpdates, want.indexCapacity(x))
			}
		}
		t.update(p, want.Name, fmt.Sprintf("change billing from %s to %s", have.Billing, want.Billing), in)
		return
	}
	if !equalCapacity(want.Throughput, have.Throughput) {
		in := &dynamodb.UpdateTableInput{}
		in.ProvisionedThroughput, in.OnDemandThroughput = want.throughput(cmp.Or(want.Throughput, &Capacity{}))
		t.update(p, want.Name, fmt.Sprintf("change capacity from %s to %s", have.Throughput, want.Throughput), in)
	}
	for _, x := range want.Indexes {
		y := have.index(x.Name)
		if y == nil || x.Local || equalCapacity(x.Throughput, y.Throughput) {
			continue
		}
		t.update(p, want.Name, fmt.Sprintf("change capacity of index %s from %s to %s", x.Name,
			y.Throughput, x.Throughput),
			&dynamodb.UpdateTableInput{GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{want.indexCapacity(x)}})
	}
}

func (t *Table) indexCapacity(x Index) types.GlobalSecondaryIndexUpdate {
	u := &types.UpdateGlobalSecondaryIndexAction{IndexName: aws.String(x.Name)}
	u.ProvisionedThroughput, u.OnDemandThroughput = t.throughput(cmp.Or(x.Throughput, &Capacity{}))
	return types.GlobalSecondaryIndexUpdate{Update: u}
}

func (t *Table) index(name string) *Index {
	for i := range t.Indexes {
		if t.Indexes[i].Name == name {
			return &t.Indexes[i]
		}
	}
	return nil
}

// compareSettings changes class, encryption and deletion protection, each in a request of its own, as the service
// requires.
func (t *Target) compareSettings(p *Plan, want, have *Table) {
	if want.Class != have.Class {
		class := types.TableClassStandard
		if want.Class == InfrequentAccess {
			class = types.TableClassStandardInfrequentAccess
		}
		t.update(p, want.Name, fmt.Sprintf("change class from %s to %s", have.Class, want.Class),
			&dynamodb.UpdateTableInput{TableClass: class})
	}
	if want.Encryption != have.Encryption {
		sse := want.sse()
		if sse == nil {
			sse = &types.SSESpecification{Enabled: aws.Bool(false)}
		}
		t.update(p, want.Name, fmt.Sprintf("change encryption from %s to %s", have.Encryption, want.Encryption),
			&dynamodb.UpdateTableInput{SSESpecification: sse})
	}
	if want.DeletionProtection != have.DeletionProtection {
		text := "enable deletion protection"
		if !want.DeletionProtection {
			text = "disable deletion protection"
		}
		t.update(p, want.Name, text, &dynamodb.UpdateTableInput{DeletionProtectionEnabled: &want.DeletionProtection})
	}
}

// compareStream turns a stream on or off; one with another view type has to be turned off first.
func (t *Target) compareStream(p *Plan, want, have *Table) {
	if want.Stream == have.Stream {
		return
	}
	if have.Stream != "" {
		off := &types.StreamSpecification{StreamEnabled: aws.Bool(false)}
		t.update(p, want.Name, "disable stream of "+have.Stream, &dynamodb.UpdateTableInput{StreamSpecification: off})
	}
	if want.Stream != "" {
		t.update(p, want.Name, "enable stream of "+want.Stream,
			&dynamodb.UpdateTableInput{StreamSpecification: want.stream()})
	}
}

// compareIndexes creates missing indexes, one at a time.
func (t *Target) compareIndexes(p *Plan, want, have *Table) {
	for _, x := range want.Indexes {
		y := have.index(x.Name)
		switch {
		case y == nil && x.Local:
			p.refuse(want.Name,
				"local index %s can only be created with the table: create a table with another name and move the items", x.Name)
		case y == nil:
			create := &types.CreateGlobalSecondaryIndexAction{IndexName: aws.String(x.Name), KeySchema: x.Key.elements(),
				Projection: x.Project.request()}
			create.ProvisionedThroughput, create.OnDemandThroughput = want.initialThroughput(x.Throughput)
			t.update(p, want.Name, "create index "+x.Name, &dynamodb.UpdateTableInput{
				AttributeDefinitions:        want.definitions(),
				GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: create}},
			})
		case !x.Key.equal(y.Key) || x.Local != y.Local || !equalProjections(x.Project, y.Project):
			p.refuse(want.Name,
				"index %s cannot be changed from (%s) with %s to (%s) with %s: add an index with another name and remove this one",
				x.Name, y.Key, y.Project, x.Key, x.Project)
		}
	}
}

// extraIndexes deletes, or keeps, the global secondary indexes that are not in the file.
func (t *Target) extraIndexes(p *Plan, want, have *Table) {
	for _, y := range have.Indexes {
		if want.index(y.Name) == nil && !y.Local {
			if want.Billing == Provisioned && have.Billing != Provisioned && !p.prune {
				p.refuse(want.Name, "index %s is not in the file, and needs throughput if the table is provisioned: add it to the file, or set --prune",
					y.Name)
			}
			p.extra(want.Name, "index "+y.Name, func(ctx context.Context) error {
				_, err := t.db.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: &want.Name,
					GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{
						{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: aws.String(y.Name)}},
					}})
				if err != nil {
					return err
				}
				return t.active(ctx, want.Name)
			})
		}
	}
}

func equalProjections(a, b Projection) bool {
	return a.KeysOnly == b.KeysOnly && slices.Equal(slices.Sorted(slices.Values(a.Include)),
		slices.Sorted(slices.Values(b.Include)))
}

// planTTL turns TTL on or off; to change the attribute, it turns TTL off first.
func (t *Target) planTTL(p *Plan, want *Table, have string) {
	set := func(text, attribute string, on bool) {
		p.add(want.Name, text, func(ctx context.Context) error {
			_, err := t.db.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
				TableName: &want.Name, TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: &attribute,
					Enabled: &on},
			})
			return err
		})
	}
	if have != "" && have != want.TTL {
		set("disable TTL by "+have, have, false)
	}
	if want.TTL != "" && have != want.TTL {
		set("enable TTL by "+want.TTL, want.TTL, true)
	}
}

// planRecovery turns point-in-time recovery on or off, or changes the number of days.
func (t *Target) planRecovery(p *Plan, want *Table, have int32) {
	if want.RecoveryDays == have {
		return
	}
	spec := &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(want.RecoveryDays > 0)}
	text := "disable point-in-time recovery"
	if want.RecoveryDays > 0 {
		spec.RecoveryPeriodInDays = &want.RecoveryDays
		text = fmt.Sprintf("set point-in-time recovery to %d days", want.RecoveryDays)
	}
	p.add(want.Name, text, func(ctx context.Context) error {
		_, err := t.db.UpdateContinuousBackups(ctx, &dynamodb.UpdateContinuousBackupsInput{TableName: &want.Name,
			PointInTimeRecoverySpecification: spec})
		return err
	})
}

// compareTags sets tags that are missing or have another value.
func (t *Target) compareTags(p *Plan, want, have *Table) {
	missing := map[string]string{}
	for key, value := range want.Tags {
		if was, ok := have.Tags[key]; !ok || was != value {
			missing[key] = value
		}
	}
	if len(missing) > 0 {
		p.add(want.Name, fmt.Sprintf("add tags %v", slices.Sorted(maps.Keys(missing))), func(ctx context.Context) error {
			arn, err := t.arn(ctx, want.Name)
			if err == nil {
				_, err = t.db.TagResource(ctx, &dynamodb.TagResourceInput{ResourceArn: arn, Tags: tagsOf(missing)})
			}
			return err
		})
	}
	for _, key := range slices.Sorted(maps.Keys(have.Tags)) {
		if _, kept := want.Tags[key]; !kept {
			p.extra(want.Name, "tag "+key, func(ctx context.Context) error {
				arn, err := t.arn(ctx, want.Name)
				if err == nil {
					_, err = t.db.UntagResource(ctx, &dynamodb.UntagResourceInput{ResourceArn: arn, TagKeys: []string{key}})
				}
				return err
			})
		}
	}
}

// comparePolicy puts or deletes the table's resource policy.
func (t *Target) comparePolicy(p *Plan, want, have *Table) {
	if want.Policy == have.Policy {
		return
	}
	text := "put resource policy"
	if want.Policy == "" {
		text = "delete resource policy"
	}
	p.add(want.Name, text, func(ctx context.Context) error {
		arn, err := t.arn(ctx, want.Name)
		if err != nil {
			return err
		}
		if want.Policy == "" {
			_, err = t.db.DeleteResourcePolicy(ctx, &dynamodb.DeleteResourcePolicyInput{ResourceArn: arn})
		} else {
			_, err = t.db.PutResourcePolicy(ctx, &dynamodb.PutResourcePolicyInput{ResourceArn: arn,
				Policy: aws.String(string(want.Policy))})
		}
		return err
	})
}

func (t *Target) arn(ctx context.Context, table string) (*string, error) {
	out, err := t.db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
	if err != nil {
		return nil, err
	}
	return out.Table.TableArn, nil
}
