package emulator_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/tabletop-db/tabletop/emulator"
)

// createOrders creates the table "orders" with the key p and c, an index of owners, and a stream.
func (b importBucket) createOrders(t *testing.T) {
	t.Helper()
	p := parameters("orders")
	owner := types.AttributeDefinition{AttributeName: aws.String("owner"), AttributeType: types.ScalarAttributeTypeS}
	if _, err := b.client.CreateTable(t.Context(), &dynamodb.CreateTableInput{TableName: p.TableName,
		BillingMode: p.BillingMode, KeySchema: p.KeySchema, AttributeDefinitions: append(p.AttributeDefinitions, owner),
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true),
			StreamViewType: types.StreamViewTypeNewAndOldImages},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{IndexName: aws.String("owners"),
			KeySchema:  []types.KeySchemaElement{{AttributeName: owner.AttributeName, KeyType: types.KeyTypeHash}},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}}}}); err != nil {
		t.Fatal(err)
	}
}

// bulkPut returns a request that puts the objects under a prefix into the table "orders", and reports to "report/".
func bulkPut(prefix string) *dynamodb.StartBulkPutItemsInput {
	return &dynamodb.StartBulkPutItemsInput{TableName: aws.String("orders"),
		InputS3Configuration: &types.InputS3Configuration{S3Bucket: aws.String("imports"), S3KeyPrefix: &prefix,
			InputFormat: types.BulkOperationInputFormatDynamodbJson},
		OutputS3Configuration: &types.OutputS3Configuration{S3Bucket: aws.String("imports"),
			S3KeyPrefix: aws.String("report/"),
			OutputType:  []types.OutputTypeEnum{types.OutputTypeEnumError, types.OutputTypeEnumConditionCheckFailure}},
	}
}

// start starts a bulk operation and returns its description when it is done.
func (b importBucket) start(t *testing.T, in *dynamodb.StartBulkPutItemsInput) *types.BulkOperationDescription {
	t.Helper()
	started, err := b.client.StartBulkPutItems(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	d := started.BulkOperationDescription
	if d.BulkOperationStatus != types.BulkOperationStatusInProgress || d.EndTime != nil || d.TotalInputBytes != nil {
		t.Errorf("a bulk operation begins as %+v", d)
	}
	for d.BulkOperationStatus == types.BulkOperationStatusInProgress {
		d = b.bulk(t, d.BulkOperationArn)
	}
	return d
}

// bulk describes a bulk operation.
func (b importBucket) bulk(t *testing.T, arn *string) *types.BulkOperationDescription {
	t.Helper()
	got, err := b.client.DescribeBulkOperation(t.Context(), &dynamodb.DescribeBulkOperationInput{BulkOperationArn: arn})
	if err != nil {
		t.Fatal(err)
	}
	return got.BulkOperationDescription
}

func bulkCounts(d *types.BulkOperationDescription) string {
	return fmt.Sprintf("%s processed %d failed %d %s", d.BulkOperationStatus, d.ProcessedItemCount, d.FailedItemCount,
		aws.ToString(d.FailureCode))
}

// report returns the lines of a report's files whose keys contain a text.
func (b importBucket) report(t *testing.T, part string) string {
	t.Helper()
	list, err := b.objects.ListObjectsV2(t.Context(), &s3.ListObjectsV2Input{Bucket: aws.String("imports"),
		Prefix: aws.String("report/")})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, o := range list.Contents {
		if !strings.Contains(*o.Key, part) {
			continue
		}
		object, err := b.objects.GetObject(t.Context(), &s3.GetObjectInput{Bucket: aws.String("imports"), Key: o.Key})
		if err != nil {
			t.Fatal(err)
		}
		var content io.Reader = object.Body
		if strings.HasSuffix(*o.Key, ".gz") {
			if content, err = gzip.NewReader(object.Body); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := io.Copy(&text, content); err != nil {
			t.Fatal(err)
		}
		_ = object.Body.Close()
	}
	return text.String()
}

// mixed are records of all kinds: the item v 1 exists.
const mixed = `{"Item":{"p":{"S":"v"},"c":{"N":"1"},"owner":{"S":"ann"}}}
{"Item":{"p":{"S":"v"},"c":{"N":"2"}},"ConditionExpression":"attribute_not_exists(p)"}
{"Item":{"p":{"S":"v"},"c":{"N":"1"}},"ConditionExpression":"#o <> :o","ExpressionAttributeNames":{"#o":"owner"},"ExpressionAttributeValues":{":o":{"S":"ann"}}}
{"Item":{"p":{"S":"v"}}}
{"Item":{"p":{"S":"v"},"c":{"N":"4"}},"ConditionExpression":"absent("}
{"Item":{"p":{"S":"v"},"c":{"N":"5"}}}
{"Item":{"p":{"S":"v"},"c":{"N":"5"},"last":{"BOOL":true}}}
`

// TestBulkPutsIntoATable puts records of all kinds into a table that has items: the table, its index and its stream
// have those that can be put, and the report has the others.
func TestBulkPutsIntoATable(t *testing.T) {
	t.Parallel()
	b := newImportBucket(t)
	b.createOrders(t)
	if _, err := b.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("orders"),
		Item: map[string]types.AttributeValue{"p": word("v"), "c": number("1")}}); err != nil {
		t.Fatal(err)
	}
	b.put(t, "a/1", mixed)
	d := b.start(t, bulkPut("a/"))
	if got := bulkCounts(d); got != "COMPLETED_WITH_ERRORS processed 7 failed 2 " {
		t.Error(got)
	}
	if *d.ProcessedInputBytes != int64(len(mixed)) || *d.TotalInputBytes != int64(len(mixed)) || d.EndTime == nil ||
		d.PerformanceTier != types.BulkOperationPerformanceTierStandard || d.TableDetails[0].TableId == nil {
		t.Errorf("%+v", d)
	}
	usage := d.BulkOperationUsage[0]
	if table, index := *usage.Table.BulkPutBytes, *usage.GlobalSecondaryIndexes["owners"].BulkPutBytes; table != 33 ||
		index != 13 || *usage.BulkPutBytes != table+index {
		t.Errorf("%d bytes of the table, %d of the index, %d of all", table, index, *usage.BulkPutBytes)
	}
	want := []map[string]types.AttributeValue{{"p": word("v"), "c": number("1"), "owner": word("ann")},
		{"p": word("v"), "c": number("2")},
		{"p": word("v"), "c": number("5"), "last": &types.AttributeValueMemberBOOL{Value: true}}}
	if got := b.items(t, "orders"); !sameItems(got, want) {
		t.Errorf("the table has %v", got)
	}
	b.checkReport(t)
}

