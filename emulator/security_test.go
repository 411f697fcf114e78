package emulator_test

import (
	"bytes"
	"context"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/testutil/textlog"
)

// TestNothingSecretIsLoggedOrRecorded sends valid and invalid requests to all services, and searches the log and the
// recording for their secrets.
func TestNothingSecretIsLoggedOrRecorded(t *testing.T) {
	t.Parallel()
	var log textlog.Log
	var recording bytes.Buffer
	e, err := emulator.Start(emulator.WithIdentitiesFrom(strings.NewReader(strings.ReplaceAll(people, "123456789012",
		"000000000000"))), emulator.WithRecording(&recording),
		emulator.WithLogger(slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))))
	if err != nil {
		t.Fatal(err)
	}
	secrets := askEverything(t, e)
	a := send(t, request(t, e, "ListTables", strings.NewReader("{}"), "Authorization",
		"AWS4-HMAC-SHA256 Signature=feedfacefeedface"))
	if name, _ := a.errorOf(); name != "IncompleteSignatureException" {
		t.Errorf("%s", a.body)
	}
	secrets["a signature"] = "feedface"
	now := time.Now().UTC().Format("20060102T150405Z")
	a = send(t, request(t, e, "ListTables", strings.NewReader("{}"), "X-Api-Key", "key-of-another-service",
		"X-Amz-Date", now,
		"Authorization", "AWS4-HMAC-SHA256 Credential=AKIAANAANAANAANAANA1/"+now[:8]+"/us-east-1/dynamodb/aws4_request, "+
			"SignedHeaders=content-type;host;x-amz-date;x-amz-target;x-api-key, Signature="+strings.Repeat("0", 64)))
	if name, message := a.errorOf(); name != "InvalidSignatureException" || !strings.Contains(message,
		"key-of-another-service") {
		t.Errorf("%s", a.body)
	}
	secrets["a header"] = "key-of-another-service"
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if log.String() == "" || !strings.Contains(recording.String(), `"principal":"arn:aws:iam::000000000000:user/ana"`) {
		t.Error("nothing was logged, or nothing recorded")
	}
	for what, secret := range secrets {
		if strings.Contains(log.String(), secret) {
			t.Errorf("%s is in the log", what)
		}
		if strings.Contains(recording.String(), secret) {
			t.Errorf("%s is in the recording", what)
		}
	}
}

// askEverything uses each service as ana does, and with a wrong secret. It returns the texts that must stay secret.
func askEverything(t *testing.T, e *emulator.Emulator) map[string]string {
	t.Helper()
	ctx := context.Background()
	config := e.AWSConfigFor("ana")
	if _, err := dynamodb.NewFromConfig(config).ListTables(ctx, nil); err != nil {
		t.Fatal(err)
	}
	wrong := e.AWSConfig()
	wrong.Credentials = credentials.NewStaticCredentialsProvider("AKIAANAANAANAANAANA1", "wrong-secret-of-ana", "")
	if _, err := dynamodb.NewFromConfig(wrong).ListTables(ctx, nil); err == nil {
		t.Error("a wrong secret is right")
	}
	keys := kms.NewFromConfig(config)
	key, err := keys.CreateKey(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := keys.Encrypt(ctx, &kms.EncryptInput{KeyId: key.KeyMetadata.KeyId,
		Plaintext: []byte("plaintext-of-ana")})
	if err != nil {
		t.Fatal(err)
	}
	packed.CiphertextBlob[len(packed.CiphertextBlob)-1] ^= 1
	if _, err := keys.Decrypt(ctx, &kms.DecryptInput{CiphertextBlob: packed.CiphertextBlob}); err == nil {
		t.Error("a changed ciphertext is right")
	}
	role, err := sts.NewFromConfig(config).AssumeRole(ctx, &sts.AssumeRoleInput{
		RoleArn: aws.String("arn:aws:iam::000000000000:role/reader"), RoleSessionName: aws.String("desk"),
		ExternalId: aws.String("desk"),
	})
	if err != nil {
		t.Fatal(err)
	}
	temporary := e.AWSConfig()
	temporary.Credentials = credentials.NewStaticCredentialsProvider(*role.Credentials.AccessKeyId,
		*role.Credentials.SecretAccessKey, *role.Credentials.SessionToken)
	if _, err := dynamodb.NewFromConfig(temporary).ListTables(ctx, nil); err == nil {
		t.Error("the role lists tables")
	}
	return map[string]string{
		"the secret of a key": "secret-of-ana", "what is encrypted": "plaintext-of-ana",
		"a session's secret": *role.Credentials.SecretAccessKey, "a session's token": *role.Credentials.SessionToken,
	}
}

// TestAccountsCannotAccessOneAnother lets eve, who may do anything in her account, try to access ana's resources.
func TestAccountsCannotAccessOneAnother(t *testing.T) {
	t.Parallel()
	e, ctx := guarded(t), context.Background()
	ana, eve := e.AWSConfigFor("ana"), e.AWSConfigFor("210987654321/eve")
	tables, streams := dynamodb.NewFromConfig(ana), dynamodbstreams.NewFromConfig(ana)
	changed, err := tables.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: aws.String("orders"),
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true),
			StreamViewType: types.StreamViewTypeNewImage}})
	if err != nil {
		t.Fatal(err)
	}
	put(t, tables, "orders", text("pk", "a secret of ana"))
	table := changed.TableDescription
	stream, err := streams.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: table.LatestStreamArn})
	if err != nil {
		t.Fatal(err)
	}
	iterator, err := streams.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{StreamArn: table.LatestStreamArn,
		ShardId: stream.StreamDescription.Shards[0].ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon})
	if err != nil {
		t.Fatal(err)
	}
	backup, err := tables.CreateBackup(ctx, &dynamodb.CreateBackupInput{TableName: aws.String("orders"),
		BackupName: aws.String("hers")})
	if err != nil {
		t.Fatal(err)
	}
	hers, herStreams := dynamodb.NewFromConfig(eve), dynamodbstreams.NewFromConfig(eve)
	if _, err := hers.ListTables(ctx, nil); err != nil {
		t.Fatalf("eve does not reach her own: %v", err)
	}
	for what, try := range requestsOfEve(ctx, hers, herStreams, table, iterator.ShardIterator,
		backup.BackupDetails.BackupArn) {
		if try() == nil {
			t.Errorf("eve reaches %s", what)
		}
	}
	if _, err := streams.GetRecords(ctx,
		&dynamodbstreams.GetRecordsInput{ShardIterator: iterator.ShardIterator}); err != nil {
		t.Errorf("ana does not reach her own: %v", err)
	}
}

