package service

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/features/steps"
)

func (w *world) backUp(ctx context.Context, name, table string) error {
	_, err := w.Once.CreateBackup(ctx, &dynamodb.CreateBackupInput{TableName: w.Table(table), BackupName: &name})
	return err
}

// backup returns the ARN of the backup with this name, even if it has been deleted since an earlier call found it.
func (w *world) backup(ctx context.Context, name string) (*string, error) {
	if w.backups == nil {
		w.backups = map[string]*string{}
	}
	out, err := w.Once.ListBackups(ctx, &dynamodb.ListBackupsInput{BackupType: types.BackupTypeFilterAll})
	if err != nil {
		return nil, err
	}
	for _, b := range out.BackupSummaries {
		w.backups[*b.BackupName] = b.BackupArn
	}
	if arn, ok := w.backups[name]; ok {
		return arn, nil
	}
	return nil, fmt.Errorf("there is no backup %s", name)
}

func (w *world) restoreBackup(ctx context.Context, name, target string) error {
	return w.restoreFrom(ctx, name, &dynamodb.RestoreTableFromBackupInput{TargetTableName: w.Table(target)})
}

func (w *world) restoreCheaply(ctx context.Context, name, target string, reads, writes int64) error {
	return w.restoreFrom(ctx, name, &dynamodb.RestoreTableFromBackupInput{
		TargetTableName: w.Table(target), BillingModeOverride: types.BillingModeProvisioned,
		ProvisionedThroughputOverride: &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(reads),
			WriteCapacityUnits: aws.Int64(writes)},
		GlobalSecondaryIndexOverride: []types.GlobalSecondaryIndex{},
	})
}

func (w *world) restoreFrom(ctx context.Context, name string, in *dynamodb.RestoreTableFromBackupInput) (err error) {
	if in.BackupArn, err = w.backup(ctx, name); err != nil {
		return err
	}
	_, err = w.Once.RestoreTableFromBackup(ctx, in)
	w.Reply = steps.Reply{Err: err}
	return nil
}

func (w *world) deleteBackup(ctx context.Context, name string) error {
	arn, err := w.backup(ctx, name)
	if err != nil {
		return err
	}
	_, err = w.Once.DeleteBackup(ctx, &dynamodb.DeleteBackupInput{BackupArn: arn})
	w.Reply = steps.Reply{Err: err}
	return nil
}
