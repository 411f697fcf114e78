package backup

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// DeleteBackup deletes a backup. A system backup cannot be deleted, and stays until it expires.
func DeleteBackup(req *engine.Request, in *BackupInput) (*backupOutput, error) {
	if err := req.Account.DDL.Close(req.BeginWait()); err != nil {
		return nil, err
	}
	defer req.Account.UnlockTables()
	b, err := findBackup(req.Account, *in.BackupArn)
	if err != nil {
		return nil, err
	}
	if b.Type == SystemBackup {
		expires := time.UnixMilli(int64(b.Expires * 1000)).UTC().Format("2006-01-02T15:04:05.000Z")
		return nil, invalidRequest("User is not allowed to delete the system backup with arn " + b.ARN +
			". It will automatically expire on " + expires)
	}
	if b.Restoring.Load() {
		return nil, wire.DynamoError("BackupInUseException", "Backup is being used to restore table: "+b.ARN)
	}
	if err := deleteBackup(req.Account, req.BeginWait(), b); err != nil {
		return nil, err
	}
	return b.describe(deleted, *in.BackupArn), nil
}
