package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// DeleteTable deletes a table at once. With States it is DELETING for a while; otherwise only the answer says so. As in
// the service, the answer omits the global indexes.
func DeleteTable(req *engine.Request, in *TableInput) (*TableOutput, error) {
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
	if t.Def.DeletionProtection {
		return nil, wire.ValidationError(
			"Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
	}
	if err := req.Account.Drop(req.BeginWait(), t); err != nil {
		return nil, err
	}
	d := Describe(t)
	d.TableStatus, d.GlobalSecondaryIndexes, d.WarmThroughput = engine.Deleting, nil, nil
	beginDeleting(req.Account, t.Def.Name, d)
	return &TableOutput{d}, nil
}
