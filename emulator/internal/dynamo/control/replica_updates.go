package control

import (
	"cmp"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/encryption"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/streams"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// How long replicas take to be added, changed and removed, in 2026-10 (ack-api-quirks DDB-TABLE-204, DDB-TABLE-226,
// DDB-TABLE-250 and DDB-TABLE-305): of tables without items, the others take minutes.
var (
	addingReplica   = DurationRange{14400 * time.Millisecond, 49 * time.Second}
	changingReplica = DurationRange{34 * time.Second, 58 * time.Second}
	removingReplica = DurationRange{31 * time.Second, 47 * time.Second}
	deletingReplica = DurationRange{121 * time.Second, 244 * time.Second} // until no replica lists it
)

// updateReplicas adds, changes or removes replicas of a table. The account's DDL is closed. All tables change in one
// transaction; a new replica has all items before the answer.
func updateReplicas(req *engine.Request, t *engine.Table, in *UpdateTableInput) (*TableOutput, error) {
	if err := checkReplicas(req, t, in); err != nil {
		return nil, err
	}
	if err := checkCanUpdateReplicas(req.Account, t); err != nil {
		return nil, err
	}
	g := &group{request: req, table: t, before: Describe(t, req.Engine.Now())}
	switch in.ReplicaUpdates[0].action() {
	case "Create":
		return g.add(in)
	case "Delete":
		return g.remove(in)
	}
	return g.change(in)
}

func (in *ReplicaUpdateInput) action() string {
	switch {
	case in.Create != nil:
		return "Create"
	case in.Delete != nil:
		return "Delete"
	}
	return "Update"
}

// group is the change of a global table.
type group struct {
	request *engine.Request
	table   *engine.Table
	before  *TableDescription
	changes []engine.TableChange
	// previous describes the other replicas before they are changed.
	previous map[*engine.Account]*TableDescription
}

// add adds replicas. The first makes the table a global table, with a stream unless it has one.
func (g *group) add(in *UpdateTableInput) (*TableOutput, error) {
	a, old := g.request.Account, g.table.Def
	def := old.Clone()
	if def.Stream == nil {
		def.Stream = streams.NewStreamSpecification(a, def.Name, "NEW_AND_OLD_IMAGES")
	}
	members := g.members(def)
	var added []*member
	for _, create := range in.creates() {
		m, err := g.newMember(create, def)
		if err != nil {
			return nil, err
		}
		defer m.account.ForgetIfEmpty()
		added = append(added, m)
	}
	members = append(members, added...)
	join(members, a.Engine.Now(), in)
	if err := g.publish(members); err != nil {
		return nil, err
	}
	for _, m := range added {
		current, err := m.account.NamedTable(def.Name)
		if err != nil {
			return nil, err
		}
		if _, err := m.account.FinishWork(a.Engine.WorkContext(), current); err != nil {
			return nil, err
		}
	}
	g.copyScaling(added)
	d := g.updatingDescription()
	g.beginAdding(added, d)
	return &TableOutput{d}, nil
}

// creates returns the replicas that a request adds, each once.
func (in *UpdateTableInput) creates() (all []*ReplicaSettingsInput) {
	for _, update := range in.ReplicaUpdates {
		known := func(o *ReplicaSettingsInput) bool { return *o.RegionName == update.region() }
		if !slices.ContainsFunc(all, known) {
			all = append(all, (*ReplicaSettingsInput)(update.Create))
		}
	}
	return all
}

// member is a replica of a global table and its next definition.
type member struct {
	account *engine.Account
	def     *engine.Definition
}

// members returns the table itself, with its next definition, and the other replicas.
func (g *group) members(def *engine.Definition) []*member {
	all := []*member{{g.request.Account, def}}
	for _, o := range g.table.Replicas() {
		all = append(all, &member{o.Account, o.Def.Clone()})
	}
	return all
}

// newMember returns a new replica of the table.
func (g *group) newMember(in *ReplicaSettingsInput, source *engine.Definition) (*member, error) {
	a := g.request.Account.Sibling(*in.RegionName)
	def := replicaDefinition(a, source)
	def.Filling = &engine.Filling{From: source.ID,
		Stream: streams.NewStreamSpecification(a, def.Name, source.Stream.ViewType)}
	applyOverrides(def, in)
	sse, err := replicaKey(g.request.Account, a, source, in)
	if err != nil {
		return nil, err
	}
	def.SSE = sse
	return &member{a, def}, CheckQuotas(a, def, nil)
}

// replicaKey returns the encryption of a new replica in a, of a table in from: an AWS owned key, the AWS managed key of
// its region, or a customer managed key of its region that the request names. (DDB-TABLE-295, DDB-TABLE-309 and
// DDB-TABLE-313.)
func replicaKey(from, a *engine.Account, source *engine.Definition,
	in *ReplicaSettingsInput) (*engine.SSEDescription, error) {
	p := engine.ExtensionOf[*encryption.Extension](a.Engine)
	key := wire.OrZero(in.KMSMasterKeyId)
	enabled, kms := true, "KMS"
	spec := &encryption.SSESpecificationInput{Enabled: &enabled, SSEType: &kms, KMSMasterKeyId: in.KMSMasterKeyId}
	managed, err := managedKey(p, from, source)
	switch {
	case err != nil:
		return nil, err
	case source.SSE == nil && key != "":
		return nil, errReplicaKey()
	case source.SSE == nil:
		return nil, nil
	case managed && (key == "" || key == "alias/aws/dynamodb"):
		spec.KMSMasterKeyId = nil
	case key == "":
		return nil, errReplicaKey()
	case managed, key == "alias/aws/dynamodb":
		return nil, wire.ParameterError("All replica keys must either be Customer Managed CMK or AWS Managed CMK.")
	}
	return p.ResolveSSE(a, spec)
}

// managedKey reports whether a table is encrypted by the AWS managed key of its region.
func managedKey(p *encryption.Extension, a *engine.Account, def *engine.Definition) (bool, error) {
	if def.SSE == nil || p.KMS == nil {
		return def.SSE != nil, nil
	}
	arn, err := p.KMS.TableKeyARN(a.Name, "")
	return arn == def.SSE.KMSMasterKeyArn, err
}

// join makes every replica know every other one, in the order of their creation. The first is the source of new ones.
func join(all []*member, now float64, in *UpdateTableInput) {
	byCreation := slices.SortedFunc(slices.Values(all), func(x, y *member) int { return cmp.Compare(x.def.ID, y.def.ID) })
	for _, m := range all {
		for _, o := range byCreation {
			region := o.account.Region()
			if _, known := m.def.Replication.In(region); known || m == o {
				continue
			}
			r := engine.Replica{Region: region, ID: o.def.ID}
			if m == all[0] {
				r.Sourced = now
			}
			m.def.Replication = m.def.Replication.With(r)
		}
		if wire.OrZero(in.MultiRegionConsistency) == "STRONG" {
			m.def.Replication.Strong, m.def.Replication.Witness = true, in.createdWitness()
		}
	}
}

// publish publishes all members, and drops those without a definition, in one transaction.
func (g *group) publish(all []*member) error {
	for _, m := range all {
		change := engine.TableChange{Account: m.account, Name: g.table.Def.Name}
		if m.def != nil {
			change.To = m.account.NewTable(m.def)
		}
		g.changes = append(g.changes, change)
	}
	return g.request.Engine.ChangeTables(g.request.BeginWait(), g.changes, nil)
}

// updatingDescription describes the table as it is UPDATING: with the previous replicas, and the new values of the
// rest. (DDB-TABLE-204, DDB-TABLE-226 and DDB-TABLE-250.)
func (g *group) updatingDescription() *TableDescription {
	current, err := g.request.Account.NamedTable(g.table.Def.Name)
	if err != nil {
		return g.before
	}
	d := Describe(current, g.request.Engine.Now())
	d.TableStatus = engine.Updating
	replicas := []replicaDescription{}
	if g.before.Replicas != nil {
		replicas = *g.before.Replicas
	}
	d.Replicas, d.GlobalTableVersion = &replicas, globalTableVersion
	d.GlobalTableSettingsReplicationMode = settingsMode
	return d
}

// remove removes replicas and deletes their tables.
func (g *group) remove(in *UpdateTableInput) (*TableOutput, error) {
	regions := map[string]bool{}
	for i := range in.ReplicaUpdates {
		regions[in.ReplicaUpdates[i].region()] = true
	}
	members := g.members(g.table.Def.Clone())
	descriptions := map[*engine.Account]*TableDescription{}
	for _, m := range members {
		if !regions[m.account.Region()] {
			continue
		}
		o, _ := g.table.ReplicaIn(m.account.Region())
		d, err := endReplica(g.request, m.account, o.Table)
		if err != nil {
			return nil, err
		}
		descriptions[m.account] = d
		defer m.account.ForgetIfEmpty()
	}
	leave(members, regions)
	if err := g.publish(members); err != nil {
		return nil, err
	}
	d := g.updatingDescription()
	d.MultiRegionConsistency, d.GlobalTableWitnesses = g.before.MultiRegionConsistency, g.before.GlobalTableWitnesses
	g.beginRemoving(descriptions, members)
	return &TableOutput{d}, nil
}

// endReplica delivers what is left of the changes of a replica, to the other replicas and to its destination, and
// returns its description.
func endReplica(req *engine.Request, a *engine.Account, t *engine.Table) (*TableDescription, error) {
	if err := a.Engine.FlushReplication(t.Def.ID); err != nil {
		return nil, err
	}
	req.BeginWait()
	if _, err := endDelivery(&engine.Request{Engine: req.Engine, Account: a}, t); err != nil {
		return nil, err
	}
	return Describe(t, req.Engine.Now()), nil
}

// leave removes the members in some regions from the others, and their definitions.
func leave(all []*member, regions map[string]bool) {
	for _, m := range all {
		if regions[m.account.Region()] {
			m.def = nil
			continue
		}
		for region := range regions {
			if m.def.Replication != nil {
				m.def.Replication = m.def.Replication.Without(region)
			}
		}
	}
}

// change changes in what replicas differ from the table.
func (g *group) change(in *UpdateTableInput) (*TableOutput, error) {
	changed := g.members(g.table.Def.Clone())
	g.previous = map[*engine.Account]*TableDescription{}
	for _, o := range g.table.Replicas() {
		g.previous[o.Account] = Describe(o.Table, g.request.Engine.Now())
	}
	for _, update := range in.ReplicaUpdates {
		for _, m := range changed {
			if m.account.Region() != update.region() {
				continue
			}
			if err := checkOverrides(m.def, update.Update); err != nil {
				return nil, err
			}
			applyOverrides(m.def, update.Update)
			if err := CheckQuotas(m.account, m.def, m.def); err != nil {
				return nil, err
			}
		}
	}
	if err := g.publish(changed); err != nil {
		return nil, err
	}
	for _, m := range changed {
		if t, err := m.account.NamedTable(m.def.Name); err == nil {
			m.account.ApplyCapacity(t)
		}
	}
	d := g.updatingDescription()
	g.beginChanging(d)
	return &TableOutput{d}, nil
}

// checkOverrides returns an error for overrides that the billing mode excludes. (DDB-TABLE-223 and DDB-TABLE-250.)
func checkOverrides(def *engine.Definition, in *ReplicaSettingsInput) error {
	provisioned, onDemand := in.ProvisionedThroughputOverride != nil, in.OnDemandThroughputOverride != nil
	for _, x := range in.GlobalSecondaryIndexes {
		provisioned = provisioned || x.ProvisionedThroughputOverride != nil
		onDemand = onDemand || x.OnDemandThroughputOverride != nil
	}
	switch {
	case provisioned && def.BillingMode == engine.OnDemand:
		return wire.ValidationError(
			"Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
	case onDemand && def.BillingMode == engine.Provisioned:
		return wire.ValidationError(
			"MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED")
	}
	return nil
}

// applyOverrides applies what a request says of a replica. Indexes that do not exist, and capacity of another billing
// mode, are ignored, as for a new replica in the service (DDB-TABLE-223 and DDB-TABLE-307).
func applyOverrides(def *engine.Definition, in *ReplicaSettingsInput) {
	if in.TableClassOverride != nil {
		def.Class = *in.TableClassOverride
	}
	in.override(def.BillingMode, in.ProvisionedThroughputOverride, in.OnDemandThroughputOverride, &def.Throughput,
		&def.OnDemand)
	for _, x := range in.GlobalSecondaryIndexes {
		if at := engine.IndexAt(def.Global, *x.IndexName); at >= 0 {
			in.override(def.BillingMode, x.ProvisionedThroughputOverride, x.OnDemandThroughputOverride,
				&def.Global[at].Throughput, &def.Global[at].OnDemand)
		}
	}
}

func (*ReplicaSettingsInput) override(mode string, provisioned *ReadCapacityOverrideInput,
	onDemand *ReadMaximumOverrideInput, throughput *engine.Throughput, limits *engine.OnDemandThroughput) {
	if mode == engine.Provisioned && provisioned != nil && provisioned.ReadCapacityUnits != nil {
		throughput.ReadCapacityUnits = *provisioned.ReadCapacityUnits
	}
	if mode == engine.OnDemand && onDemand != nil && onDemand.MaxReadRequestUnits != nil {
		limits.Reads = max(0, *onDemand.MaxReadRequestUnits)
	}
}