func (b importBucket) checkReport(t *testing.T) {
	t.Helper()
	found := b.report(t, "/condition-check-failure/")
	if found != `{"S3Key":"a/1","ItemIndex":2,"Item":{"c":{"N":"1"},"p":{"S":"v"}},`+
		`"ExistingItem":{"c":{"N":"1"},"owner":{"S":"ann"},"p":{"S":"v"}}}`+"\n" {
		t.Error(found)
	}
	found = b.report(t, "/error/")
	if !strings.Contains(found, `{"S3Key":"a/1","ItemIndex":3,"ErrorMessage":"One or more parameter values were invalid: `+
		`Missing the key c in the item","Item":{"p":{"S":"v"}}}`) ||
		!strings.Contains(found, `"ItemIndex":4,"ErrorMessage":"1 validation error detected: Invalid ConditionExpression: `) {
		t.Error(found)
	}
	if found = b.report(t, "manifest-summary.json"); !strings.Contains(found,
		`"processedItemCount":7,"failedItemCount":2,"conditionCheckFailureCount":1}`) {
		t.Error(found)
	}
}

// TestBulkPutsOfEachFormat puts Ion and compressed objects; a record that is no item ends its object only.
func TestBulkPutsOfEachFormat(t *testing.T) {
	t.Parallel()
	const ion = `$ion_1_0 {Item:{p:"i",c:1.}}
$ion_1_0 {Item:{p:"i",c:1.,more:true},ConditionExpression:"#n = :n",ExpressionAttributeNames:{'#n':"c"},ExpressionAttributeValues:{':n':1.}}
$ion_1_0 {Item:{p:"i",c:1.,more:false},ConditionExpression:"attribute_exists(rebate)"}
`
	json := line("j", 1, "") + `{"Item":[]}` + "\n" + line("j", 2, "")
	deep := `{"Item":{"p":{"S":"d"},"c":{"N":"1"},"deep":` + strings.Repeat(`{"L":[`, 40) + `{"S":""}` +
		strings.Repeat("]}", 40) + "}}\n" + line("d", 2, "")
	for name, c := range map[string]struct {
		format      types.BulkOperationInputFormat
		compression types.InputCompressionType
		content     string
		want        string
		items       int
	}{
		"ion":   {"ION", "", ion, "COMPLETED processed 3 failed 0 ", 1},
		"gzip":  {"DYNAMODB_JSON", "GZIP", gzipOf(t, json), "COMPLETED_WITH_ERRORS processed 2 failed 1 ", 1},
		"zstd":  {"DYNAMODB_JSON", "ZSTD", zstdOf(t, line("z", 1, "")), "COMPLETED processed 1 failed 0 ", 1},
		"other": {"DYNAMODB_JSON", "GZIP", json, "COMPLETED_WITH_ERRORS processed 1 failed 1 ", 0},
		"deep":  {"DYNAMODB_JSON", "", deep, "COMPLETED_WITH_ERRORS processed 2 failed 1 ", 1},
		"long": {"DYNAMODB_JSON", "", line("l", 1, `,"x":{"S":"`+strings.Repeat("x", 5<<20)+`"}`) + line("l", 2, ""),
			"COMPLETED_WITH_ERRORS processed 2 failed 1 ", 1},
		"open":  {"DYNAMODB_JSON", "", line("o", 1, "") + `{"Item":{"p":`, "COMPLETED_WITH_ERRORS processed 2 failed 1 ", 1},
		"empty": {"DYNAMODB_JSON", "ZSTD", "", "COMPLETED processed 0 failed 0 ", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newImportBucket(t)
			b.createOrders(t)
			b.put(t, "a/1", c.content)
			in := bulkPut("a/")
			in.InputS3Configuration.InputFormat, in.InputS3Configuration.InputCompressionType = c.format, c.compression
			d := b.start(t, in)
			if got := bulkCounts(d); got != c.want || len(b.items(t, "orders")) != c.items {
				t.Errorf("%s, %v", got, b.items(t, "orders"))
			}
			if *d.TotalInputBytes != int64(len(c.content)) {
				t.Errorf("%d bytes instead of %d", *d.TotalInputBytes, len(c.content))
			}
		})
	}
}

