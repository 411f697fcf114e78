package control

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// checkUpdateWhileUpdating returns an error for a change of a table that is UPDATING: only deletion protection can
// change meanwhile. (Messages: ack-api-quirks DDB-TABLE-002, DDB-TABLE-148 to DDB-TABLE-175 and DDB-TABLE-444,
// 2026-10-09.)
func (t *Transition) checkUpdateWhileUpdating(name string, in *UpdateTableInput) error {
	requested := in.changes()
	iops := t.changes.throughput || t.changes.billing
	created, deleted := t.indexes(engine.Creating), t.indexes(engine.Deleting)
	switch {
	case requested.replicas, t.changes.replicas:
		return errReplicaInUse()
	case requested.protection: // alone
		return nil
	case requested.createsIndex || requested.deletesIndex:
		return t.checkOnlineIndex(name, in, iops)
	case requested.onDemand && len(created) > 0:
		return tableInUse("OnDemandThroughput cannot be updated while index creation is in progress for indexes: " +
			list(created))
	case requested.onDemand && len(deleted) > 0:
		return tableInUse("OnDemandThroughput cannot be updated while index deletion is in progress for indexes: " +
			list(deleted))
	case (requested.throughput || requested.billing) && len(deleted) > 0:
		return tableInUse("Can't change table IOPS when an index is being deleted. Table: " + name + " Indexes: " +
			list(deleted))
	case requested.throughput, requested.billing:
		return tableInUse("Table IOPS are currently being updated. Table: " + name)
	case requested.stream && len(created) > 0:
		return tableInUse("Can't change stream status when an index is being created")
	case requested.indexes:
		return t.checkIndexSettings(name, in)
	}
	return tableInUse("Table is being updated: " + name)
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
		return tableInUse("Can't create or delete an index when stream status is being updated.")
	case t.changes.class:
		return tableInUse("Can't create or delete an index when a table class update is in progress.")
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
