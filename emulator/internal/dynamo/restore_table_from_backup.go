package dynamo

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// RestoreTableFromBackupInput creates a table from a backup; an override replaces the setting that the backup has.
type RestoreTableFromBackupInput struct {
	TargetTableName               *string `check:"notnull,name,minlen=3,maxlen=255"`
	BackupArn                     *string `check:"notnull,minlen=37,maxlen=1024"`
	BillingModeOverride           *string `check:"enum=PROVISIONED|PAY_PER_REQUEST"`
	GlobalSecondaryIndexOverride  []GlobalSecondaryIndexInput
	LocalSecondaryIndexOverride   []LocalSecondaryIndexInput
	ProvisionedThroughputOverride *ProvisionedThroughputInput
	OnDemandThroughputOverride    *OnDemandThroughputInput
	SSESpecificationOverride      *SSESpecificationInput
}

func (in *RestoreTableFromBackupInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }

func (in *RestoreTableFromBackupInput) check() error {
	if err := checkShape(in); err != nil {
		return err
	}
	if err := checkBackupARN(*in.BackupArn); err != nil {
		return err
	}
	return in.overrides().check()
}

func (in *RestoreTableFromBackupInput) overrides() *overrides {
	return &overrides{
		in.BillingModeOverride, in.ProvisionedThroughputOverride, in.OnDemandThroughputOverride,
		in.GlobalSecondaryIndexOverride, in.LocalSecondaryIndexOverride, in.SSESpecificationOverride,
	}
}

func (in *RestoreTableFromBackupInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{resource: orZero(in.BackupArn)}, resourceRef{table: orZero(in.TargetTableName)})
}

// restoreTableFromBackup makes a table of a backup before it answers; only the answer says that this is under way. A backup
// feeds one restore at a time.
func restoreTableFromBackup(a *request, in *RestoreTableFromBackupInput) (*tableAnswer, error) {
	b, err := a.account.backup(*in.BackupArn)
	if err != nil {
		return nil, err
	}
	if !b.restoring.CompareAndSwap(false, true) {
		return nil, dynamoError("BackupInUseException", "Backup is being used to restore another table: "+b.ARN)
	}
	defer b.restoring.Store(false)
	def, err := in.overrides().definition(a, b.Definition, *in.TargetTableName)
	if err != nil {
		return nil, err
	}
	summary := restoreSummary{SourceBackupArn: b.ARN, SourceTableArn: b.Definition.ARN, RestoreDateTime: b.Created}
	return a.restore(def, "backup: "+b.ARN, summary, func(space []byte) error {
		return a.service.store.View(func(r *store.Reader) error {
			return a.service.copyItems(r, b.space(), space, (*store.Tx).Set, nil)
		})
	})
}

func (in *RestoreTableFromBackupInput) appendImpliedRefs(dst []resourceRef) []resourceRef {
	return appendRestoredRefs(dst, in.TargetTableName)
}
