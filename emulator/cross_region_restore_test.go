package emulator_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// kmsOverride is what a restore from another region specifies.
var kmsOverride = &types.SSESpecification{Enabled: aws.Bool(true), SSEType: types.SSETypeKms}

// TestRestoreFromOtherRegion restores a table in another region, from a backup and to a point in time. The restore
// specifies the encryption, and the backup is known in its own region only (ack-api-quirks DDB-TABLE-274, 2026-10-09).
func TestRestoreFromOtherRegion(t *testing.T) {
	t.Parallel()
	w, arn := worldWithBackup(t)
	east, west := w.in["us-east-1"], w.in["eu-west-1"]
	_, err := west.DescribeBackup(t.Context(), &dynamodb.DescribeBackupInput{BackupArn: &arn})
	wantError(t, err, "BackupNotFoundException", arn)
	fromBackup := &dynamodb.RestoreTableFromBackupInput{BackupArn: &arn, TargetTableName: aws.String("backed-up")}
	_, err = west.RestoreTableFromBackup(t.Context(), fromBackup)
	wantError(t, err, "ValidationException", "sseSpecificationOverride must be provided for cross-region restores")
	fromBackup.SSESpecificationOverride = kmsOverride
	if _, err := west.RestoreTableFromBackup(t.Context(), fromBackup); err != nil {
		t.Fatal(err)
	}
	table, _, _ := strings.Cut(arn, "/backup/")
	toPoint := &dynamodb.RestoreTableToPointInTimeInput{SourceTableArn: &table, TargetTableName: aws.String("rewound"),
		UseLatestRestorableTime: aws.Bool(true)}
	_, err = west.RestoreTableToPointInTime(t.Context(), toPoint)
	wantError(t, err, "ValidationException", "sseSpecificationOverride must be provided for cross-region restores")
	toPoint.SSESpecificationOverride = kmsOverride
	if _, err := west.RestoreTableToPointInTime(t.Context(), toPoint); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"backed-up", "rewound"} {
		wantRestored(t, west, name)
		_, err := east.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: &name})
		wantError(t, err, "ResourceNotFoundException", name)
	}
}

// TestBackupARNOfOtherRegion checks that operations on backups, except restores, ignore the region in an ARN
// (ack-api-quirks DDB-BACKUP-012 and DDB-TABLE-274, 2026-10-09).
func TestBackupARNOfOtherRegion(t *testing.T) {
	t.Parallel()
	w, arn := worldWithBackup(t)
	east := w.in["us-east-1"]
	for region, want := range map[string]string{"xx-fake-1": "ValidationException", "": "AccessDeniedException"} {
		_, err := east.DescribeBackup(t.Context(), &dynamodb.DescribeBackupInput{
			BackupArn: aws.String(strings.Replace(arn, "us-east-1", region, 1))})
		wantError(t, err, want, map[string]string{"": "Access is denied"}[region])
	}
	other := strings.Replace(arn, "us-east-1", "sa-east-1", 1)
	out, err := east.DescribeBackup(t.Context(), &dynamodb.DescribeBackupInput{BackupArn: &other})
	if err != nil || *out.BackupDescription.BackupDetails.BackupArn != other {
		t.Errorf("the description is %+v, want the ARN %s (%v)", out, other, err)
	}
	_, err = east.RestoreTableFromBackup(t.Context(), &dynamodb.RestoreTableFromBackupInput{BackupArn: &other,
		TargetTableName: aws.String("restored")})
	wantError(t, err, "ValidationException", "sseSpecificationOverride must be provided for cross-region restores")
	if _, err := east.DeleteBackup(t.Context(), &dynamodb.DeleteBackupInput{BackupArn: &other}); err != nil {
		t.Fatal(err)
	}
	_, err = east.DescribeBackup(t.Context(), &dynamodb.DescribeBackupInput{BackupArn: &arn})
	wantError(t, err, "BackupNotFoundException", arn)
}

// worldWithBackup returns a world whose table in us-east-1 has three items, point-in-time recovery and a backup with
// that ARN.
func worldWithBackup(t *testing.T) (w *world, arn string) {
	t.Helper()
	w = newWorld(t)
	w.createTable(t)
	east := w.in["us-east-1"]
	if _, err := east.UpdateContinuousBackups(t.Context(), &dynamodb.UpdateContinuousBackupsInput{
		TableName: aws.String("orders"), PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: aws.Bool(true)}}); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		w.put(t, "us-east-1", fmt.Sprint(i), "x")
	}
	out, err := east.CreateBackup(t.Context(), &dynamodb.CreateBackupInput{TableName: aws.String("orders"),
		BackupName: aws.String("nightly")})
	if err != nil {
		t.Fatal(err)
	}
	return w, *out.BackupDetails.BackupArn
}

// wantRestored checks that eu-west-1 has a table of its own with the three items, and a key of its own.
func wantRestored(t *testing.T, west *dynamodb.Client, name string) {
	t.Helper()
	d, err := west.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		t.Fatal(err)
	}
	scan, err := west.Scan(t.Context(), &dynamodb.ScanInput{TableName: &name})
	if err != nil || scan.Count != 3 {
		t.Errorf("%s has %d items, want 3 (%v)", name, scan.Count, err)
	}
	for _, arn := range []*string{d.Table.TableArn, d.Table.SSEDescription.KMSMasterKeyArn} {
		if !strings.Contains(*arn, ":eu-west-1:") {
			t.Errorf("%s has %s, want an ARN of eu-west-1", name, *arn)
		}
	}
}
