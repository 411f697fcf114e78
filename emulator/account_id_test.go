package emulator_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	cwtypes "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"github.com/tabletop-db/tabletop/emulator"
)

const ownAccount = "111122223333"

// The ARNs of every service contain the configured account id, and only such an ARN finds a table.
func TestAccountIDIsInAllARNs(t *testing.T) {
	t.Parallel()
	cfg := emulator.Run(t, emulator.WithAccountID(ownAccount)).AWSConfig()
	c := dynamodb.NewFromConfig(cfg)
	makeTable(t, c, "orders")
	const arn = "arn:aws:dynamodb:us-east-1:" + ownAccount + ":table/orders"
	d, err := c.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(arn)})
	if err != nil || *d.Table.TableArn != arn {
		t.Errorf("DescribeTable: %v, %v", d, err)
	}
	if _, err := c.ListTagsOfResource(t.Context(), &dynamodb.ListTagsOfResourceInput{
		ResourceArn: aws.String(arn)}); err != nil {
		t.Error(err)
	}
	other := strings.Replace(arn, ownAccount, "000000000000", 1)
	if _, err := c.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(other)}); code(err) !=
		"AccessDeniedException" {
		t.Errorf("the table of another account: %v", err)
	}
	key, err := kms.NewFromConfig(cfg).CreateKey(t.Context(), &kms.CreateKeyInput{})
	if err != nil || *key.KeyMetadata.AWSAccountId != ownAccount || !strings.Contains(*key.KeyMetadata.Arn, ownAccount) {
		t.Errorf("CreateKey: %v, %v", key, err)
	}
	who, err := sts.NewFromConfig(cfg).GetCallerIdentity(t.Context(), &sts.GetCallerIdentityInput{})
	if err != nil || *who.Account != ownAccount || *who.Arn != "arn:aws:iam::"+ownAccount+":root" {
		t.Errorf("GetCallerIdentity: %v, %v", who, err)
	}
	alarms := cloudwatch.NewFromConfig(cfg)
	if _, err := alarms.PutMetricAlarm(t.Context(), &cloudwatch.PutMetricAlarmInput{AlarmName: aws.String("busy"),
		MetricName: aws.String("Requests"), Namespace: aws.String("own"), Period: aws.Int32(60),
		EvaluationPeriods: aws.Int32(1), Threshold: aws.Float64(1), Statistic: cwtypes.StatisticSum,
		ComparisonOperator: cwtypes.ComparisonOperatorGreaterThanThreshold}); err != nil {
		t.Fatal(err)
	}
	found, err := alarms.DescribeAlarms(t.Context(), &cloudwatch.DescribeAlarmsInput{})
	if err != nil || *found.MetricAlarms[0].AlarmArn != "arn:aws:cloudwatch:us-east-1:"+ownAccount+":alarm:busy" {
		t.Errorf("DescribeAlarms: %v, %v", found, err)
	}
}

func TestInvalidAccountIDsAreRefused(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", "12345678901", "12345678901a", "1234567890123", "١٢٣٤٥٦"} {
		_, err := emulator.Start(emulator.WithAccountID(id))
		var invalid *emulator.AccountIDError
		if !errors.As(err, &invalid) || invalid.ID != id {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// A folder's tables belong to the account that created them: their streams and backups have its ARNs.
func TestFoldersBelongToAnAccount(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e, err := emulator.Start(emulator.WithData(dir), emulator.WithAccountID(ownAccount))
	if err != nil {
		t.Fatal(err)
	}
	makeTable(t, dynamodb.NewFromConfig(e.AWSConfig()), "orders")
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := emulator.Start(emulator.WithData(dir)); err == nil || !strings.Contains(err.Error(),
		"the stored tables belong to account "+ownAccount+", not to 000000000000") {
		t.Errorf("with another account: %v", err)
	}
	if e, err = emulator.Start(emulator.WithData(dir), emulator.WithAccountID(ownAccount)); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

// Identities must belong to the emulator's account.
func TestIdentitiesAreOfTheEmulatorsAccount(t *testing.T) {
	t.Parallel()
	const people = `
account: "` + ownAccount + `"
users:
  ana:
    keys: [{id: AKIAANAANAANAANAANA1, secret: secret-of-ana}]
    inline: {all: {Version: "2012-10-17", Statement: {Effect: Allow, Action: "*", Resource: "*"}}}
`
	if _, err := emulator.Start(emulator.WithIdentitiesFrom(strings.NewReader(people)),
		emulator.WithAccountID("444455556666")); err == nil ||
		!strings.Contains(err.Error(), "the identities are of account "+ownAccount) {
		t.Errorf("with another account: %v", err)
	}
	e := emulator.Run(t, emulator.WithIdentitiesFrom(strings.NewReader(people)), emulator.WithAccountID(ownAccount))
	who, err := sts.NewFromConfig(e.AWSConfigFor("ana")).GetCallerIdentity(t.Context(), &sts.GetCallerIdentityInput{})
	if err != nil || *who.Arn != "arn:aws:iam::"+ownAccount+":user/ana" {
		t.Errorf("GetCallerIdentity: %v, %v", who, err)
	}
}