// TestBulkPutsAreInTheStream: a bulk operation is in the table's stream, in the order of its records, also where
// conflicting requests fail.
func TestBulkPutsAreInTheStream(t *testing.T) {
	t.Parallel()
	for _, options := range [][]emulator.Option{nil, {emulator.WithLikeCloud(emulator.Conflicts)}} {
		b := newImportBucket(t, options...)
		b.createOrders(t)
		b.put(t, "a/1", line("s", 1, "")+line("s", 1, `,"owner":{"S":"bo"}`)+line("s", 1, `,"owner":{"S":"cy"}`))
		if got := bulkCounts(b.start(t, bulkPut("a/"))); got != "COMPLETED processed 3 failed 0 " {
			t.Error(got)
		}
		var owners []string
		for _, r := range b.streamOf(t, "orders") {
			if owner, ok := r["owner"].(*streamtypes.AttributeValueMemberS); ok {
				owners = append(owners, owner.Value)
			} else {
				owners = append(owners, "")
			}
		}
		if !slices.Equal(owners, []string{"", "bo", "cy"}) {
			t.Errorf("with %d options: %q", len(options), owners)
		}
	}
}

// TestBulkPutsAreIdempotent repeats a request with its token within 8 hours, and lists the operations.
func TestBulkPutsAreIdempotent(t *testing.T) {
	t.Parallel()
	b := newImportBucket(t)
	b.createOrders(t)
	b.put(t, "a/1", line("v", 1, ""))
	in := bulkPut("a/")
	in.ClientToken = aws.String("token")
	first := b.start(t, in)
	again, err := b.client.StartBulkPutItems(t.Context(), in)
	if err != nil || *again.BulkOperationDescription.BulkOperationArn != *first.BulkOperationArn ||
		again.BulkOperationDescription.BulkOperationStatus != types.BulkOperationStatusCompleted {
		t.Errorf("%+v, %v", again, err)
	}
	other := bulkPut("b/")
	other.ClientToken = in.ClientToken
	var mismatch *types.IdempotentParameterMismatchException
	if _, err := b.client.StartBulkPutItems(t.Context(), other); !errors.As(err, &mismatch) {
		t.Errorf("another request with the token: %v", err)
	}
	if err := b.emulator.Advance(8*time.Hour + time.Second); err != nil {
		t.Fatal(err)
	}
	second := b.start(t, other)
	if *second.BulkOperationArn == *first.BulkOperationArn {
		t.Error("the token is valid after 8 hours")
	}
	page, err := b.client.ListBulkOperations(t.Context(), &dynamodb.ListBulkOperationsInput{MaxResults: aws.Int32(1)})
	if err != nil || len(page.BulkOperationsSummaryList) != 1 || page.NextToken == nil ||
		*page.BulkOperationsSummaryList[0].BulkOperationArn != *second.BulkOperationArn {
		t.Fatalf("%+v, %v", page, err)
	}
	page, err = b.client.ListBulkOperations(t.Context(), &dynamodb.ListBulkOperationsInput{NextToken: page.NextToken})
	if err != nil || len(page.BulkOperationsSummaryList) != 1 || page.NextToken != nil ||
		*page.BulkOperationsSummaryList[0].BulkOperationArn != *first.BulkOperationArn {
		t.Errorf("%+v, %v", page, err)
	}
	if err := b.emulator.Advance(91 * 24 * time.Hour); err != nil {
		t.Fatal(err)
	}
	if page, err = b.client.ListBulkOperations(t.Context(), nil); err != nil || len(page.BulkOperationsSummaryList) > 0 {
		t.Errorf("after 91 days: %+v, %v", page, err)
	}
}

