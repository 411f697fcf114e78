package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"

// BackupInput is what an operation is asked that needs nothing but a backup's ARN.
type BackupInput struct {
	BackupArn *string `check:"notnull,minlen=37,maxlen=1024"`
}

func (in *BackupInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }

func (in *BackupInput) check() error {
	if err := checkShape(in); err != nil {
		return err
	}
	return checkBackupARN(*in.BackupArn)
}

func (in *BackupInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{resource: orZero(in.BackupArn)})
}

func describeBackup(a *request, in *BackupInput) (*backupOutput, error) {
	b, err := a.account.backup(*in.BackupArn)
	if err != nil {
		return nil, err
	}
	return b.describe(available), nil
}
