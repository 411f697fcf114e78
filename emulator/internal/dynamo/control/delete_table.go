package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// DeleteTable deletes a table at once. With States it is DELETING for a while; otherwise only the answer says so. The
// description of a table that is being deleted has no keys, no indexes and no time of creation (recorded by users of
// the service: architect/dynalite 2016-08, scylladb/scylladb 2023-06).
func DeleteTable(req *engine.Request, in *DescribeTableInput) (*TableOutput, error) {
	if err := req.Account.DDL.Close(req.BeginWait()); err != nil {
		return nil, err
	}
	defer req.Account.UnlockTables()
	if err := checkCanDelete(req.Account, *in.TableName); err != nil {
		return nil, err
	}
	t, err := req.Account.NamedTable(*in.TableName)
	if err != nil {
		return nil, err
	}
	if t.Def.Replication != nil {
		return deleteReplica(req, t)
	}
	if t.Def.DeletionProtection {
		return nil, wire.ValidationError(
			"Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
	}
	if t, err = endDelivery(req, t); err != nil {
		return nil, err
	}
	if err := req.Account.Drop(req.BeginWait(), t); err != nil {
		return nil, err
	}
	d := describeDeleted(Describe(t, req.Engine.Now()))
	beginDeleting(req.Account, t.Def.Name, d)
	return &TableOutput{d}, nil
}

// describeDeleted makes a description that of a table that is being deleted.
func describeDeleted(d *TableDescription) *TableDescription {
	d.TableStatus, d.CreationDateTime, d.WarmThroughput = engine.Deleting, 0, nil
	d.AttributeDefinitions, d.KeySchema, d.GlobalSecondaryIndexes, d.LocalSecondaryIndexes = nil, nil, nil, nil
	return d
}
