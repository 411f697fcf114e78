package emulator_test

import (
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/tabletop-db/tabletop/emulator"
)

// loaders are an administrator, and a user who may use all tables, and of the objects only those under public/.
const loaders = `
account: "123456789012"
users:
  ana:
    keys: [{id: AKIAANAANAANAANAANA1, secret: secret-of-ana}]
    policies: [AdministratorAccess]
  bob:
    keys: [{id: AKIABOBBOBBOBBOBBOB1, secret: secret-of-bob}]
    inline:
      own:
        Version: "2012-10-17"
        Statement:
          - {Effect: Allow, Action: "dynamodb:*", Resource: "*"}
          - {Effect: Allow, Action: "s3:ListBucket", Resource: "arn:aws:s3:::imports"}
          - {Effect: Allow, Action: ["s3:GetObject", "s3:PutObject"], Resource: "arn:aws:s3:::imports/public/*"}
`

// TestTransfersNeedAccessToObjects: exports and imports use a bucket as the one who starts them (AWS, "Requesting a
// table import in DynamoDB").
func TestTransfersNeedAccessToObjects(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, emulator.WithIdentitiesFrom(strings.NewReader(loaders)),
		emulator.WithManualClock(time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)))
	ana := importBucket{e, dynamodb.NewFromConfig(e.AWSConfigFor("ana")), s3.NewFromConfig(e.AWSConfigFor("ana"))}
	bob := importBucket{e, dynamodb.NewFromConfig(e.AWSConfigFor("bob")), s3.NewFromConfig(e.AWSConfigFor("bob"))}
	if _, err := ana.objects.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String("imports")}); err != nil {
		t.Fatal(err)
	}
	ana.put(t, "public/1", line("a", 1, ""))
	ana.put(t, "secret/1", line("b", 1, ""))
	if got := counts(bob.run(t, source("all", ""))); got != "FAILED processed 0 imported 0 errors 0 S3AccessDenied" {
		t.Errorf("all objects: %s", got)
	}
	if got := ana.tableStatus(t, "all"); got != "absent" {
		t.Errorf("the table of the refused import is %s", got)
	}
	if got := counts(bob.run(t, source("public", "public/"))); got != "COMPLETED processed 1 imported 1 errors 0 " {
		t.Errorf("the public objects: %s", got)
	}
	if got := counts(ana.run(t, source("all", ""))); got != "COMPLETED processed 2 imported 2 errors 0 " {
		t.Errorf("all objects by the administrator: %s", got)
	}
	if _, err := bob.client.UpdateContinuousBackups(t.Context(), &dynamodb.UpdateContinuousBackupsInput{
		TableName: aws.String("public"), PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: aws.Bool(true)}}); err != nil {
		t.Fatal(err)
	}
	for prefix, want := range map[string]types.ExportStatus{"public": types.ExportStatusCompleted,
		"secret": types.ExportStatusFailed} {
		started, err := bob.client.ExportTableToPointInTime(t.Context(), &dynamodb.ExportTableToPointInTimeInput{
			TableArn: aws.String("arn:aws:dynamodb:us-east-1:123456789012:table/public"),
			S3Bucket: aws.String("imports"), S3Prefix: &prefix})
		if err != nil {
			t.Fatal(err)
		}
		d, err := bob.client.DescribeExport(t.Context(), &dynamodb.DescribeExportInput{
			ExportArn: started.ExportDescription.ExportArn})
		if err != nil || d.ExportDescription.ExportStatus != want {
			t.Errorf("to %s: %+v, %v", prefix, d, err)
		}
	}
}
