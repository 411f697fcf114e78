package emulator_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/klauspost/compress/zstd"

	"github.com/tabletop-db/tabletop/emulator"
)

// importBucket is an emulator with a bucket "imports".
type importBucket struct {
	emulator *emulator.Emulator
	client   *dynamodb.Client
	objects  *s3.Client
}

func newImportBucket(t *testing.T, options ...emulator.Option) importBucket {
	t.Helper()
	e := emulator.Run(t, append(options, emulator.WithManualClock(exportNoon))...)
	b := importBucket{e, dynamodb.NewFromConfig(e.AWSConfig()), s3.NewFromConfig(e.AWSConfig())}
	if _, err := b.objects.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String("imports")}); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b importBucket) put(t *testing.T, key, content string) {
	t.Helper()
	if _, err := b.objects.PutObject(t.Context(), &s3.PutObjectInput{Bucket: aws.String("imports"), Key: &key,
		Body: strings.NewReader(content)}); err != nil {
		t.Fatal(err)
	}
}

// parameters are those of a table with the key p, a string, and c, a number.
func parameters(table string) *types.TableCreationParameters {
	return &types.TableCreationParameters{
		TableName: &table, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("p"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("c"), AttributeType: types.ScalarAttributeTypeN}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("p"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("c"), KeyType: types.KeyTypeRange}},
	}
}

// source returns a request that imports the objects under a prefix into a table.
func source(table, prefix string) *dynamodb.ImportTableInput {
	return &dynamodb.ImportTableInput{
		S3BucketSource: &types.S3BucketSource{S3Bucket: aws.String("imports"), S3KeyPrefix: &prefix},
		InputFormat:    types.InputFormatDynamodbJson, TableCreationParameters: parameters(table),
	}
}

// run imports and returns the description at the end.
func (b importBucket) run(t *testing.T, in *dynamodb.ImportTableInput) *types.ImportTableDescription {
	t.Helper()
	started, err := b.client.ImportTable(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	d := started.ImportTableDescription
	if d.ImportStatus != types.ImportStatusInProgress || d.TableId == nil || d.EndTime != nil ||
		d.ProcessedSizeBytes != nil {
		t.Errorf("an import begins as %+v", d)
	}
	return b.wait(t, d)
}

func (b importBucket) wait(t *testing.T, d *types.ImportTableDescription) *types.ImportTableDescription {
	t.Helper()
	for d.ImportStatus == types.ImportStatusInProgress {
		got, err := b.client.DescribeImport(t.Context(), &dynamodb.DescribeImportInput{ImportArn: d.ImportArn})
		if err != nil {
			t.Fatal(err)
		}
		d = got.ImportTableDescription
	}
	return d
}

// items returns the items of a table, in an order of their own.
func (b importBucket) items(t *testing.T, table string) (items []map[string]types.AttributeValue) {
	t.Helper()
	pages := dynamodb.NewScanPaginator(b.client, &dynamodb.ScanInput{TableName: &table})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, page.Items...)
	}
	return items
}

func number(n string) types.AttributeValue { return &types.AttributeValueMemberN{Value: n} }

func word(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func counts(d *types.ImportTableDescription) string {
	return fmt.Sprintf("%s processed %d imported %d errors %d %s", d.ImportStatus, d.ProcessedItemCount,
		d.ImportedItemCount, d.ErrorCount, aws.ToString(d.FailureCode))
}

func gzipOf(t *testing.T, content string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func zstdOf(t *testing.T, content string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return string(w.EncodeAll([]byte(content), nil))
}

// sameItems reports whether two lists have the same items, in any order.
func sameItems(a, b []map[string]types.AttributeValue) bool {
	if len(a) != len(b) {
		return false
	}
	rest := slices.Clone(b)
	for _, one := range a {
		at := slices.IndexFunc(rest, func(other map[string]types.AttributeValue) bool {
			return reflect.DeepEqual(one, other)
		})
		if at < 0 {
			return false
		}
		rest = slices.Delete(rest, at, at+1)
	}
	return true
}

func line(p string, c int, rest string) string {
	return fmt.Sprintf(`{"Item":{"p":{"S":%q},"c":{"N":"%d"}%s}}`+"\n", p, c, rest)
}

func (b importBucket) describe(t *testing.T, d *types.ImportTableDescription) *types.ImportTableDescription {
	t.Helper()
	got, err := b.client.DescribeImport(t.Context(), &dynamodb.DescribeImportInput{ImportArn: d.ImportArn})
	if err != nil {
		t.Fatal(err)
	}
	return got.ImportTableDescription
}

func (b importBucket) tableStatus(t *testing.T, table string) string {
	t.Helper()
	var absent *types.ResourceNotFoundException
	got, err := b.client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: &table})
	switch {
	case errors.As(err, &absent):
		return "absent"
	case err != nil:
		t.Fatal(err)
	}
	return string(got.Table.TableStatus)
}
