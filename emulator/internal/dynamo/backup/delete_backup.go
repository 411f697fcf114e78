package backup

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// DeleteBackup deletes a backup. A system backup cannot be deleted, and stays until it expires.
func DeleteBackup(a *engine.Request, in *BackupInput) (*backupOutput, error) {
	if err := a.Account.DDL.Close(a.BeginWait()); err != nil {
		return nil, err
	}
	defer a.Account.UnlockTables()
	b, err := backup(a.Account, *in.BackupArn)
	if err != nil {
		return nil, err
	}
	if b.Type == SystemBackup {
		expires := time.UnixMilli(int64(b.Expires * 1000)).UTC().Format("2006-01-02T15:04:05.000Z")
		return nil, invalidRequest("User is not allowed to delete the system backup with arn " + b.ARN + ". It will automatically expire on " + expires)
	}
	if b.Restoring.Load() {
		return nil, wire.DynamoError("BackupInUseException", "Backup is being used to restore table: "+b.ARN)
	}
	if err := dropBackup(a.Account, a.BeginWait(), b); err != nil {
		return nil, err
	}
	return b.describe(deleted), nil
}
