package emulator_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/tabletop-db/tabletop/emulator"
)

const ordersARN = "arn:aws:dynamodb:us-east-1:000000000000:table/orders"

// exportNoon is when the tests begin.
var exportNoon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// exportedTable is a table "orders" with point-in-time recovery, and a bucket "exports".
type exportedTable struct {
	emulator *emulator.Emulator
	client   *dynamodb.Client
	objects  *s3.Client
}

func newExportedTable(t *testing.T, options ...emulator.Option) exportedTable {
	t.Helper()
	e := emulator.Run(t, append(options, emulator.WithManualClock(exportNoon))...)
	x := exportedTable{e, dynamodb.NewFromConfig(e.AWSConfig()), s3.NewFromConfig(e.AWSConfig())}
	makeTable(t, x.client, "orders")
	_, err := x.client.UpdateContinuousBackups(t.Context(), &dynamodb.UpdateContinuousBackupsInput{
		TableName: aws.String("orders"), PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: aws.Bool(true)}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.objects.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String("exports")}); err != nil {
		t.Fatal(err)
	}
	return x
}

func (x exportedTable) advance(t *testing.T, d time.Duration) {
	t.Helper()
	if err := x.emulator.Advance(d); err != nil {
		t.Fatal(err)
	}
}

// export exports the table and returns the description at the end.
func (x exportedTable) export(t *testing.T, in *dynamodb.ExportTableToPointInTimeInput) *types.ExportDescription {
	t.Helper()
	in.TableArn = aws.String(ordersARN)
	if in.S3Bucket == nil {
		in.S3Bucket = aws.String("exports")
	}
	started, err := x.client.ExportTableToPointInTime(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if s := started.ExportDescription.ExportStatus; s != types.ExportStatusInProgress {
		t.Errorf("an export begins as %s", s)
	}
	for {
		d, err := x.client.DescribeExport(t.Context(), &dynamodb.DescribeExportInput{
			ExportArn: started.ExportDescription.ExportArn})
		if err != nil {
			t.Fatal(err)
		}
		if d.ExportDescription.ExportStatus != types.ExportStatusInProgress {
			return d.ExportDescription
		}
	}
}

// keys returns the keys of the bucket's objects.
func (x exportedTable) keys(t *testing.T) (keys []string) {
	t.Helper()
	all, err := x.objects.ListObjectsV2(t.Context(), &s3.ListObjectsV2Input{Bucket: aws.String("exports")})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range all.Contents {
		keys = append(keys, *o.Key)
	}
	return keys
}

func (x exportedTable) read(t *testing.T, key string) []byte {
	t.Helper()
	got, err := x.objects.GetObject(t.Context(), &s3.GetObjectInput{Bucket: aws.String("exports"), Key: &key})
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// lines follows a manifest to its data files, checks every checksum on the way, and returns the sorted lines.
func (x exportedTable) lines(t *testing.T, manifest string) (lines []string) {
	t.Helper()
	checkSum := func(key string, text []byte) {
		sum := md5.Sum(text)
		got := x.read(t, strings.TrimSuffix(key, ".json")+".md5")
		if string(got) != base64.StdEncoding.EncodeToString(sum[:]) {
			t.Errorf("the checksum of %s is wrong", key)
		}
	}
	var summary struct {
		ManifestFilesS3Key string
		ItemCount          int
	}
	text := x.read(t, manifest)
	checkSum(manifest, text)
	if err := json.Unmarshal(text, &summary); err != nil {
		t.Fatal(err)
	}
	text = x.read(t, summary.ManifestFilesS3Key)
	checkSum(summary.ManifestFilesS3Key, text)
	for line := range strings.Lines(string(text)) {
		var file struct{ DataFileS3Key, MD5Checksum string }
		if err := json.Unmarshal([]byte(line), &file); err != nil {
			t.Fatal(err)
		}
		data := x.read(t, file.DataFileS3Key)
		if sum := md5.Sum(data); base64.StdEncoding.EncodeToString(sum[:]) != file.MD5Checksum {
			t.Errorf("the checksum of %s is wrong", file.DataFileS3Key)
		}
		r, err := gzip.NewReader(strings.NewReader(string(data)))
		if err != nil {
			t.Fatal(err)
		}
		for s := bufio.NewScanner(r); s.Scan(); {
			lines = append(lines, s.Text())
		}
	}
	if len(lines) != summary.ItemCount {
		t.Errorf("%d lines, the summary says %d", len(lines), summary.ItemCount)
	}
	slices.Sort(lines)
	return lines
}

// TestExport exports a table in both formats. The layout and the lines are those of AWS's documentation ("DynamoDB
// table export output format"), the members of the description those that aws-controllers-k8s/dynamodb-controller
// recorded (2026-10-09).
func TestExport(t *testing.T) {
	t.Parallel()
	x := newExportedTable(t)
	put(t, x.client, "orders", text("pk", "a", "note", `"quoted"`))
	put(t, x.client, "orders", map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "b"},
		"n": &types.AttributeValueMemberN{Value: "1.5"}, "ns": &types.AttributeValueMemberNS{Value: []string{"7"}},
		"bin": &types.AttributeValueMemberB{Value: []byte{0, 1}}})

	d := x.export(t, &dynamodb.ExportTableToPointInTimeInput{S3Prefix: aws.String("daily/")})
	if d.ExportStatus != types.ExportStatusCompleted || *d.ItemCount != 2 || d.ExportType != "" || d.S3BucketOwner != nil {
		t.Errorf("%s, %d items, type %q", d.ExportStatus, *d.ItemCount, d.ExportType)
	}
	folder := path.Dir(*d.ExportManifest)
	if want := "daily/AWSDynamoDB/" + path.Base(*d.ExportArn); folder != want {
		t.Errorf("the export is in %s, want %s", folder, want)
	}
	var names []string
	for _, key := range x.keys(t) {
		if name := strings.TrimPrefix(key, folder+"/"); !strings.HasPrefix(name, "data/") {
			names = append(names, name)
		} else if !strings.HasSuffix(name, ".json.gz") {
			t.Error(key)
		}
	}
	if got := strings.Join(names, " "); got != "_started manifest-files.json manifest-files.md5 manifest-summary.json "+
		"manifest-summary.md5" {
		t.Error(got)
	}
	want := []string{`{"Item":{"bin":{"B":"AAE="},"n":{"N":"1.5"},"ns":{"NS":["7"]},"pk":{"S":"b"}}}`,
		`{"Item":{"note":{"S":"\"quoted\""},"pk":{"S":"a"}}}`}
	if got := x.lines(t, *d.ExportManifest); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	d = x.export(t, &dynamodb.ExportTableToPointInTimeInput{ExportFormat: types.ExportFormatIon})
	want = []string{`$ion_1_0 {Item:{bin:{{AAE=}},n:1.5,ns:$dynamodb_NS::[7.],pk:"b"}}`,
		`$ion_1_0 {Item:{note:"\"quoted\"",pk:"a"}}`}
	if got := x.lines(t, *d.ExportManifest); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestExportOfThePast exports a table as it was, and then the changes since.
func TestExportOfThePast(t *testing.T) {
	t.Parallel()
	x := newExportedTable(t)
	put(t, x.client, "orders", text("pk", "kept"))
	put(t, x.client, "orders", text("pk", "changed", "v", "old"))
	put(t, x.client, "orders", text("pk", "deleted"))
	x.advance(t, time.Hour)
	since := exportNoon.Add(time.Hour)
	put(t, x.client, "orders", text("pk", "changed", "v", "between"))
	put(t, x.client, "orders", text("pk", "changed", "v", "new"))
	put(t, x.client, "orders", text("pk", "passing"))
	for _, id := range []string{"deleted", "passing"} {
		if _, err := x.client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("orders"),
			Key: text("pk", id)}); err != nil {
			t.Fatal(err)
		}
	}
	x.advance(t, time.Hour)
	put(t, x.client, "orders", text("pk", "changed", "v", "later"))

	before := since.Add(-time.Second)
	d := x.export(t, &dynamodb.ExportTableToPointInTimeInput{ExportTime: &before})
	if got := x.lines(t, *d.ExportManifest); !slices.Equal(got, []string{`{"Item":{"pk":{"S":"changed"},"v":{"S":"old"}}}`,
		`{"Item":{"pk":{"S":"deleted"}}}`, `{"Item":{"pk":{"S":"kept"}}}`}) {
		t.Errorf("%q", got)
	}
	until := since.Add(30 * time.Minute)
	changes := types.IncrementalExportSpecification{ExportFromTime: &since, ExportToTime: &until}
	d = x.export(t, &dynamodb.ExportTableToPointInTimeInput{ExportType: types.ExportTypeIncrementalExport,
		IncrementalExportSpecification: &changes})
	record := func(rest string) string {
		return fmt.Sprintf(`{"Metadata":{"WriteTimestampMicros":{"N":"%d"}},%s}`, since.UnixMicro(), rest)
	}
	want := []string{record(`"Keys":{"pk":{"S":"changed"}},"OldImage":{"pk":{"S":"changed"},"v":{"S":"old"}},` +
		`"NewImage":{"pk":{"S":"changed"},"v":{"S":"new"}}`),
		record(`"Keys":{"pk":{"S":"deleted"}},"OldImage":{"pk":{"S":"deleted"}}`)}
	if got := x.lines(t, *d.ExportManifest); !slices.Equal(got, want) || *d.BilledSizeBytes != 10_000_000 {
		t.Errorf("%q, %d bytes", got, *d.BilledSizeBytes)
	}
	changes.ExportViewType = types.ExportViewTypeNewImage
	d = x.export(t, &dynamodb.ExportTableToPointInTimeInput{ExportType: types.ExportTypeIncrementalExport,
		IncrementalExportSpecification: &changes})
	if got := x.lines(t, *d.ExportManifest); len(got) != 2 || strings.Contains(strings.Join(got, ""), "OldImage") {
		t.Errorf("%q", got)
	}
}

