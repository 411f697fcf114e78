package dynamo

import (
	"fmt"
	"reflect"
	"slices"
)

// overrides are what a restored table is to have in place of what its source has. The messages were recorded on AWS, 2026-10.
type overrides struct {
	billing    *string
	throughput *ProvisionedThroughputInput
	ceilings   *OnDemandThroughputInput
	global     []GlobalSecondaryIndexInput // nil: those of the source; empty: none
	local      []LocalSecondaryIndexInput
	encryption *SSESpecificationInput
}

// checkOverrides refuses what does not fit whatever the source is.
func (o *overrides) check() error {
	mode := orZero(o.billing)
	switch {
	case mode == onDemand && o.throughput != nil:
		return invalidRequest("Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST")
	case mode == provisioned && o.throughput == nil:
		return invalidRequest("Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED")
	}
	for _, x := range o.global {
		if mode == onDemand && x.ProvisionedThroughput != nil {
			return invalidRequest("Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST for index " + *x.IndexName)
		}
	}
	return checkUnits(o.throughput)
}

// definition is that of a table of that name restored from another one: without its stream, its time to live, its recovery,
// its tags, its protection and its class.
func (o *overrides) definition(a *request, source *definition, name string) (*definition, error) {
	def := &definition{
		Name: name, UUID: a.service.nextUUID(), ARN: a.account.arn("dynamodb", "table/"+name), Created: a.service.now(),
		Attributes: slices.Clone(source.Attributes), KeySchema: source.KeySchema, Global: slices.Clone(source.Global), Local: slices.Clone(source.Local),
		BillingMode: source.BillingMode, OnDemand: source.OnDemand,
	}
	if o.billing != nil {
		def.BillingMode = *o.billing
	}
	def.Throughput = throughput{ReadCapacityUnits: source.Throughput.ReadCapacityUnits, WriteCapacityUnits: source.Throughput.WriteCapacityUnits}
	for _, step := range []func(*definition) error{o.setThroughput, o.setCeilings, o.setLocal, o.setGlobal, checkDistinctIndexes} {
		if err := step(def); err != nil {
			return nil, err
		}
	}
	var err error
	if def.SSE, err = a.account.encryptionOf(source, o.encryption); err != nil {
		return nil, err
	}
	def.dropUnusedAttributes()
	def.ID = a.service.newID()
	for i := range def.Global {
		def.Global[i].ID, def.Global[i].Backfilling, def.Global[i].Warm = a.service.newID(), false, warmThroughput{}
	}
	for i := range def.Local {
		def.Local[i].ID = a.service.newID()
	}
	return def, nil
}

func (o *overrides) setThroughput(def *definition) error {
	switch {
	case def.BillingMode == onDemand && o.throughput != nil:
		return invalidRequest("Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED")
	case def.BillingMode == onDemand:
		def.Throughput, def.OnDemandSince = throughput{}, def.Created
	case o.throughput != nil:
		def.Throughput = o.throughput.throughput()
	}
	return nil
}

func (o *overrides) setCeilings(def *definition) error {
	if def.BillingMode == provisioned {
		def.OnDemand = onDemandThroughput{}
	}
	if o.ceilings.empty() {
		return nil
	}
	for _, c := range []struct {
		name  string
		value *int64
	}{{"MaxReadRequestUnits", o.ceilings.MaxReadRequestUnits}, {"MaxWriteRequestUnits", o.ceilings.MaxWriteRequestUnits}} {
		switch {
		case c.value == nil:
		case def.BillingMode != onDemand:
			return invalidRequest("Cannot override " + c.name + " for OnDemandThroughput unless BillingModeOverride is PAY_PER_REQUEST")
		case *c.value < 1:
			return invalidRequest("Requested " + c.name + " for OnDemandThroughput is outside of valid range")
		}
	}
	def.OnDemand = o.ceilings.merged(def.OnDemand)
	return nil
}

func (o *overrides) setLocal(def *definition) error {
	if o.local == nil {
		return nil
	}
	source := def.Local
	def.Local = nil
	for i := range o.local {
		x := o.local[i].definition(0)
		if !matches(x, source) {
			return noSuchIndex(x.Name)
		}
		def.Local = append(def.Local, x)
	}
	return nil
}

func (o *overrides) setGlobal(def *definition) error {
	source := def.Global
	if o.global != nil {
		def.Global = nil
	}
	for i := range o.global {
		x := o.global[i].definition(0)
		if !matches(x, source) {
			return noSuchIndex(x.Name)
		}
		if o.global[i].ProvisionedThroughput != nil && def.BillingMode == onDemand {
			return invalidRequest("Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED for index " + x.Name)
		}
		def.Global = append(def.Global, x)
	}
	for i := range def.Global {
		x := &def.Global[i]
		units := throughput{ReadCapacityUnits: x.Throughput.ReadCapacityUnits, WriteCapacityUnits: x.Throughput.WriteCapacityUnits}
		switch x.Throughput = units; {
		case def.BillingMode == onDemand:
			x.Throughput = throughput{}
		case units.ReadCapacityUnits == 0:
			return invalidRequest("Must specify provisioned throughput for index " + x.Name)
		default:
			x.OnDemand = onDemandThroughput{}
		}
	}
	return nil
}

// matches says whether an index is one of the source's by all but its name and throughput.
func matches(x indexDefinition, source []indexDefinition) bool {
	return slices.ContainsFunc(source, func(s indexDefinition) bool {
		return slices.Equal(x.KeySchema, s.KeySchema) && x.Projection.ProjectionType == s.Projection.ProjectionType &&
			reflect.DeepEqual(sortedNames(x.Projection), sortedNames(s.Projection))
	})
}

func sortedNames(p projection) []string { return slices.Sorted(slices.Values(p.NonKeyAttributes)) }

func noSuchIndex(name string) *Error {
	return invalidRequest(fmt.Sprintf("Index %s does not match a secondary index that existed in the source table and cannot be created during the restore operation", name))
}

func checkDistinctIndexes(def *definition) error {
	seen := map[string]bool{}
	for _, x := range slices.Concat(def.Local, def.Global) {
		if seen[x.Name] {
			return duplicateIndex(x.Name)
		}
		seen[x.Name] = true
	}
	return nil
}

// appendRestoredRefs is what AWS documents for restoring ("Using IAM with DynamoDB backup and restore").
func appendRestoredRefs(dst []resourceRef, target *string) []resourceRef {
	for _, action := range [...]string{"BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "Scan", "UpdateItem"} {
		dst = append(dst, resourceRef{action: action, table: orZero(target)})
	}
	return dst
}
