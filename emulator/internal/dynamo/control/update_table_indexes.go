package control

import (
	"slices"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// GlobalSecondaryIndexUpdateInput is one change of the global indexes of a table: exactly one member is set.
type GlobalSecondaryIndexUpdateInput struct {
	Update *UpdateGlobalSecondaryIndexActionInput
	Create *CreateGlobalSecondaryIndexActionInput
	Delete *DeleteGlobalSecondaryIndexActionInput
}

// UpdateGlobalSecondaryIndexActionInput changes the throughput of an index.
type UpdateGlobalSecondaryIndexActionInput struct {
	IndexName             *string `check:"notnull,name,minlen=3,maxlen=255"`
	ProvisionedThroughput *ProvisionedThroughputInput
	OnDemandThroughput    *OnDemandThroughputInput
	WarmThroughput        *WarmThroughputInput
}

// Empty reports whether the request changes nothing of the index.
func (in *UpdateGlobalSecondaryIndexActionInput) Empty() bool {
	return in.ProvisionedThroughput == nil && in.OnDemandThroughput.Empty() && in.WarmThroughput.Empty()
}

// CreateGlobalSecondaryIndexActionInput defines a new index of an existing table.
type CreateGlobalSecondaryIndexActionInput GlobalSecondaryIndexInput

// DeleteGlobalSecondaryIndexActionInput names the index to delete.
type DeleteGlobalSecondaryIndexActionInput struct {
	IndexName *string `check:"notnull,name,minlen=3,maxlen=255"`
}

// index returns the name of the index that changes, "" if none does.
func (in *GlobalSecondaryIndexUpdateInput) index() string {
	switch {
	case in.Update != nil:
		return *in.Update.IndexName
	case in.Create != nil:
		return *in.Create.IndexName
	case in.Delete != nil:
		return *in.Delete.IndexName
	}
	return ""
}

// actions returns how many actions the element has; the service allows one.
func (in *GlobalSecondaryIndexUpdateInput) actions() (n int) {
	for _, has := range []bool{in.Update != nil, in.Create != nil, in.Delete != nil} {
		if has {
			n++
		}
	}
	return n
}

// checkIndexUpdates checks the changes of indexes before it is known what indexes there are. (Messages: ack-api-quirks
// DDB-TABLE-442 and DDB-TABLE-456, 2026-10-09.)
func checkIndexUpdates(updates []GlobalSecondaryIndexUpdateInput) error {
	seen := map[string]bool{}
	for _, in := range updates {
		switch n := in.actions(); {
		case n == 0:
			return wire.ParameterError("One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, " +
				"GlobalSecondaryIndexUpdate.Delete must not be null")
		case n > 1:
			return wire.ParameterError(
				"Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object")
		}
		name := in.index()
		if seen[name] {
			return wire.ParameterError("Only one global secondary index update per index is allowed simultaneously. Index: " +
				name)
		}
		seen[name] = true
	}
	return nil
}

// checkIndexWarmThroughput returns an error for a warm throughput without values, which the service reports before it
// looks at what an update combines (ack-api-quirks DDB-TABLE-457, 2026-10-09).
func checkIndexWarmThroughput(updates []GlobalSecondaryIndexUpdateInput) error {
	for _, in := range updates {
		if in.Update != nil && in.Update.WarmThroughput != nil && in.Update.WarmThroughput.Empty() {
			return wire.ParameterError("WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond " +
				"specified for index: " + in.index())
		}
	}
	return nil
}

func (u *tableUpdate) updateIndexes() error {
	createdOrDeleted := 0
	for _, in := range u.in.GlobalSecondaryIndexUpdates {
		if in.Update == nil {
			createdOrDeleted++
		}
	}
	createdOrDeleted += len(u.in.VectorIndexUpdates)
	if createdOrDeleted > 1 {
		return wire.DynamoError("LimitExceededException",
			"Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table")
	}
	for _, in := range u.in.GlobalSecondaryIndexUpdates {
		if err := u.updateIndex(in); err != nil {
			return err
		}
	}
	if createdOrDeleted > 0 {
		DropUnusedAttributes(u.new)
	}
	return nil
}

func (u *tableUpdate) updateIndex(in GlobalSecondaryIndexUpdateInput) error {
	at := engine.IndexAt(u.new.Global, in.index())
	local := engine.IndexAt(u.old.Local, in.index()) >= 0
	switch {
	case in.Create != nil:
		return u.createIndex((*GlobalSecondaryIndexInput)(in.Create))
	case local && in.Update != nil:
		return wire.ValidationError("Cannot update an index that is not a GlobalSecondaryIndex: " + in.index())
	case local:
		return wire.ValidationError("Cannot delete an index that is not a GlobalSecondaryIndex: " + in.index())
	case at < 0:
		return wire.DynamoError("ResourceNotFoundException",
			"Requested resource not found: Index "+in.index()+" for table "+u.old.Name)
	case in.Update != nil:
		return u.changeIndex(at, in.Update)
	}
	u.new.Global = slices.Delete(u.new.Global, at, at+1)
	u.removed = append(u.removed, in.index())
	return nil
}

func (u *tableUpdate) changeIndex(at int, in *UpdateGlobalSecondaryIndexActionInput) error {
	switch {
	case (in.Empty() || in.ProvisionedThroughput != nil) && u.new.BillingMode == engine.OnDemand: // (DDB-TABLE-152)
		return wire.ParameterError("The only Updates for index: " + *in.IndexName +
			" when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput")
	case in.Empty():
		return missingIndexUnits(*in.IndexName)
	case in.ProvisionedThroughput != nil:
		if err := u.updateIndexThroughput(at, in.ProvisionedThroughput); err != nil {
			return err
		}
	}
	if err := checkOnDemandThroughput(in.OnDemandThroughput, u.new.BillingMode, "index : "+*in.IndexName,
		" for index : "+*in.IndexName+" cannot be specified when the table BillingMode is PROVISIONED", unlimited); err != nil {
		return err
	}
	x := &u.new.Global[at]
	x.OnDemand = in.OnDemandThroughput.Apply(x.OnDemand)
	return nil
}

func (u *tableUpdate) updateIndexThroughput(at int, to *ProvisionedThroughputInput) error {
	x := &u.new.Global[at]
	switch current := x.Throughput; {
	case *to.ReadCapacityUnits > maxUnits, *to.WriteCapacityUnits > maxUnits:
		return wire.ValidationError("This operation cannot be performed with given input values. Please contact DynamoDB service team for more info: Action Blocked: IndexUpdate")
	case u.old.BillingMode == engine.OnDemand:
		x.Throughput = current.WithUnits(*to.ReadCapacityUnits, *to.WriteCapacityUnits)
		return nil
	case current.ReadCapacityUnits == *to.ReadCapacityUnits &&
		current.WriteCapacityUnits == *to.WriteCapacityUnits:
		return wire.ValidationError(sameThroughput("the index "+x.Name, "index "+x.Name, current))
	}
	var err error
	x.Throughput, err = changeThroughput(x.Throughput, to, u.request.Engine.Now())
	return err
}

func missingIndexUnits(index string) *wire.Error {
	return wire.ParameterError("Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: " + index)
}

// createIndex adds an index. AttributeDefinitions must define the attributes of its key, even those that the table has
// already; other definitions are ignored, whatever their types (nubo-db/dynoxide and paritysuite, 2026-07).
func (u *tableUpdate) createIndex(in *GlobalSecondaryIndexInput) error {
	x := in.Definition(0)
	if hasIndex(u.new, x.Name) {
		return errIndexExists()
	}
	defined := attributesOf(u.in.AttributeDefinitions)
	if len(defined) == 0 {
		return wire.ParameterError("AttributeDefinitions is not specified for index: " + x.Name)
	}
	if err := checkNewIndexThroughput(x.Name, u.new.BillingMode, in.ProvisionedThroughput != nil); err != nil {
		return err
	}
	if err := checkGlobalIndex(x, defined, u.new.BillingMode, in.ProvisionedThroughput != nil); err != nil {
		return err
	}
	if err := checkNotVector(u.new, x.KeySchema, defined); err != nil {
		return err
	}
	if len(u.new.Global) == maxGlobalIndexes {
		return wire.DynamoError("LimitExceededException",
			"Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of "+
				strconv.Itoa(maxGlobalIndexes))
	}
	if err := u.checkTypesKept(x.KeySchema, defined); err != nil {
		return err
	}
	for _, k := range x.KeySchema {
		if !defines(u.new.Attributes, k.AttributeName) {
			u.new.Attributes = append(u.new.Attributes, defined[definitionAt(defined, k.AttributeName)])
		}
	}
	if err := checkNewWarmThroughput(in.WarmThroughput, u.new.BillingMode, in.ProvisionedThroughput,
		"index "+x.Name); err != nil {
		return err
	}
	if err := checkOnDemandThroughput(in.OnDemandThroughput, u.new.BillingMode, "index : "+x.Name,
		" for index : "+x.Name+" cannot be specified when the table BillingMode is PROVISIONED", 1); err != nil {
		return err
	}
	x.ID, x.Backfilling = u.request.Engine.NewID(), true
	u.new.Global = append(u.new.Global, x)
	u.added = append(u.added, x.Name)
	return nil
}

// checkNewIndexThroughput returns an error unless an index that is added to a table has a throughput exactly if the
// table is provisioned. (The second message: ack-api-quirks DDB-TABLE-152, 2026-10-08.)
func checkNewIndexThroughput(index, billing string, hasThroughput bool) error {
	switch {
	case billing == engine.OnDemand && hasThroughput:
		return wire.ParameterError("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: " + index +
			" when BillingMode is PAY_PER_REQUEST")
	case billing != engine.OnDemand && !hasThroughput:
		return missingIndexUnits(index)
	}
	return nil
}

// DropUnusedAttributes removes the attribute definitions that no key uses.
func DropUnusedAttributes(def *engine.Definition) {
	keys := keyNames(def.KeySchema)
	for _, x := range slices.Concat(def.Global, def.Local) {
		keys = append(keys, keyNames(x.KeySchema)...)
	}
	for _, x := range def.Vectors {
		for _, e := range x.Schema {
			keys = append(keys, e.AttributeName)
		}
	}
	def.Attributes = slices.DeleteFunc(def.Attributes, func(a engine.AttributeDefinition) bool {
		return !slices.Contains(keys, a.AttributeName)
	})
}

// checkThroughput returns an error unless every index of a provisioned table has a throughput.
func (u *tableUpdate) checkThroughput() error {
	var missing []string
	for _, x := range u.new.Global {
		if u.new.BillingMode == engine.Provisioned && x.Throughput.ReadCapacityUnits == 0 {
			missing = append(missing, x.Name)
		}
	}
	if missing != nil {
		return missingIndexThroughput(missing...)
	}
	return nil
}

// describeIndexes describes the indexes during the update: those that are being created, changed and deleted.
func (u *tableUpdate) describeIndexes(previous *engine.Table, previousDescription, d *TableDescription) {
	for i := range d.GlobalSecondaryIndexes {
		switch x := &d.GlobalSecondaryIndexes[i]; {
		case slices.Contains(u.added, x.IndexName):
			x.IndexStatus, x.Backfilling = engine.Creating, new(bool)
			x.ItemCount, x.IndexSizeBytes, x.WarmThroughput = 0, 0, nil
		case u.old.BillingMode != u.new.BillingMode:
			x.IndexStatus = engine.Updating
		case u.changesIndex(x.IndexName):
			previousThroughput := u.old.Global[engine.IndexAt(u.old.Global, x.IndexName)].Throughput
			x.IndexStatus = engine.Updating
			x.ProvisionedThroughput.describePrevious(previousThroughput, u.request.Engine.Now())
			x.describePreviousWarmThroughput(previousDescription)
		}
	}
	for _, name := range u.removed {
		x, _ := previous.Index(name)
		removed := describeIndex(previous, x, u.old.Global, u.request.Engine.Now())
		removed.IndexStatus = engine.Deleting
		d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, removed)
	}
}

// describePreviousWarmThroughput describes the index's previous warm throughput during the update, as UPDATING if it
// changes.
func (x *indexDescription) describePreviousWarmThroughput(previousDescription *TableDescription) {
	at := slices.IndexFunc(previousDescription.GlobalSecondaryIndexes, func(b indexDescription) bool {
		return b.IndexName == x.IndexName
	})
	if at < 0 {
		return
	}
	previous := previousDescription.GlobalSecondaryIndexes[at].WarmThroughput
	if *previous != *x.WarmThroughput {
		previous.Status = engine.Updating
	}
	x.WarmThroughput = previous
}

func (u *tableUpdate) changesIndex(name string) bool {
	return slices.ContainsFunc(u.in.GlobalSecondaryIndexUpdates, func(in GlobalSecondaryIndexUpdateInput) bool {
		return in.index() == name
	})
}
