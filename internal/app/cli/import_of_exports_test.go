package cli

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestImportOfTheServicesExports imports the folders that ExportTableToPointInTime writes to a bucket: of a full
// export, and of an incremental one with a changed and a deleted item.
func TestImportOfTheServicesExports(t *testing.T) {
	t.Parallel()
	start, buckets := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), t.TempDir()
	e := emulator.Run(t, emulator.WithManualClock(start), emulator.WithS3Dir(buckets))
	d := &database{t, e.DynamoDBURL()}
	objects := s3.NewFromConfig(e.AWSConfig(), func(o *s3.Options) { o.UsePathStyle = true })
	if _, err := objects.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String("exports")}); err != nil {
		t.Fatal(err)
	}
	x := exporter{t, dynamodb.NewFromConfig(e.AWSConfig()), filepath.Join(buckets, "exports")}
	d.must("import", writeFile(t, "items", everyType), "--table", "orders", "--create", "--key", "id")
	x.enableRecovery()
	full := x.export(&dynamodb.ExportTableToPointInTimeInput{})
	d.must("import", full, "--table", "copies", "--create", "--key", "id")
	if got, want := d.items("copies"), d.items("orders"); !slices.Equal(got, want) || len(want) != 4 {
		t.Errorf("\n got %q\nwant %q", got, want)
	}

	if err := e.Advance(10 * time.Minute); err != nil {
		t.Fatal(err)
	}
	d.must("query", `DELETE FROM orders WHERE id = '1'`)
	d.must("query", `UPDATE orders SET n = 'changed' WHERE id = '2'`)
	if err := e.Advance(time.Hour); err != nil {
		t.Fatal(err)
	}
	changes := x.export(&dynamodb.ExportTableToPointInTimeInput{ExportType: types.ExportTypeIncrementalExport,
		IncrementalExportSpecification: &types.IncrementalExportSpecification{
			ExportFromTime: aws.Time(start.Add(time.Minute)), ExportToTime: aws.Time(start.Add(31 * time.Minute))}})
	d.must("import", changes, "--table", "copies")
	if got, want := d.items("copies"), d.items("orders"); !slices.Equal(got, want) || len(want) != 3 {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

// exporter exports the table orders to a bucket, which is a folder.
type exporter struct {
	t      *testing.T
	client *dynamodb.Client
	bucket string
}

func (x exporter) enableRecovery() {
	x.t.Helper()
	_, err := x.client.UpdateContinuousBackups(x.t.Context(), &dynamodb.UpdateContinuousBackupsInput{
		TableName: aws.String("orders"), PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: aws.Bool(true)}})
	if err != nil {
		x.t.Fatal(err)
	}
}

// export exports the table, and returns the export's folder.
func (x exporter) export(in *dynamodb.ExportTableToPointInTimeInput) string {
	x.t.Helper()
	table, err := x.client.DescribeTable(x.t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("orders")})
	if err != nil {
		x.t.Fatal(err)
	}
	in.TableArn, in.S3Bucket = table.Table.TableArn, aws.String("exports")
	started, err := x.client.ExportTableToPointInTime(x.t.Context(), in)
	if err != nil {
		x.t.Fatal(err)
	}
	for {
		out, err := x.client.DescribeExport(x.t.Context(), &dynamodb.DescribeExportInput{
			ExportArn: started.ExportDescription.ExportArn})
		if err != nil {
			x.t.Fatal(err)
		}
		switch d := out.ExportDescription; d.ExportStatus {
		case types.ExportStatusCompleted:
			return filepath.Dir(filepath.Join(x.bucket, *d.ExportManifest))
		case types.ExportStatusFailed:
			x.t.Fatalf("%s: %s", *d.FailureCode, *d.FailureMessage)
		}
	}
}