// TestExportsFail exports to buckets that cannot be written (aws-controllers-k8s/dynamodb-controller, 2026-10-09).
func TestExportsFail(t *testing.T) {
	t.Parallel()
	x := newExportedTable(t)
	for code, in := range map[string]*dynamodb.ExportTableToPointInTimeInput{
		"S3NoSuchBucket": {S3Bucket: aws.String("absent")},
		"S3AccessDenied": {S3BucketOwner: aws.String("111111111111")},
	} {
		d := x.export(t, in)
		if d.ExportStatus != types.ExportStatusFailed || aws.ToString(d.FailureCode) != code || d.ExportManifest != nil ||
			!strings.Contains(aws.ToString(d.FailureMessage), "(Service: Amazon S3; Status Code: 40") {
			t.Errorf("%s: %s %s %s", code, d.ExportStatus, aws.ToString(d.FailureCode), aws.ToString(d.FailureMessage))
		}
	}
	if keys := x.keys(t); len(keys) != 0 {
		t.Errorf("failed exports left %q", keys)
	}
}

// TestExportsAreIdempotent repeats requests with a client token (aws-controllers-k8s/dynamodb-controller, 2026-10-09).
func TestExportsAreIdempotent(t *testing.T) {
	t.Parallel()
	x := newExportedTable(t)
	token := func(prefix string) *dynamodb.ExportTableToPointInTimeInput {
		return &dynamodb.ExportTableToPointInTimeInput{ClientToken: aws.String("token"), S3Prefix: &prefix}
	}
	first := x.export(t, token("a"))
	again, err := x.client.ExportTableToPointInTime(t.Context(), &dynamodb.ExportTableToPointInTimeInput{
		TableArn: aws.String(ordersARN), S3Bucket: aws.String("exports"), ClientToken: aws.String("token"),
		S3Prefix: aws.String("a")})
	if err != nil || *again.ExportDescription.ExportArn != *first.ExportArn {
		t.Errorf("another export for the same token, %v", err)
	}
	other := token("b")
	other.TableArn, other.S3Bucket = aws.String(ordersARN), aws.String("exports")
	if _, err := x.client.ExportTableToPointInTime(t.Context(), other); err == nil || !strings.Contains(err.Error(),
		"ExportConflictException: Export conflict: Duplicate request detected with conflicting parameters") {
		t.Errorf("other parameters: %v", err)
	}
	x.advance(t, 8*time.Hour+time.Second)
	if d := x.export(t, token("a")); *d.ExportArn == *first.ExportArn {
		t.Error("the token is valid after eight hours")
	}
	page, err := x.client.ListExports(t.Context(), &dynamodb.ListExportsInput{MaxResults: aws.Int32(1)})
	if err != nil || len(page.ExportSummaries) != 1 || page.NextToken == nil {
		t.Fatalf("%+v, %v", page, err)
	}
	page, err = x.client.ListExports(t.Context(), &dynamodb.ListExportsInput{NextToken: page.NextToken,
		TableArn: aws.String(ordersARN)})
	if err != nil || len(page.ExportSummaries) != 1 || *page.ExportSummaries[0].ExportArn != *first.ExportArn {
		t.Errorf("the second page: %+v, %v", page, err)
	}
}

// TestExportsSurviveARestart describes an export in another process.
func TestExportsSurviveARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := newExportedTable(t, emulator.WithData(dir))
	d := x.export(t, &dynamodb.ExportTableToPointInTimeInput{})
	if err := x.emulator.Close(); err != nil {
		t.Fatal(err)
	}
	again := client(emulator.Run(t, emulator.WithData(dir)))
	got, err := again.DescribeExport(context.Background(), &dynamodb.DescribeExportInput{ExportArn: d.ExportArn})
	if err != nil || got.ExportDescription.ExportStatus != types.ExportStatusCompleted {
		t.Errorf("%+v, %v", got, err)
	}
}
