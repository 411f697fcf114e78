package backup

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// BackupInput is the input of an operation whose only parameter is a backup's ARN.
type BackupInput struct {
	BackupArn *string `check:"notnull,maxlen=1024"` // one too short is no ARN (ack-api-quirks DDB-TABLE-457, 2026-10-09)
}

func (in *BackupInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

func (in *BackupInput) Check() error {
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	return checkBackupARN(*in.BackupArn)
}

func (in *BackupInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Resource: wire.OrZero(in.BackupArn)})
}

// DescribeBackup describes a backup.
func DescribeBackup(req *engine.Request, in *BackupInput) (*backupOutput, error) {
	b, err := findBackup(req.Account, *in.BackupArn)
	if err != nil {
		return nil, err
	}
	return b.describe(available, *in.BackupArn), nil
}