// TestBulkPutsFail: without a bucket for the objects or for the report, and when the table is deleted.
func TestBulkPutsFail(t *testing.T) {
	t.Parallel()
	b := newImportBucket(t)
	b.createOrders(t)
	b.put(t, "a/1", line("v", 1, ""))
	noInput, noOutput, foreign := bulkPut("a/"), bulkPut("a/"), bulkPut("a/")
	noInput.InputS3Configuration.S3Bucket = aws.String("absent")
	noOutput.OutputS3Configuration.S3Bucket = aws.String("absent")
	foreign.OutputS3Configuration.S3BucketOwner = aws.String("111111111111")
	for want, in := range map[string]*dynamodb.StartBulkPutItemsInput{
		"FAILED processed 0 failed 0 S3NoSuchBucket": noInput, "FAILED processed 0 failed 0 S3NoSuchBucket ": noOutput,
		"FAILED processed 0 failed 0 S3AccessDenied": foreign} {
		if got := bulkCounts(b.start(t, in)); got != strings.TrimSpace(want) {
			t.Errorf("%s instead of %s", got, want)
		}
	}
	if got := b.items(t, "orders"); len(got) > 0 {
		t.Errorf("the table has %v", got)
	}
}

// TestBulkPutsNeedAccessToObjects: a bulk operation uses the buckets as the one who starts it.
func TestBulkPutsNeedAccessToObjects(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, emulator.WithIdentitiesFrom(strings.NewReader(loaders)), emulator.WithManualClock(exportNoon))
	ana := importBucket{e, dynamodb.NewFromConfig(e.AWSConfigFor("ana")), s3.NewFromConfig(e.AWSConfigFor("ana"))}
	bob := importBucket{e, dynamodb.NewFromConfig(e.AWSConfigFor("bob")), s3.NewFromConfig(e.AWSConfigFor("bob"))}
	if _, err := ana.objects.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String("imports")}); err != nil {
		t.Fatal(err)
	}
	ana.createOrders(t)
	ana.put(t, "public/1", line("a", 1, ""))
	ana.put(t, "secret/1", line("b", 1, ""))
	for prefixes, want := range map[[2]string]string{
		{"public/", "public/"}: "COMPLETED processed 1 failed 0 ",
		{"secret/", "public/"}: "FAILED processed 0 failed 0 S3AccessDenied",
		{"public/", "secret/"}: "FAILED processed 0 failed 0 S3AccessDenied",
	} {
		in := bulkPut(prefixes[0])
		in.OutputS3Configuration.S3KeyPrefix = &prefixes[1]
		if got := bulkCounts(bob.start(t, in)); got != want {
			t.Errorf("from %s to %s: %s", prefixes[0], prefixes[1], got)
		}
	}
	if got := bulkCounts(ana.start(t, bulkPut("secret/"))); got != "COMPLETED processed 1 failed 0 " {
		t.Errorf("by the administrator: %s", got)
	}
}

// streamOf returns the new images of all records of a table's stream.
func (b importBucket) streamOf(t *testing.T, table string) (images []map[string]streamtypes.AttributeValue) {
	t.Helper()
	client, ctx := dynamodbstreams.NewFromConfig(b.emulator.AWSConfig()), t.Context()
	described, err := b.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
	if err != nil {
		t.Fatal(err)
	}
	arn := described.Table.LatestStreamArn
	stream, err := client.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	if err != nil {
		t.Fatal(err)
	}
	for _, shard := range stream.StreamDescription.Shards {
		from, err := client.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{StreamArn: arn,
			ShardId: shard.ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon})
		if err != nil {
			t.Fatal(err)
		}
		page, err := client.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: from.ShardIterator})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Records {
			images = append(images, r.Dynamodb.NewImage)
		}
	}
	return images
}
