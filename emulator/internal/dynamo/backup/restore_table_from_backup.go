package backup

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/encryption"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// RestoreTableFromBackupInput creates a table from a backup. An override replaces the backup's setting.
type RestoreTableFromBackupInput struct {
	TargetTableName               *string `check:"notnull,name"`
	BackupArn                     *string `check:"notnull,maxlen=1024"`
	BillingModeOverride           *string `check:"enum=PROVISIONED|PAY_PER_REQUEST"`
	GlobalSecondaryIndexOverride  []control.GlobalSecondaryIndexInput
	LocalSecondaryIndexOverride   []control.LocalSecondaryIndexInput
	ProvisionedThroughputOverride *control.ProvisionedThroughputInput
	OnDemandThroughputOverride    *control.OnDemandThroughputInput
	SSESpecificationOverride      *encryption.SSESpecificationInput
	VectorIndexOverride           []control.VectorIndexInput
}

func (in *RestoreTableFromBackupInput) Decode(d *wire.Decoder) error {
	return shape.Read(&d.Reader, in)
}

func (in *RestoreTableFromBackupInput) Check() error {
	if in.TargetTableName != nil { // before anything else (ack-api-quirks DDB-TABLE-457, 2026-10-09)
		if err := control.CheckTableNameLength(*in.TargetTableName); err != nil {
			return err
		}
	}
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	if err := checkBackupARN(*in.BackupArn); err != nil {
		return err
	}
	return in.overrides().check()
}

func (in *RestoreTableFromBackupInput) overrides() *Overrides {
	return &Overrides{
		in.BillingModeOverride, in.ProvisionedThroughputOverride, in.OnDemandThroughputOverride,
		in.GlobalSecondaryIndexOverride, in.LocalSecondaryIndexOverride, in.SSESpecificationOverride,
		in.VectorIndexOverride,
	}
}

func (in *RestoreTableFromBackupInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Resource: wire.OrZero(in.BackupArn)},
		engine.ResourceRef{Table: wire.OrZero(in.TargetTableName)})
}

// RestoreTableFromBackup creates a table from a backup, which may be in another region. The table is complete before
// the response, which nevertheless says CREATING. A backup can be used by one restore at a time.
func RestoreTableFromBackup(req *engine.Request, in *RestoreTableFromBackupInput) (*control.TableOutput, error) {
	from, err := sourceAccount(req.Account, *in.BackupArn, in.SSESpecificationOverride)
	if err != nil {
		return nil, err
	}
	b, err := findBackup(from, *in.BackupArn)
	if err != nil {
		return nil, err
	}
	if !b.Restoring.CompareAndSwap(false, true) {
		return nil, wire.DynamoError("BackupInUseException", "Backup is being used to restore another table: "+b.ARN)
	}
	defer b.Restoring.Store(false)
	def, err := in.overrides().Definition(req, from, b.Definition, *in.TargetTableName)
	if err != nil {
		return nil, err
	}
	summary := control.RestoreSummary{SourceBackupArn: b.ARN, SourceTableArn: b.Definition.ARN, RestoreDateTime: b.Created}
	return Restore(req, def, "backup: "+b.ARN, summary, func(space []byte) error {
		return req.Engine.Store.View(func(r *store.Reader) error {
			// DeleteBackup may have looked at it before this restore began to use it. Then r may see no items.
			if _, err := findBackup(from, b.ARN); err != nil {
				return err
			}
			return CopyItems(req.Engine, r, b.keyPrefix(), space, (*store.Tx).Set, nil)
		})
	})
}

func (in *RestoreTableFromBackupInput) AppendImpliedRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return appendRestoreRefs(dst, in.TargetTableName)
}
