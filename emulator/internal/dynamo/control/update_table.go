package control

import (
	"cmp"
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/encryption"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/streams"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// UpdateTableInput changes the settings of a table. Settings of missing members stay.
type UpdateTableInput struct {
	TableName                   *string
	ProvisionedThroughput       *ProvisionedThroughputInput
	BillingMode                 *string                    `check:"enum=PROVISIONED|PAY_PER_REQUEST"`
	AttributeDefinitions        []AttributeDefinitionInput // of new indexes; others are ignored
	GlobalSecondaryIndexUpdates []GlobalSecondaryIndexUpdateInput
	VectorIndexUpdates          []VectorIndexUpdateInput
	TableClass                  *string
	StreamSpecification         *StreamSpecificationInput
	SSESpecification            *encryption.SSESpecificationInput
	DeletionProtectionEnabled   *bool
	OnDemandThroughput          *OnDemandThroughputInput
	WarmThroughput              *WarmThroughputInput

	ReplicaUpdates            []ReplicaUpdateInput `check:"minlen=1"`
	GlobalTableWitnessUpdates []WitnessUpdateInput `check:"minlen=1,maxlen=1"`
	MultiRegionConsistency    *string              `check:"enum=EVENTUAL|STRONG"`

	// What belongs to features that the emulator does not have: see checkUnsupported.
	GlobalTableSettingsReplicationMode *string `check:"enum=ENABLED|DISABLED|ENABLED_WITH_OVERRIDES"`
	DisassociationProtectionEnabled    *bool
}

func (in *UpdateTableInput) Decode(d *wire.Decoder) error { return d.NamedShape(in, &in.TableName) }

func (in *UpdateTableInput) Check() error {
	if err := checkNewTableName(in.TableName); err != nil {
		return err
	}
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	if err := checkTableClass(in.TableClass); err != nil {
		return err
	}
	if err := in.checkUnsupported(); err != nil {
		return err
	}
	if in.changesNothing() {
		return in.errNothingRequested()
	}
	if in.GlobalSecondaryIndexUpdates != nil && len(in.GlobalSecondaryIndexUpdates) == 0 {
		return wire.ParameterError("List of GlobalSecondaryIndexUpdates is empty")
	}
	if err := checkIndexWarmThroughput(in.GlobalSecondaryIndexUpdates); err != nil {
		return err
	}
	if err := in.checkCombination(); err != nil {
		return err
	}
	if in.MultiRegionConsistency != nil || len(in.ReplicaUpdates) > 0 {
		return in.checkReplicaUpdates()
	}
	if wire.OrZero(in.BillingMode) == engine.OnDemand && in.ProvisionedThroughput != nil { // (DDB-TABLE-056, 2026-10-08)
		return wire.ParameterError("ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST")
	}
	if err := CheckUnits(in.ProvisionedThroughput); err != nil {
		return err
	}
	if err := encryption.CheckEncryption(in.SSESpecification); err != nil {
		return err
	}
	if err := checkIndexUpdates(in.GlobalSecondaryIndexUpdates); err != nil {
		return err
	}
	return checkVectorUpdates(in.VectorIndexUpdates)
}

// tableUpdate is the change from one definition of a table to the next.
type tableUpdate struct {
	request  *engine.Request
	in       *UpdateTableInput
	scales   bool          // it is made by auto scaling
	table    *engine.Table // before the change
	old, new *engine.Definition
	removed  []string // global indexes to delete
	added    []string // global indexes to create

	removedVectors, addedVectors []string
}

// UpdateTable changes a table. With States the table is UPDATING for a while. Otherwise the change is complete, and a
// new index backfilled, before the answer, and only the answer says UPDATING.
func UpdateTable(req *engine.Request, in *UpdateTableInput) (*TableOutput, error) {
	return updateTable(req, in, false)
}

// ScaleTable changes the capacity of a table as auto scaling does: the read capacity of its replicas in other regions
// stays. (ack-api-quirks DDB-TABLE-321, 2026-10-09.)
func ScaleTable(req *engine.Request, in *UpdateTableInput) (*TableOutput, error) {
	return updateTable(req, in, true)
}

func updateTable(req *engine.Request, in *UpdateTableInput, scales bool) (*TableOutput, error) {
	if err := req.Account.DDL.Close(req.BeginWait()); err != nil {
		return nil, err
	}
	defer req.Account.DDL.Open()
	if err := checkCanUpdate(req.Account, *in.TableName, in); err != nil {
		return nil, err
	}
	t, err := req.Account.NamedTable(*in.TableName)
	if err != nil {
		return nil, err
	}
	if len(in.ReplicaUpdates) > 0 {
		return updateReplicas(req, t, in)
	}
	if err := checkReplicasSettled(t); err != nil {
		return nil, err
	}
	u := &tableUpdate{request: req, in: in, scales: scales, table: t, old: t.Def, new: t.Def.Clone()}
	for _, step := range []func() error{u.updateBilling, u.updateOnDemand, u.updateThroughput, u.updateIndexes,
		u.checkOthersScaled, u.updateVectors, u.updateWarmThroughput, u.checkThroughput, u.updateStream,
		u.updateEncryption} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	u.updateOtherSettings()
	if err := CheckQuotas(req.Account, u.new, u.old); err != nil {
		return nil, err
	}
	return u.publish()
}

func (u *tableUpdate) updateBilling() error {
	mode := wire.OrZero(u.in.BillingMode)
	if mode == "" {
		mode = u.old.BillingMode
	}
	switch {
	case mode == engine.OnDemand && u.in.ProvisionedThroughput != nil:
		return errThroughputOnDemand()
	case u.in.BillingMode != nil && mode == engine.Provisioned && u.in.ProvisionedThroughput == nil:
		return wire.ParameterError("ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
	case mode == u.old.BillingMode:
		return nil
	case mode == engine.OnDemand:
		u.new.OnDemandSince = u.request.Engine.Now()
		u.new.Throughput = u.old.Throughput.WithUnits(0, 0)
		for i := range u.new.Global {
			x := &u.new.Global[i] // its decreases are counted, the table's are not (ack-api-quirks DDB-TABLE-153, 2026-10-08)
			x.Throughput = countDecrease(x.Throughput.WithUnits(0, 0), u.new.OnDemandSince)
		}
	}
	u.new.BillingMode = mode
	return nil
}

func (u *tableUpdate) updateOnDemand() error {
	err := checkOnDemandThroughput(u.in.OnDemandThroughput, u.new.BillingMode, "table",
		" cannot be specified when the table BillingMode is PROVISIONED", unlimited)
	u.new.OnDemand = u.in.OnDemandThroughput.Apply(u.old.OnDemand)
	if u.new.BillingMode == engine.Provisioned {
		u.new.OnDemand = engine.OnDemandThroughput{}
		for i := range u.new.Global {
			u.new.Global[i].OnDemand = engine.OnDemandThroughput{}
		}
	}
	return err
}

func (u *tableUpdate) updateThroughput() error {
	requested := u.in.ProvisionedThroughput
	if requested == nil {
		return nil
	}
	if u.old.BillingMode == engine.OnDemand { // neither an increase nor a decrease (DDB-TABLE-055, 2026-10-08)
		u.new.Throughput = u.old.Throughput.WithUnits(*requested.ReadCapacityUnits, *requested.WriteCapacityUnits)
		return nil
	}
	current := u.old.Throughput
	if current.ReadCapacityUnits == *requested.ReadCapacityUnits &&
		current.WriteCapacityUnits == *requested.WriteCapacityUnits {
		return wire.ValidationError(sameThroughput("the table", "the table", current))
	}
	var err error
	u.new.Throughput, err = changeThroughput(current, requested, u.request.Engine.Now())
	return err
}

// sameThroughput returns the message for a throughput of a table or an index that a request would not change.
func sameThroughput(what, where string, current engine.Throughput) string {
	return fmt.Sprintf("The provisioned throughput for %[1]s will not change. The requested value equals the current value. "+
		"Current ReadCapacityUnits provisioned for %[2]s: %[3]d. Requested ReadCapacityUnits: %[3]d. "+
		"Current WriteCapacityUnits provisioned for %[2]s: %[4]d. Requested WriteCapacityUnits: %[4]d. "+
		"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
		what, where, current.ReadCapacityUnits, current.WriteCapacityUnits)
}

// updateStream enables or disables the stream. (Messages: ack-api-quirks DDB-TABLE-050, 2026-10-09.)
func (u *tableUpdate) updateStream() error {
	s := u.in.StreamSpecification
	switch {
	case s == nil:
	case *s.StreamEnabled && s.StreamViewType == nil:
		return wire.ParameterError("If stream is being enabled then UpdateViewType is required")
	case *s.StreamEnabled && u.old.Stream != nil:
		return wire.ValidationError("Table already has an enabled stream: TableName: " + u.old.Name)
	case *s.StreamEnabled:
		u.new.Stream = streams.NewStreamSpecification(u.request.Account, u.old.Name, *s.StreamViewType)
		u.new.LastStream, u.new.StreamPolicy = "", nil // a policy belongs to the ARN of one stream
	case s.StreamViewType != nil:
		return wire.ParameterError("If stream is being disabled, then UpdateViewType must not be specified")
	case u.old.Replication != nil && !u.old.Replication.Strong:
		return wire.ParameterError("Disabling Stream is not allowed for a Global Table replica.")
	case u.old.Stream == nil:
		return wire.ValidationError("Table has no stream to disable: TableName: " + u.old.Name)
	default:
		u.new.Stream, u.new.LastStream = nil, u.old.Stream.Label
	}
	return nil
}

// updateOtherSettings sets the table class, which is STANDARD without one, and the deletion protection. (ack-api-quirks
// DDB-TABLE-177, 2026-10-08.)
func (u *tableUpdate) updateOtherSettings() {
	if u.in.TableClass != nil && *u.in.TableClass != cmp.Or(u.old.Class, "STANDARD") {
		u.new.Class, u.new.ClassChanged = *u.in.TableClass, u.request.Engine.Now()
	}
	if u.in.DeletionProtectionEnabled != nil {
		u.new.DeletionProtection = *u.in.DeletionProtectionEnabled
	}
}

// publish publishes the change, in all replicas, backfills new indexes unless States delays them, and describes the
// table as the service does during the update.
func (u *tableUpdate) publish() (*TableOutput, error) {
	updates, err := u.withReplicas()
	if err != nil {
		return nil, err
	}
	var changes []engine.TableChange
	var previous []*TableDescription
	for _, o := range updates {
		previous = append(previous, Describe(o.table, u.request.Engine.Now()))
		changes = append(changes, engine.TableChange{Account: o.request.Account, Name: o.new.Name,
			To: o.request.Account.NewTable(o.new)})
	}
	err = u.request.Engine.ChangeTables(u.request.BeginWait(), changes, func(tx *store.Tx) error {
		for _, o := range updates {
			if err := o.deleteRemovedIndexes(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	u.beginUpdatingOthers()
	u.scaleNewIndexes(updates)
	var first *TableDescription
	for i, o := range updates {
		d, err := o.finish(changes[i].To, previous[i])
		if err != nil {
			return nil, err
		}
		if i == 0 {
			first = d
		}
	}
	return &TableOutput{first}, nil
}

// finish finishes the update of one table that is published as t, and describes it.
func (u *tableUpdate) finish(t *engine.Table, previous *TableDescription) (d *TableDescription, err error) {
	if !u.request.Engine.States {
		if t, err = u.request.Account.FinishWork(u.request.Engine.WorkContext(), t); err != nil {
			return nil, err
		}
	}
	d = u.describe(u.table, previous, t)
	if u.request.Engine.States {
		u.beginUpdating(t, d)
	}
	return d, nil
}

// deleteRemovedIndexes deletes the entries of the indexes that the update removes.
func (u *tableUpdate) deleteRemovedIndexes(tx *store.Tx) error {
	for _, name := range u.removed {
		x, _ := u.table.Index(name)
		if err := tx.DeleteRange(engine.KeySpan(x.ID)); err != nil {
			return err
		}
	}
	for _, name := range u.removedVectors {
		x, _ := u.table.Vector(name)
		if err := tx.DeleteRange(engine.KeySpan(x.ID)); err != nil {
			return err
		}
	}
	return nil
}

// describe describes the table t, into which previous changes; previousDescription is the description of previous.
func (u *tableUpdate) describe(previous *engine.Table, previousDescription *TableDescription,
	t *engine.Table) *TableDescription {
	d := Describe(t, u.request.Engine.Now())
	if u.becomesUpdating() {
		d.TableStatus = engine.Updating
	}
	if u.in.SSESpecification != nil {
		d.SSEDescription = u.describeEncryption()
	}
	d.TableClassSummary = previousDescription.TableClassSummary // (ack-api-quirks DDB-TABLE-284, 2026-10-09)
	d.WarmThroughput = previousDescription.WarmThroughput
	if !u.in.WarmThroughput.Empty() {
		d.WarmThroughput.Status = engine.Updating
	}
	u.describeCapacity(d)
	d.OnDemandThroughput = u.in.OnDemandThroughput.Describe(u.new.OnDemand)
	u.describeIndexes(previous, previousDescription, d)
	u.describeVectors(previous, d)
	return d
}

// describeCapacity describes the capacity during the update: the previous one, with the time of the change. A table
// that becomes on-demand has the new mode and the time of a decrease that is not kept, but not yet the time of the
// mode. (ack-api-quirks DDB-TABLE-060, DDB-TABLE-064, DDB-TABLE-183 and DDB-TABLE-184, 2026-10-08.)
func (u *tableUpdate) describeCapacity(d *TableDescription) {
	switch {
	case u.old.BillingMode == engine.Provisioned && u.new.BillingMode == engine.OnDemand:
		d.ProvisionedThroughput.LastDecreaseDateTime = u.new.OnDemandSince
		d.setBillingTime(u.old.OnDemandSince)
	case u.in.ProvisionedThroughput != nil && u.old.BillingMode == engine.Provisioned:
		d.ProvisionedThroughput.describePrevious(u.old.Throughput, u.request.Engine.Now())
	}
}

func (in *UpdateTableInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: wire.OrZero(in.TableName)})
}

// describeEncryption describes the encryption during its update: the service shows the previous key until it has
// re-encrypted the table, also while it returns to an AWS owned key (ack-api-quirks DDB-TABLE-140, 2026-10-08).
func (u *tableUpdate) describeEncryption() *engine.SSEDescription {
	var sse engine.SSEDescription // an AWS owned key is not described
	if u.old.SSE != nil {
		sse = *u.old.SSE
	}
	sse.Status = engine.Updating
	return &sse
}

// updateEncryption changes the key that encrypts the table, or returns to an AWS owned key. The current key must be
// usable, to decrypt the table key. Only the ARN of the current key is known to change nothing: an alias or an id
// encrypts the table anew (ack-api-quirks DDB-TABLE-082 and DDB-TABLE-442, 2026-10-09).
func (u *tableUpdate) updateEncryption() error {
	in := u.in.SSESpecification
	if in == nil {
		return nil
	}
	switch {
	case u.old.SSE == nil && !in.Enables():
		return wire.ParameterError("Table is already encrypted by default")
	case u.old.SSE != nil && wire.OrZero(in.KMSMasterKeyId) == u.old.SSE.KMSMasterKeyArn:
		return wire.ParameterError("Table is already encrypted with given KMSMasterKeyId. " +
			"Use KMSMasterKeyId parameter if you want to change Master Key")
	}
	p := engine.ExtensionOf[*encryption.Extension](u.request.Engine)
	if u.old.SSE != nil && p.KMS != nil {
		if err := p.KMS.CheckTableKey(u.request.Account.Name, u.old.SSE.KMSMasterKeyArn); err != nil {
			return encryption.KeyError(u.request.Engine, err)
		}
	}
	var err error
	u.new.SSE, err = p.ResolveSSE(u.request.Account, in)
	return err
}
