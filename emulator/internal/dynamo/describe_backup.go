package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"

// backupInput is what an operation is asked that needs nothing but a backup's ARN.
type backupInput struct {
	BackupArn *string `check:"notnull,minlen=37,maxlen=1024"`
}

func (in *backupInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }

func (in *backupInput) check() error {
	if err := checkShape(in); err != nil {
		return err
	}
	return checkBackupARN(*in.BackupArn)
}

func (in *backupInput) appendTouches(dst []touch) []touch {
	return append(dst, touch{resource: orZero(in.BackupArn)})
}

func describeBackup(a *caller, in *backupInput) (*backupOutput, error) {
	b, err := a.backup(*in.BackupArn)
	if err != nil {
		return nil, err
	}
	return b.describe(available), nil
}
