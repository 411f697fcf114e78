package dynamo

import (
	"fmt"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// UpdateTableInput changes the settings of a table; a missing member leaves its setting as it is.
type UpdateTableInput struct {
	TableName                   *string
	ProvisionedThroughput       *ProvisionedThroughputInput
	BillingMode                 *string                    `check:"enum=PROVISIONED|PAY_PER_REQUEST"`
	AttributeDefinitions        []AttributeDefinitionInput // of new indexes; others are ignored
	GlobalSecondaryIndexUpdates []GlobalSecondaryIndexUpdateInput
	TableClass                  *string `check:"enum=STANDARD|STANDARD_INFREQUENT_ACCESS"`
	StreamSpecification         *StreamSpecificationInput
	SSESpecification            *SSESpecificationInput
	DeletionProtectionEnabled   *bool
	OnDemandThroughput          *OnDemandThroughputInput
	WarmThroughput              *WarmThroughputInput
}

func (in *UpdateTableInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }

func (in *UpdateTableInput) check() error {
	if err := checkTableName(in.TableName); err != nil {
		return err
	}
	if err := checkShape(in); err != nil {
		return err
	}
	if in.changesNothing() {
		return validationError("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required")
	}
	if orZero(in.BillingMode) == onDemand && in.ProvisionedThroughput != nil {
		return throughputOnDemand()
	}
	if err := checkUnits(in.ProvisionedThroughput); err != nil {
		return err
	}
	if err := in.checkEncryption(); err != nil {
		return err
	}
	return checkIndexUpdates(in.GlobalSecondaryIndexUpdates)
}

// checkEncryption refuses a change of the encryption that comes with others: AWS's words of 2026-10 (ack-api-quirks).
func (in *UpdateTableInput) checkEncryption() error {
	if in.SSESpecification == nil {
		return nil
	}
	others := *in
	if others.SSESpecification = nil; !others.changesNothing() {
		return parameterError("Server-Side Encryption modification must be the only operation in the request")
	}
	return checkEncryption(in.SSESpecification)
}

func (in *UpdateTableInput) changesNothing() bool {
	return in.ProvisionedThroughput == nil && in.BillingMode == nil && len(in.GlobalSecondaryIndexUpdates) == 0 && in.TableClass == nil &&
		in.StreamSpecification == nil && in.SSESpecification == nil && in.DeletionProtectionEnabled == nil && in.OnDemandThroughput.empty() && in.WarmThroughput.empty()
}

// takesTime says whether the table is being updated for a while: what it may do at most, or at once, or how it is encrypted,
// changes nothing else (observed on AWS, 2026).
func (in *UpdateTableInput) takesTime() bool {
	rest := *in
	rest.OnDemandThroughput, rest.WarmThroughput, rest.SSESpecification = nil, nil, nil
	return !rest.changesNothing()
}

// tableUpdate is the way from one definition of a table to the next.
type tableUpdate struct {
	request  *request
	in       *UpdateTableInput
	old, new *definition
	removed  []string // global indexes that go
	added    []string // global indexes that come
}

// updateTable changes a table at once, and fills a new index before it answers, unless tables take their time; else only the
// answer says that the change is under way.
func updateTable(a *request, in *UpdateTableInput) (*tableAnswer, error) {
	if err := a.account.ddl.Close(a.waiting()); err != nil {
		return nil, err
	}
	defer a.account.ddl.Open()
	if err := a.account.mayUpdate(*in.TableName, in); err != nil {
		return nil, err
	}
	t, err := a.account.namedTable(*in.TableName)
	if err != nil {
		return nil, err
	}
	u := &tableUpdate{request: a, in: in, old: t.def, new: t.def.clone()}
	for _, step := range []func() error{u.updateBilling, u.updateOnDemand, u.updateThroughput, u.updateIndexes, u.updateWarm, u.checkThroughput, u.updateStream, u.updateEncryption} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	u.updateRest()
	if err := a.account.checkQuotas(u.new, u.old); err != nil {
		return nil, err
	}
	return u.publish(t)
}

// clone is a definition that can be changed.
func (def *definition) clone() *definition {
	c := *def
	c.Attributes, c.Global = slices.Clone(def.Attributes), slices.Clone(def.Global)
	return &c
}

func (u *tableUpdate) updateBilling() error {
	mode := orZero(u.in.BillingMode)
	if mode == "" {
		mode = u.old.BillingMode
	}
	switch {
	case mode == onDemand && u.in.ProvisionedThroughput != nil:
		return throughputOnDemand()
	case u.in.BillingMode != nil && mode == provisioned && u.in.ProvisionedThroughput == nil:
		return parameterError("ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
	case mode == u.old.BillingMode:
		return nil
	case mode == onDemand:
		u.new.OnDemandSince = u.request.service.now()
		u.new.Throughput = throughput{}
		for i := range u.new.Global {
			u.new.Global[i].Throughput = throughput{}
		}
	}
	u.new.BillingMode = mode
	return nil
}

func (u *tableUpdate) updateOnDemand() error {
	err := checkOnDemandThroughput(u.in.OnDemandThroughput, u.new.BillingMode, "table", "the table BillingMode is PROVISIONED", unlimited)
	u.new.OnDemand = u.in.OnDemandThroughput.merged(u.old.OnDemand)
	if u.new.BillingMode == provisioned {
		u.new.OnDemand = onDemandThroughput{}
		for i := range u.new.Global {
			u.new.Global[i].OnDemand = onDemandThroughput{}
		}
	}
	return err
}

func (u *tableUpdate) updateThroughput() error {
	asked := u.in.ProvisionedThroughput
	if asked == nil {
		return nil
	}
	now := u.old.Throughput
	if u.old.BillingMode == provisioned && now.ReadCapacityUnits == *asked.ReadCapacityUnits && now.WriteCapacityUnits == *asked.WriteCapacityUnits {
		return validationError(fmt.Sprintf("The provisioned throughput for the table will not change. The requested value equals the current value. "+
			"Current ReadCapacityUnits provisioned for the table: %d. Requested ReadCapacityUnits: %[1]d. "+
			"Current WriteCapacityUnits provisioned for the table: %d. Requested WriteCapacityUnits: %[2]d. "+
			"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
			now.ReadCapacityUnits, now.WriteCapacityUnits))
	}
	var err error
	u.new.Throughput, err = now.changed(asked, u.request.service.now())
	return err
}

func (u *tableUpdate) updateStream() error {
	s := u.in.StreamSpecification
	switch {
	case s == nil:
	case *s.StreamEnabled && u.old.Stream != nil:
		return validationError("Table already has an enabled stream: TableName: " + u.old.Name)
	case *s.StreamEnabled && s.StreamViewType == nil:
		return parameterError("If stream is being enabled then UpdateViewType is required")
	case *s.StreamEnabled:
		u.new.Stream = u.request.account.newStream(u.old.Name, *s.StreamViewType)
	case s.StreamViewType != nil:
		return parameterError("If stream is being disabled, then UpdateViewType must not be specified")
	case u.old.Stream == nil:
		return validationError("Table has no stream to disable: TableName: " + u.old.Name)
	default:
		u.new.Stream = nil
	}
	return nil
}

func (u *tableUpdate) updateRest() {
	if u.in.TableClass != nil {
		u.new.Class = *u.in.TableClass
	}
	if u.in.DeletionProtectionEnabled != nil {
		u.new.DeletionProtection = *u.in.DeletionProtectionEnabled
	}
}

// publish makes the change, fills new indexes and describes the table as it is while the service does that.
func (u *tableUpdate) publish(former *table) (*tableAnswer, error) {
	before := former.describe()
	t, err := u.request.account.publish(u.request.waiting(), u.new, func(tx *store.Tx) error {
		for _, name := range u.removed {
			x, _ := former.index(name)
			if err := tx.DeleteRange(spaceOf(x.id)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !u.request.service.states {
		if t, err = u.request.account.finish(t); err != nil {
			return nil, err
		}
	}
	d := u.describe(former, before, t)
	if u.request.service.states {
		u.beginUpdating(t, d)
	}
	return &tableAnswer{d}, nil
}

// describe tells of the table t that the former one, which was described before, becomes.
func (u *tableUpdate) describe(former *table, before *tableDescription, t *table) *tableDescription {
	d := t.describe()
	if u.in.takesTime() {
		d.TableStatus = updating
	}
	if u.in.SSESpecification != nil && d.SSEDescription != nil {
		sse := *d.SSEDescription
		sse.Status, d.SSEDescription = updating, &sse
	}
	d.WarmThroughput = before.WarmThroughput
	if !u.in.WarmThroughput.empty() {
		d.WarmThroughput.Status = updating
	}
	if u.in.ProvisionedThroughput != nil && u.old.BillingMode == provisioned {
		d.ProvisionedThroughput.ReadCapacityUnits = u.old.Throughput.ReadCapacityUnits
		d.ProvisionedThroughput.WriteCapacityUnits = u.old.Throughput.WriteCapacityUnits
	}
	d.OnDemandThroughput = u.in.OnDemandThroughput.describe(u.new.OnDemand)
	u.describeIndexes(former, before, d)
	return d
}

func (in *UpdateTableInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: orZero(in.TableName)})
}
