package control

import (
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// The service's errors about tables in a transitional state, as observed in 2026-10.

func tableInUse(message string) *wire.Error {
	return wire.DynamoError("ResourceInUseException", "Attempt to change a resource which is still in use: "+message)
}

// checkCanCreate returns an error if the name is in use.
func checkCanCreate(a *engine.Account, name string) error {
	if transition := TransitionOf(a, name); transition != nil && transition.Status == engine.Creating {
		return tableInUse("Table is being created: " + name)
	}
	if _, restoring := Transitions(a).Restoring[name]; restoring {
		return wire.DynamoError("ResourceInUseException", "Table is being used: "+name)
	}
	_, taken := (*a.Tables.Load())[name]
	if taken || TransitionOf(a, name) != nil {
		return wire.DynamoError("ResourceInUseException", "Table already exists: "+name)
	}
	return nil
}

// checkCanUpdate returns an error for a table in a transitional state.
func checkCanUpdate(a *engine.Account, name string, in *UpdateTableInput) error {
	transition := TransitionOf(a, name)
	switch {
	case transition == nil:
		return nil
	case transition.replica != existingReplica:
		return nil // the table is not found
	case transition.isNewReplica():
		return checkUpdateOfNewReplica(a, name, in)
	case transition.Status != engine.Creating && transition.Status != engine.Deleting && len(in.ReplicaUpdates) > 0:
		return nil // after the checks of the replicas: checkReplicasSettled
	case transition.leaving != nil:
		return errReplicaInUse()
	case transition.Status == engine.Active:
		return transition.checkUpdateWhileActive(name, in)
	case transition.Status == engine.Updating:
		return transition.checkUpdateWhileUpdating(name, in)
	}
	return transition.inUseError(name)
}

// checkCanDelete returns an error for a table in a transitional state.
func checkCanDelete(a *engine.Account, name string) error {
	transition := TransitionOf(a, name)
	switch {
	case transition == nil, transition.replica != existingReplica:
		return nil
	case transition.leaving != nil:
		return transition.leaving.errInUse()
	case transition.isNewReplica():
		return tableInUse("Table: " + name + " is being used.")
	case transition.changesIndexes():
		return tableInUse("Cannot delete table while indexes are being created, updated, or deleted.")
	case transition.Status == engine.Updating && transition.changes.stream: // (ack-api-quirks DDB-TABLE-444, 2026-10-09)
		return tableInUse("Cannot delete table while stream is being enabled/disabled.")
	case transition.Status == engine.Updating, transition.Status == engine.Active:
		return tableInUse("Table: " + name + " is in the process of being updated.")
	}
	return transition.inUseError(name)
}

// checkUpdateWhileActive returns an error for a change of what is changing although the table is ACTIVE. (Messages:
// ack-api-quirks DDB-TABLE-065 and DDB-TABLE-444, 2026-10-09.)
func (t *Transition) checkUpdateWhileActive(name string, in *UpdateTableInput) error {
	if in.SSESpecification != nil && t.Description.encryptionChanges() {
		return tableInUse("Server-Side Encryption is still being updated")
	}
	for _, update := range in.GlobalSecondaryIndexUpdates {
		for _, x := range t.Description.GlobalSecondaryIndexes {
			if x.IndexName == update.index() && x.IndexStatus == engine.Updating {
				return tableInUse("Index is being updated. Table: " + name + " Index: " + x.IndexName)
			}
		}
	}
	return nil
}

// changesIndexes reports whether an index is being created or deleted, or changes alone. During a change of the billing
// mode, all indexes are UPDATING with the table.
func (t *Transition) changesIndexes() bool {
	vectors := slices.ContainsFunc(t.Description.VectorIndexes, func(x vectorIndexDescription) bool {
		return x.IndexStatus == engine.Creating || x.IndexStatus == engine.Deleting
	})
	if vectors && t.Status == engine.Updating {
		return true
	}
	return slices.ContainsFunc(t.Description.GlobalSecondaryIndexes, func(x indexDescription) bool {
		return t.Status == engine.Updating && (x.IndexStatus == engine.Creating || x.IndexStatus == engine.Deleting) ||
			t.Status == engine.Active && x.IndexStatus == engine.Updating
	})
}

// encryptionChanges reports whether the description is of a table whose encryption changes.
func (d *TableDescription) encryptionChanges() bool {
	return d.SSEDescription != nil && d.SSEDescription.Status == engine.Updating
}

// inUseError returns the error for a table that is being created or deleted.
func (t *Transition) inUseError(name string) error {
	if t.Status == engine.Creating {
		return tableInUse("Table is being created: " + name)
	}
	return tableInUse("Table is being deleted: " + name)
}

// describeByName describes a table, whatever its status.
func describeByName(a *engine.Account, name string) (*TableDescription, error) {
	transition := TransitionOf(a, name)
	if transition != nil && transition.replica == existingReplica &&
		(transition.Status == engine.Creating || transition.Status == engine.Deleting) {
		return transition.Description, nil
	}
	t, err := a.NamedTable(name)
	if err != nil {
		return nil, err
	}
	d := Describe(t, a.Engine.Now())
	if transition != nil {
		transition.applyTo(d)
	}
	return d, nil
}

// applyTo changes a description to what the table shows during the transition.
func (t *Transition) applyTo(d *TableDescription) {
	defer t.leaving.applyTo(d)
	if t.leaving != nil && t.Status == engine.Active {
		return
	}
	if t.Status == engine.Updating {
		items, bytes, protected, replicas := d.ItemCount, d.TableSizeBytes, d.DeletionProtectionEnabled, d.Replicas
		*d = *t.Description
		if replicas != nil && !t.pinned {
			d.Replicas = replicas
		}
		d.ItemCount, d.TableSizeBytes, d.DeletionProtectionEnabled = items, bytes, protected
		d.VectorIndexes = slices.Clone(d.VectorIndexes)
		for i := range d.VectorIndexes {
			if x := &d.VectorIndexes[i]; x.IndexStatus == engine.Creating {
				backfilling := true
				x.Backfilling = &backfilling
			}
		}
		d.GlobalSecondaryIndexes = slices.Clone(d.GlobalSecondaryIndexes)
		for i := range d.GlobalSecondaryIndexes {
			if x := &d.GlobalSecondaryIndexes[i]; x.IndexStatus == engine.Creating {
				// Once its resources are allocated, which they were not in the answer to UpdateTable.
				backfilling := true
				x.Backfilling = &backfilling
			}
		}
		return
	}
	d.WarmThroughput = t.Description.WarmThroughput
	if t.Description.encryptionChanges() {
		d.SSEDescription = t.Description.SSEDescription
	}
	for _, x := range t.Description.GlobalSecondaryIndexes {
		at := slices.IndexFunc(d.GlobalSecondaryIndexes, func(y indexDescription) bool { return y.IndexName == x.IndexName })
		if at >= 0 && x.IndexStatus == engine.Updating {
			x.ItemCount, x.IndexSizeBytes = d.GlobalSecondaryIndexes[at].ItemCount, d.GlobalSecondaryIndexes[at].IndexSizeBytes
			d.GlobalSecondaryIndexes[at] = x
		}
	}
}

// tableNames returns the names of all tables, sorted, whatever their status.
func tableNames(a *engine.Account) []string {
	names := slices.Collect(maps.Keys(*a.Tables.Load()))
	names = Transitions(a).names(names)
	slices.Sort(names)
	return slices.Compact(names)
}

// Exists reports whether requests see a table of that name, in whatever state.
func Exists(a *engine.Account, name string) bool {
	_, taken := (*a.Tables.Load())[name]
	return taken || TransitionOf(a, name) != nil
}

// checkUpdateWhileUpdating returns an error for a change of a table that is UPDATING: only deletion protection can
// change meanwhile, and the encryption and the warm throughput unless indexes change. (Messages: ack-api-quirks
// DDB-TABLE-002, DDB-TABLE-148 to DDB-TABLE-175, DDB-TABLE-286, DDB-TABLE-369, DDB-TABLE-444 and DDB-TABLE-450,
// 2026-10-09.)
func (t *Transition) checkUpdateWhileUpdating(name string, in *UpdateTableInput) error {
	requested := in.changes()
	iops := t.changes.throughput || t.changes.billing
	created := t.indexes(engine.Creating)
	switch {
	case t.changes.replicas:
		return errReplicaInUse()
	case requested.protection: // alone
		return nil
	case requested.createsIndex || requested.deletesIndex:
		return t.checkOnlineIndex(name, in, iops)
	case requested.encryption || requested.warm:
		if t.changes.class || t.changes.stream || iops {
			return nil
		}
	case requested.onDemand:
		return t.checkMaximums(name, in)
	case requested.throughput, requested.billing:
		return t.checkCapacity(name)
	case requested.stream && len(created) > 0:
		return tableInUse("Can't change stream status when an index is being created")
	case requested.stream && t.changes.stream:
		return tableInUse("A stream status change is currently in progress." + t.streamChange(name))
	case requested.stream && t.changes.class:
		return tableInUse("Can't change stream status when a table class update is in progress." + t.classChange(name))
	case requested.stream && iops:
		return tableInUse("Can't enable or disable stream while table IOPS are being updated. Table: " + name)
	case requested.class && t.changes.class:
		return tableInUse("Can't update table class when a table class update is in progress." + t.classChange(name))
	case requested.class && t.changes.stream:
		return tableInUse("Can't update table class when stream status is being updated." + t.streamChange(name))
	case requested.indexes:
		return t.checkIndexSettings(name, in)
	}
	return tableInUse("Table is being updated: " + name)
}

// streamChange names, in an error, the stream that is being enabled or disabled.
func (t *Transition) streamChange(name string) string {
	label, operation := t.target.LastStream, "DISABLE"
	if t.target.Stream != nil {
		label, operation = t.target.Stream.Label, "ENABLE"
	}
	return " Table: " + name + " Stream: " + label + " Operation: " + operation
}

// classChange names, in an error, the class to which a table changes.
func (t *Transition) classChange(name string) string {
	return " Table: " + name + " TableClassUpdateInProgress: " + t.target.Class
}

// checkMaximums returns the error for new on-demand maximums of a table that is UPDATING. What follows in the message
// about a stream is not recorded.
func (t *Transition) checkMaximums(name string, in *UpdateTableInput) error {
	created, deleted := t.indexes(engine.Creating), t.indexes(engine.Deleting)
	const refused = "OnDemandThroughput cannot be updated while "
	switch {
	case len(created) > 0:
		return tableInUse(refused + "index creation is in progress for indexes: " + list(created))
	case len(deleted) > 0:
		return tableInUse(refused + "index deletion is in progress for indexes: " + list(deleted))
	case t.changes.class:
		return tableInUse(refused + "TableClass update is in progress. TableClassUpdateInProgress: " + t.target.Class)
	case t.changes.stream:
		return tableInUse(refused + "stream status update is in progress")
	case t.changes.billing && t.target.BillingMode == engine.OnDemand: // the table is still provisioned
		return checkOnDemandThroughput(in.OnDemandThroughput, engine.Provisioned, "table",
			" cannot be specified when the table BillingMode is PROVISIONED", unlimited)
	case t.changes.billing:
		return tableInUse(refused + "BillingMode update is in progress")
	}
	return tableInUse("Table is being updated: " + name)
}

// checkCapacity returns the error for a new capacity or billing mode of a table that is UPDATING.
func (t *Transition) checkCapacity(name string) error {
	created, deleted := t.indexes(engine.Creating), t.indexes(engine.Deleting)
	switch {
	case len(created) > 0:
		return tableInUse("Can't change table IOPS when an index is being created. Table: " + name + " Indexes: " +
			list(created))
	case len(deleted) > 0:
		return tableInUse("Can't change table IOPS when an index is being deleted. Table: " + name + " Indexes: " +
			list(deleted))
	case t.changes.stream:
		return tableInUse("Can't change table IOPS when stream status is being updated." + t.streamChange(name))
	}
	return tableInUse("Table IOPS are currently being updated. Table: " + name)
}

// checkOnlineIndex returns the error for the creation or the deletion of an index of a table that is UPDATING.
func (t *Transition) checkOnlineIndex(name string, in *UpdateTableInput, iops bool) error {
	for _, update := range in.GlobalSecondaryIndexUpdates {
		switch x := update.index(); {
		case update.Delete == nil:
		case slices.Contains(t.indexes(engine.Creating), x):
			return tableInUse("Index creation is in resource allocation phase. Retry deletion during backfilling phase or " +
				"when the index is active. Table: " + name + " Index: " + x)
		case slices.Contains(t.indexes(engine.Deleting), x):
			return tableInUse("Index is being deleted. Table: " + name + " Index: " + x)
		}
	}
	switch {
	case t.changes.createsIndex || t.changes.deletesIndex:
		return wire.DynamoError("LimitExceededException",
			"Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table")
	case iops:
		return tableInUse("Can't create or delete indexes while table IOPS are being updated. Table: " + name)
	case t.changes.stream:
		return tableInUse("Can't create or delete an index when stream status is being updated." + t.streamChange(name))
	case t.changes.class:
		return tableInUse("Can't create or delete an index when a table class update is in progress." + t.classChange(name))
	}
	return tableInUse("Table is being updated: " + name)
}

// checkIndexSettings returns the error for new settings of indexes that are being created or deleted. Those of others
// would need a second transition of the table, which the emulator does not have.
func (t *Transition) checkIndexSettings(name string, in *UpdateTableInput) error {
	for _, update := range in.GlobalSecondaryIndexUpdates {
		switch x := update.index(); {
		case slices.Contains(t.indexes(engine.Deleting), x):
			return tableInUse("Index is being deleted. Table: " + name + " Index: " + x)
		case slices.Contains(t.indexes(engine.Updating), x):
			return tableInUse("Index is being updated. Table: " + name + " Index: " + x)
		}
	}
	return tableInUse("Table is being updated: " + name)
}

// indexes returns the names of the global indexes with that status.
func (t *Transition) indexes(status string) (names []string) {
	for _, x := range t.Description.GlobalSecondaryIndexes {
		if x.IndexStatus == status {
			names = append(names, x.IndexName)
		}
	}
	return names
}

// list writes names as the service does.
func list(names []string) string { return "[" + strings.Join(names, ", ") + "]" }

// CreatesIndex reports whether an index of a table is being created.
func CreatesIndex(a *engine.Account, t *engine.Table) bool {
	d := Describe(t, a.Engine.Now())
	if transition := TransitionOf(a, t.Def.Name); transition != nil && transition.Description != nil {
		d = transition.Description
	}
	return slices.ContainsFunc(d.GlobalSecondaryIndexes, func(x indexDescription) bool {
		return x.IndexStatus == engine.Creating
	}) || slices.ContainsFunc(d.VectorIndexes, func(x vectorIndexDescription) bool {
		return x.IndexStatus == engine.Creating
	})
}
