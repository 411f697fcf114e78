package backup

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/encryption"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// Overrides are the settings of a restored table that replace those of its source. The messages were recorded on AWS,
// 2026-10.
type Overrides struct {
	billing    *string
	throughput *control.ProvisionedThroughputInput
	onDemand   *control.OnDemandThroughputInput
	global     []control.GlobalSecondaryIndexInput // nil: those of the source; empty: none
	local      []control.LocalSecondaryIndexInput
	encryption *encryption.SSESpecificationInput
	vectors    []control.VectorIndexInput // nil: those of the source; empty: none
}

// check returns an error for overrides that are invalid whatever the source.
func (o *Overrides) check() error {
	mode := wire.OrZero(o.billing)
	switch {
	case mode == engine.OnDemand && o.throughput != nil:
		return invalidRequest("Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST")
	case mode == engine.Provisioned && o.throughput == nil:
		return invalidRequest("Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED")
	}
	for _, x := range o.global {
		if mode == engine.OnDemand && x.ProvisionedThroughput != nil {
			return invalidRequest(
				"Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST for index " + *x.IndexName)
		}
	}
	return control.CheckUnits(o.throughput)
}

// sourceAccount returns the account of a restore's source: that of the region in the source's ARN. A restore from
// another region specifies the encryption. (ack-api-quirks DDB-TABLE-274, 2026-10-09.)
func sourceAccount(a *engine.Account, arn string, sse *encryption.SSESpecificationInput) (*engine.Account, error) {
	region := strings.Split(arn, ":")[3]
	switch {
	case region == a.Region() || !control.IsRegion(a, region):
		return a, nil
	case sse == nil:
		return nil, invalidRequest("sseSpecificationOverride must be provided for cross-region restores")
	}
	return a.Engine.AccountNamed(a.Engine.Spaces.Sibling(a.Name, region)), nil
}

// Definition returns the definition of a table with that name restored from source, which is in the account from. It
// has no stream, time to live, point-in-time recovery, tags, deletion protection or table class.
func (o *Overrides) Definition(req *engine.Request, from *engine.Account, source *engine.Definition, name string) (
	*engine.Definition, error) {
	def := &engine.Definition{
		Name: name, UUID: req.Engine.NextUUID(), ARN: req.Account.ARN("dynamodb", "table/"+name), Created: req.Engine.Now(),
		Attributes: slices.Clone(source.Attributes), KeySchema: source.KeySchema, Global: slices.Clone(source.Global),
		Local: slices.Clone(source.Local), Vectors: slices.Clone(source.Vectors),
		BillingMode: source.BillingMode, OnDemand: source.OnDemand,
	}
	if o.billing != nil {
		def.BillingMode = *o.billing
	}
	def.Throughput = engine.Throughput{ReadCapacityUnits: source.Throughput.ReadCapacityUnits,
		WriteCapacityUnits: source.Throughput.WriteCapacityUnits}
	for _, step := range []func(*engine.Definition) error{o.setThroughput, o.setOnDemand, o.setLocal, o.setGlobal,
		o.setVectors, checkDistinctIndexes} {
		if err := step(def); err != nil {
			return nil, err
		}
	}
	var err error
	if def.SSE, err = engine.ExtensionOf[*encryption.Extension](req.Engine).ResolveRestoredSSE(req.Account, from, source,
		o.encryption); err != nil {
		return nil, err
	}
	control.DropUnusedAttributes(def)
	def.ID = req.Engine.NewID()
	for i := range def.Global {
		def.Global[i].ID, def.Global[i].Backfilling, def.Global[i].Warm = req.Engine.NewID(), false, engine.WarmThroughput{}
	}
	for i := range def.Local {
		def.Local[i].ID = req.Engine.NewID()
	}
	for i := range def.Vectors {
		def.Vectors[i].ID, def.Vectors[i].Backfilling = req.Engine.NewID(), false
	}
	return def, nil
}

func (o *Overrides) setThroughput(def *engine.Definition) error {
	switch {
	case def.BillingMode == engine.OnDemand && o.throughput != nil:
		return invalidRequest("Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED")
	case def.BillingMode == engine.OnDemand:
		def.Throughput, def.OnDemandSince = engine.Throughput{}, def.Created
	case o.throughput != nil:
		def.Throughput = o.throughput.Throughput()
	}
	return nil
}