// requestsOfEve returns the requests by which eve tries to access ana's resources.
func requestsOfEve(ctx context.Context, hers *dynamodb.Client, herStreams *dynamodbstreams.Client,
	table *types.TableDescription,
	iterator, backup *string) map[string]func() error {
	return map[string]func() error{
		"an item by the table's ARN": func() error {
			_, err := hers.GetItem(ctx, &dynamodb.GetItemInput{TableName: table.TableArn, Key: text("pk", "a secret of ana")})
			return err
		},
		"the table's name": func() error {
			_, err := hers.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("orders")})
			return err
		},
		"the stream": func() error {
			_, err := herStreams.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: table.LatestStreamArn})
			return err
		},
		"an iterator": func() error {
			_, err := herStreams.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: iterator})
			return err
		},
		"the table's policy": func() error {
			_, err := hers.PutResourcePolicy(ctx, &dynamodb.PutResourcePolicyInput{ResourceArn: table.TableArn,
				Policy: aws.String(
					`{"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":"*","Action":"dynamodb:*","Resource":"*"}}`)})
			return err
		},
		"a backup": func() error {
			_, err := hers.DescribeBackup(ctx, &dynamodb.DescribeBackupInput{BackupArn: backup})
			return err
		},
		"what a backup holds": func() error {
			_, err := hers.RestoreTableFromBackup(ctx, &dynamodb.RestoreTableFromBackupInput{BackupArn: backup,
				TargetTableName: aws.String("mine")})
			return err
		},
		"what the table was": func() error {
			_, err := hers.RestoreTableToPointInTime(ctx,
				&dynamodb.RestoreTableToPointInTimeInput{SourceTableArn: table.TableArn,
					TargetTableName: aws.String("mine"), UseLatestRestorableTime: aws.Bool(true)})
			return err
		},
		"the tags": func() error {
			_, err := hers.ListTagsOfResource(ctx, &dynamodb.ListTagsOfResourceInput{ResourceArn: table.TableArn})
			return err
		},
	}
}

// TestIteratorsCannotBeForged changes an iterator at each of its characters: none of the results is accepted.
func TestIteratorsCannotBeForged(t *testing.T) {
	t.Parallel()
	e, ctx := emulator.Run(t), context.Background()
	c, streams := client(e), dynamodbstreams.NewFromConfig(e.AWSConfig())
	makeTable(t, c, "orders")
	changed, err := c.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: aws.String("orders"),
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true),
			StreamViewType: types.StreamViewTypeNewImage}})
	if err != nil {
		t.Fatal(err)
	}
	stream, err := streams.DescribeStream(ctx,
		&dynamodbstreams.DescribeStreamInput{StreamArn: changed.TableDescription.LatestStreamArn})
	if err != nil {
		t.Fatal(err)
	}
	made, err := streams.GetShardIterator(ctx,
		&dynamodbstreams.GetShardIteratorInput{StreamArn: changed.TableDescription.LatestStreamArn,
			ShardId: stream.StreamDescription.Shards[0].ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon})
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(*made.ShardIterator) {
		forged := []byte(*made.ShardIterator)
		if forged[i] ^= 1; strings.ContainsRune("=\n", rune(forged[i])) {
			continue
		}
		body := `{"ShardIterator":` + strconv.Quote(string(forged)) + `}`
		a := send(t, request(t, e, "GetRecords", strings.NewReader(body), "X-Amz-Target",
			"DynamoDBStreams_20120810.GetRecords"))
		if a.status != 400 {
			t.Fatalf("changed at %d: %d %s", i, a.status, a.body)
		}
	}
}
