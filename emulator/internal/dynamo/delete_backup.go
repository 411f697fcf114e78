package dynamo

import "time"

// deleteBackup removes a backup at once. That of a deleted table stays until its time has come.
func deleteBackup(a *request, in *BackupInput) (*backupOutput, error) {
	if err := a.account.ddl.Close(a.waiting()); err != nil {
		return nil, err
	}
	defer a.account.unlockTables()
	b, err := a.account.backup(*in.BackupArn)
	if err != nil {
		return nil, err
	}
	if b.Type == systemBackup {
		expires := time.UnixMilli(int64(b.Expires * 1000)).UTC().Format("2006-01-02T15:04:05.000Z")
		return nil, invalidRequest("User is not allowed to delete the system backup with arn " + b.ARN + ". It will automatically expire on " + expires)
	}
	if b.restoring.Load() {
		return nil, dynamoError("BackupInUseException", "Backup is being used to restore table: "+b.ARN)
	}
	if err := a.account.dropBackup(a.waiting(), b); err != nil {
		return nil, err
	}
	return b.describe(deleted), nil
}