func (o *Overrides) setOnDemand(def *engine.Definition) error {
	if def.BillingMode == engine.Provisioned {
		def.OnDemand = engine.OnDemandThroughput{}
	}
	if o.onDemand.Empty() {
		return nil
	}
	for _, c := range []struct {
		name  string
		value *int64
	}{{"MaxReadRequestUnits", o.onDemand.MaxReadRequestUnits}, {"MaxWriteRequestUnits", o.onDemand.MaxWriteRequestUnits}} {
		switch {
		case c.value == nil:
		case def.BillingMode != engine.OnDemand:
			return invalidRequest("Cannot override " + c.name +
				" for OnDemandThroughput unless BillingModeOverride is PAY_PER_REQUEST")
		case *c.value < 1:
			return invalidRequest("Requested " + c.name + " for OnDemandThroughput is outside of valid range")
		}
	}
	def.OnDemand = o.onDemand.Apply(def.OnDemand)
	return nil
}

func (o *Overrides) setLocal(def *engine.Definition) error {
	if o.local == nil {
		return nil
	}
	source := def.Local
	def.Local = nil
	for i := range o.local {
		x := o.local[i].Definition(0)
		if !matches(x, source) {
			return noSuchIndex(x.Name)
		}
		def.Local = append(def.Local, x)
	}
	return nil
}

func (o *Overrides) setGlobal(def *engine.Definition) error {
	source := def.Global
	if o.global != nil {
		def.Global = nil
	}
	for i := range o.global {
		x := o.global[i].Definition(0)
		if !matches(x, source) {
			return noSuchIndex(x.Name)
		}
		if o.global[i].ProvisionedThroughput != nil && def.BillingMode == engine.OnDemand {
			return invalidRequest("Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED for index " + x.Name)
		}
		def.Global = append(def.Global, x)
	}
	for i := range def.Global {
		x := &def.Global[i]
		units := engine.Throughput{ReadCapacityUnits: x.Throughput.ReadCapacityUnits,
			WriteCapacityUnits: x.Throughput.WriteCapacityUnits}
		switch x.Throughput = units; {
		case def.BillingMode == engine.OnDemand:
			x.Throughput = engine.Throughput{}
		case units.ReadCapacityUnits == 0:
			return invalidRequest("Must specify provisioned throughput for index " + x.Name)
		default:
			x.OnDemand = engine.OnDemandThroughput{}
		}
	}
	return nil
}

// setVectors sets the vector indexes. Its messages are those of the other indexes; of vector indexes none is recorded.
func (o *Overrides) setVectors(def *engine.Definition) error {
	source := def.Vectors
	if o.vectors != nil {
		def.Vectors = nil
	}
	for i := range o.vectors {
		x := o.vectors[i].Definition(0)
		if !slices.ContainsFunc(source, func(s engine.VectorDefinition) bool {
			return x.Attribute == s.Attribute && x.Dimensions == s.Dimensions && x.Distance == s.Distance &&
				slices.Equal(x.Schema, s.Schema) && x.Projection.ProjectionType == s.Projection.ProjectionType &&
				reflect.DeepEqual(sortedNames(x.Projection), sortedNames(s.Projection))
		}) {
			return noSuchIndex(x.Name)
		}
		def.Vectors = append(def.Vectors, x)
	}
	if len(def.Vectors) > 0 && def.BillingMode == engine.Provisioned {
		return control.ErrVectorsProvisioned()
	}
	return nil
}

// matches reports whether an index equals one of the source's in all but its name and throughput.
func matches(x engine.IndexDefinition, source []engine.IndexDefinition) bool {
	return slices.ContainsFunc(source, func(s engine.IndexDefinition) bool {
		return slices.Equal(x.KeySchema, s.KeySchema) && x.Projection.ProjectionType == s.Projection.ProjectionType &&
			reflect.DeepEqual(sortedNames(x.Projection), sortedNames(s.Projection))
	})
}

func sortedNames(p engine.Projection) []string {
	return slices.Sorted(slices.Values(p.NonKeyAttributes))
}

func noSuchIndex(name string) *wire.Error {
	return invalidRequest(
		fmt.Sprintf("Index %s does not match a secondary index that existed in the source table and cannot be created during the restore operation",
			name))
}

func checkDistinctIndexes(def *engine.Definition) error {
	seen := map[string]bool{}
	for _, x := range slices.Concat(def.Local, def.Global) {
		if seen[x.Name] {
			return control.DuplicateIndex(x.Name)
		}
		seen[x.Name] = true
	}
	for _, x := range def.Vectors {
		if seen[x.Name] {
			return control.DuplicateIndex(x.Name)
		}
		seen[x.Name] = true
	}
	return nil
}

// appendRestoreRefs appends the permissions that AWS documents for a restore ("Using IAM with DynamoDB backup and
// restore").
func appendRestoreRefs(dst []engine.ResourceRef, target *string) []engine.ResourceRef {
	for _, action := range [...]string{"BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "Scan",
		"UpdateItem"} {
		dst = append(dst, engine.ResourceRef{Action: action, Table: wire.OrZero(target)})
	}
	return dst
}
