package emulator_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/kms"

	"github.com/tabletop-db/tabletop/emulator"
)

func TestTheKeyOfATableMayBeNamedInManyWays(t *testing.T) {
	t.Parallel()
	d := newEncryptedEmulator(t)
	_, err := d.keys.CreateAlias(context.Background(), &kms.CreateAliasInput{AliasName: aws.String("alias/ours"),
		TargetKeyId: &d.key})
	if err != nil {
		t.Fatal(err)
	}
	id := d.key[strings.LastIndex(d.key, "/")+1:]
	for i, name := range []string{d.key, id, "alias/ours", "arn:aws:kms:us-east-1:000000000000:alias/ours"} {
		if made, err := d.makeEncrypted(fmt.Sprintf("table-%d", i), name); err != nil ||
			*made.SSEDescription.KMSMasterKeyArn != d.key {
			t.Errorf("%s: %v", name, err)
		}
	}
	if made, err := d.makeEncrypted("aws", ""); err != nil || *made.SSEDescription.KMSMasterKeyArn == d.key {
		t.Errorf("AWS's own: %v", err)
	}
	described, err := d.keys.DescribeKey(context.Background(),
		&kms.DescribeKeyInput{KeyId: aws.String("alias/aws/dynamodb")})
	if err != nil || described.KeyMetadata.KeyManager != "AWS" {
		t.Errorf("the key that AWS manages: %v", err)
	}
}

func TestKeysThatCannotEncryptATable(t *testing.T) {
	t.Parallel()
	d := newEncryptedEmulator(t)
	ctx := context.Background()
	d.disable(t)
	mac, err := d.keys.CreateKey(ctx, &kms.CreateKeyInput{KeySpec: "HMAC_256", KeyUsage: "GENERATE_VERIFY_MAC"})
	if err != nil {
		t.Fatal(err)
	}
	going, err := d.keys.CreateKey(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.keys.ScheduleKeyDeletion(ctx,
		&kms.ScheduleKeyDeletionInput{KeyId: going.KeyMetadata.KeyId}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ key, want string }{
		"disabled": {d.key,
			"ValidationException: KMS key disabled error: com.amazonaws.services.kms.model.DisabledException: " + d.key +
				" is disabled. (Service: AWSKMS; Status Code: 400; Error Code: DisabledException; Request ID: "},
		"going": {*going.KeyMetadata.Arn,
			"ValidationException: KMS validation error: com.amazonaws.services.kms.model.KMSInvalidStateException: " +
				*going.KeyMetadata.Arn + " is pending deletion. (Service: AWSKMS;"},
		"no key": {
			"alias/none", "ValidationException: KMS validation error: com.amazonaws.services.kms.model.NotFoundException: Alias arn:aws:kms:us-east-1:000000000000:alias/none is not found. (Service: AWSKMS;"},
		"of another account": {strings.Replace(d.key, ":000000000000:", ":999999999999:", 1),
			"AccessDeniedException: KMS key access denied error: com.amazonaws.services.kms.model.AWSKMSException: User: " +
				"arn:aws:iam::000000000000:root is not authorized to perform: kms:DescribeKey on this resource because "},
		"for MACs": {
			*mac.KeyMetadata.Arn, "InternalServerError: KMS internal error: com.amazonaws.services.kms.model.AWSKMSException: EncryptionContext is supported only when"},
	} {
		once := dynamodb.NewFromConfig(d.AWSConfig(), func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 })
		asked := &encryptedEmulator{tables: once}
		if _, err := asked.makeEncrypted("orders", c.key); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(tables(t, d.tables)); n != 0 {
		t.Errorf("%d tables were left behind", n)
	}
}

// TestTheKeyOfAnotherServiceCannotEncryptATable checks that the key that AWS manages for S3 comes into being when a
// table names it, but does not encrypt the table (ack-api-quirks DDB-TABLE-461, 2026-10-09).
func TestTheKeyOfAnotherServiceCannotEncryptATable(t *testing.T) {
	t.Parallel()
	d := newEncryptedEmulator(t)
	refuses := func(ref string) {
		t.Helper()
		_, err := d.makeEncrypted("orders", ref)
		described, describeErr := d.keys.DescribeKey(t.Context(), &kms.DescribeKeyInput{KeyId: aws.String("alias/aws/s3")})
		if describeErr != nil {
			t.Fatal(describeErr)
		}
		key := described.KeyMetadata
		want := "AccessDeniedException: KMS key access denied error: com.amazonaws.services.kms.model.AWSKMSException: " +
			"User: arn:aws:iam::000000000000:root is not authorized to perform: kms:CreateGrant on resource: " + *key.Arn +
			" because no resource-based policy allows the kms:CreateGrant action (Service: AWSKMS; Status Code: 400; " +
			"Error Code: AccessDeniedException; Request ID: "
		if err == nil || !strings.Contains(err.Error(), want) || key.KeyManager != "AWS" {
			t.Errorf("%s: %v, of the key that %s manages", ref, err, key.KeyManager)
		}
	}
	refuses("alias/aws/s3")
	if _, err := d.makeEncrypted("own", ""); err != nil {
		t.Errorf("the key for tables: %v", err)
	}
	refuses("arn:aws:kms:us-east-1:000000000000:alias/aws/s3")
	if all := tables(t, d.tables); len(all) != 1 {
		t.Errorf("the tables are %v", all)
	}
}

// The key of a deleted table stays while its stream or a backup has values that it sealed, and is then removed.
func TestTheKeyOfADeletedTableIsRemovedWithWhatItSealed(t *testing.T) {
	t.Parallel()
	d := newEncryptedEmulator(t, emulator.WithData(t.TempDir()))
	ctx := context.Background()
	if _, err := d.makeEncrypted("orders", d.key); err != nil {
		t.Fatal(err)
	}
	d.fill(t, "orders", 3)
	backup, err := d.tables.CreateBackup(ctx, &dynamodb.CreateBackupInput{TableName: aws.String("orders"),
		BackupName: aws.String("before")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.tables.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String("orders")}); err != nil {
		t.Fatal(err)
	}
	d.advance(t, 48*time.Hour)
	wantKeys := func(want int) {
		t.Helper()
		if n, err := d.TableKeys(); n != want || err != nil {
			t.Errorf("there are %d table keys, %v; want %d", n, err, want)
		}
	}
	wantKeys(1)
	if _, err := d.tables.RestoreTableFromBackup(ctx, &dynamodb.RestoreTableFromBackupInput{
		BackupArn: backup.BackupDetails.BackupArn, TargetTableName: aws.String("restored")}); err != nil {
		t.Fatal(err)
	}
	if n := count(t, d.tables, "restored"); n != 3 {
		t.Errorf("%d items are restored, not 3", n)
	}
	wantKeys(2)
	if _, err := d.tables.DeleteBackup(ctx,
		&dynamodb.DeleteBackupInput{BackupArn: backup.BackupDetails.BackupArn}); err != nil {
		t.Fatal(err)
	}
	d.advance(t, 48*time.Hour)
	wantKeys(1)
	if n := count(t, d.tables, "restored"); n != 3 {
		t.Errorf("%d items are left, not 3", n)
	}
}
