package emulator_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// TestImportFormats imports the same two items in each format and compression. The size is that before compression
// (scylladb/scylladb, test_import.py, 2026-09).
func TestImportFormats(t *testing.T) {
	t.Parallel()
	b := newImportBucket(t)
	formats := map[types.InputFormat]string{
		types.InputFormatDynamodbJson: `{"Item":{"p":{"S":"a"},"c":{"N":"1.0"},"v":{"S":"say \"hi\""}}}` + "\n\n   \r\n" +
			`{"Item":{"p":{"S":"b"},"c":{"N":"2"},"v":{"S":"x,y"}}}`,
		types.InputFormatIon: `$ion_1_0 {Item:{p:"a",c:1.0,v:"say \"hi\""}}` + "\n" +
			`$ion_1_0 { Item : { 'p' : '''b''', c : 2d0, v : "x\x2cy" , } } // the last one` + "\n",
		types.InputFormatCsv: "p,c,v\r\na,1.0,\"say \"\"hi\"\"\"\r\nb,2,\"x,y\"\r\n",
	}
	want := []map[string]types.AttributeValue{{"p": word("a"), "c": number("1"), "v": word(`say "hi"`)},
		{"p": word("b"), "c": number("2"), "v": word("x,y")}}
	for format, content := range formats {
		for compression, packed := range map[types.InputCompressionType]string{types.InputCompressionTypeNone: content,
			types.InputCompressionTypeGzip: gzipOf(t, content), types.InputCompressionTypeZstd: zstdOf(t, content)} {
			name := fmt.Sprintf("%s-%s", format, compression)
			b.put(t, name+"/items", packed)
			b.put(t, name+"/empty", "")
			in := source(name, name+"/")
			in.InputFormat, in.InputCompressionType = format, compression
			d := b.run(t, in)
			if got := counts(d); got != "COMPLETED processed 2 imported 2 errors 0 " {
				t.Errorf("%s: %s %s", name, got, aws.ToString(d.FailureMessage))
				continue
			}
			if got := *d.ProcessedSizeBytes; got != int64(len(content)) {
				t.Errorf("%s: %d bytes of %d", name, got, len(content))
			}
			if got := b.items(t, name); !sameItems(got, want) {
				t.Errorf("%s: %v", name, got)
			}
		}
	}
}

// TestImportDescription compares what AWS reports of an import, as recorded (aws-controllers-k8s/dynamodb-controller,
// 2026-10, and scylladb/scylladb, test_import.py, 2026-09).
func TestImportDescription(t *testing.T) {
	t.Parallel()
	b := newImportBucket(t)
	b.put(t, "csv/rows", "a;1\nb;2\n")
	in := source("orders", "csv/")
	in.InputFormat = types.InputFormatCsv
	in.InputFormatOptions = &types.InputFormatOptions{Csv: &types.CsvOptions{Delimiter: aws.String(";"),
		HeaderList: []string{"p", "c"}}}
	in.TableCreationParameters.OnDemandThroughput = &types.OnDemandThroughput{MaxReadRequestUnits: aws.Int64(100)}
	d := b.run(t, in)
	if got := counts(d); got != "COMPLETED processed 2 imported 2 errors 0 " {
		t.Fatal(got)
	}
	if !strings.HasPrefix(*d.ImportArn, ordersARN+"/import/0") || *d.TableArn != ordersARN ||
		*d.S3BucketSource.S3BucketOwner != "000000000000" || d.InputCompressionType != types.InputCompressionTypeNone ||
		*d.CloudWatchLogGroupArn != "arn:aws:logs:us-east-1:000000000000:log-group:/aws-dynamodb/imports:*" ||
		!reflect.DeepEqual(d.InputFormatOptions, in.InputFormatOptions) || !d.StartTime.Equal(exportNoon) ||
		!d.EndTime.Equal(exportNoon) {
		t.Errorf("%+v", d)
	}
	if !reflect.DeepEqual(d.TableCreationParameters, in.TableCreationParameters) {
		t.Errorf("%+v", d.TableCreationParameters)
	}
	table, err := b.client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("orders")})
	if err != nil || *table.Table.TableId != *d.TableId || table.Table.RestoreSummary != nil ||
		*table.Table.ItemCount != 2 {
		t.Errorf("%+v, %v", table, err)
	}
}

// The lines that AWS refuses (scylladb/scylladb, test_import.py, 2026-09).
var refusedLines = []string{
	`{"NotAnItem": {"p": {"S": "x"}, "c": {"N": "1"}}}`,
	`{"Item": {"c": {"N": "1"}}}`,
	`{"Item": {"p": {"S": "x"}}}`,
	`{"Item": {"p": {"S": "x"}, "c": {"S": "1"}}}`,
	`{"Item": `,
	`{"Item": {"p": {"S": "x"}, "c": {"N": "1"}, "": {"S": "v"}}}`,
}

// TestImportsWithErrors imports what AWS refuses in part: each case has the counts that were recorded there
// (aws-controllers-k8s/dynamodb-controller and scylladb/scylladb, 2026-09 and 2026-10), except those of items and lines
// that are too large.
func TestImportsWithErrors(t *testing.T) {
	t.Parallel()
	b := newImportBucket(t)
	var valid strings.Builder
	for i := range 5 {
		valid.WriteString(line("v", i, ""))
	}
	large := line("large", 1, `,"v":{"S":"`+strings.Repeat("x", 400<<10)+`"}`)
	endless := line("endless", 1, `,"v":{"S":"`+strings.Repeat("x", 5<<20)+`"}`)
	for name, c := range map[string]struct {
		objects     []string
		compression types.InputCompressionType
		want        string
		items       int
	}{
		"missing-key":   {[]string{valid.String() + refusedLines[1] + "\n" + line("v", 9, "")}, "", "FAILED processed 7 imported 6 errors 1 ItemValidationError", 6},
		"garbage-line":  {[]string{valid.String() + "garbage\n" + line("v", 9, "")}, "", "FAILED processed 6 imported 5 errors 1 ItemValidationError", 5},
		"no-item":       {[]string{refusedLines[0] + "\n" + valid.String()}, "", "FAILED processed 1 imported 0 errors 1 ItemValidationError", 0},
		"each-refused":  {append(slices.Clone(refusedLines), line("v", 1, "")+line("v", 2, "")), "", "FAILED processed 8 imported 2 errors 6 ItemValidationError", 2},
		"duplicates":    {[]string{line("v", 1, `,"which":{"S":"first"}`) + line("v", 1, `,"which":{"S":"second"}`)}, "", "COMPLETED processed 2 imported 2 errors 0 ", 1},
		"not-gzip":      {[]string{valid.String()}, types.InputCompressionTypeGzip, "FAILED processed 1 imported 0 errors 1 ItemValidationError", 0},
		"not-zstd":      {[]string{valid.String()}, types.InputCompressionTypeZstd, "FAILED processed 1 imported 0 errors 1 ItemValidationError", 0},
		"half-a-file":   {[]string{gzipOf(t, valid.String())[:30]}, types.InputCompressionTypeGzip, "FAILED processed 1 imported 0 errors 1 ItemValidationError", 0},
		"is-compressed": {[]string{gzipOf(t, valid.String())}, "", "FAILED processed 1 imported 0 errors 1 ItemValidationError", 0},
		"large-item":    {[]string{large + line("v", 1, "")}, "", "FAILED processed 2 imported 1 errors 1 ItemValidationError", 1},
		"endless-line":  {[]string{endless + line("v", 1, "")}, "", "FAILED processed 2 imported 1 errors 1 ItemValidationError", 1},
		"nothing":       {nil, "", "COMPLETED processed 0 imported 0 errors 0 ", 0},
	} {
		for i, content := range c.objects {
			b.put(t, fmt.Sprintf("%s/%d", name, i), content)
		}
		in := source(name, name+"/")
		in.InputCompressionType = c.compression
		if got := counts(b.run(t, in)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if got := len(b.items(t, name)); got != c.items {
			t.Errorf("%s: the table has %d items, want %d", name, got, c.items)
		}
	}
}

// TestImportsFail imports what has no bucket (aws-controllers-k8s/dynamodb-controller, 2026-10): there is no table.
func TestImportsFail(t *testing.T) {
	t.Parallel()
	b := newImportBucket(t)
	for code, change := range map[string]func(*types.S3BucketSource){
		"S3NoSuchBucket": func(s *types.S3BucketSource) { s.S3Bucket = aws.String("absent") },
		"S3AccessDenied": func(s *types.S3BucketSource) { s.S3BucketOwner = aws.String("111111111111") },
	} {
		in := source("orders", "")
		change(in.S3BucketSource)
		d := b.run(t, in)
		if got := counts(d); got != "FAILED processed 0 imported 0 errors 0 "+code || d.TableId == nil ||
			!strings.Contains(aws.ToString(d.FailureMessage), "(Service: Amazon S3; Status Code: 40") {
			t.Errorf("%s, %s", got, aws.ToString(d.FailureMessage))
		}
		if got := b.tableStatus(t, "orders"); got != "absent" {
			t.Errorf("after a failed import the table is %s", got)
		}
	}
}

// TestImportedTablesHaveIndexes queries an index of an imported table.
func TestImportedTablesHaveIndexes(t *testing.T) {
	t.Parallel()
	b := newImportBucket(t)
	b.put(t, "a/rows.csv", "p,c,city,n\na,1,Oslo,1\na,2,Rome,2\na,3,Oslo,not a number\n")
	in := source("orders", "a/")
	in.InputFormat = types.InputFormatCsv
	parameters := in.TableCreationParameters
	for name, kind := range map[string]types.ScalarAttributeType{"city": types.ScalarAttributeTypeS,
		"n": types.ScalarAttributeTypeN} {
		parameters.AttributeDefinitions = append(parameters.AttributeDefinitions,
			types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: kind})
	}
	parameters.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{{IndexName: aws.String("by-city"),
		Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("city"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("n"), KeyType: types.KeyTypeRange}}}}
	if got := counts(b.run(t, in)); got != "FAILED processed 3 imported 2 errors 1 ItemValidationError" {
		t.Fatal(got)
	}
	got, err := b.client.Query(t.Context(), &dynamodb.QueryInput{TableName: aws.String("orders"),
		IndexName: aws.String("by-city"), KeyConditionExpression: aws.String("city = :c"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":c": word("Oslo")}})
	if err != nil || len(got.Items) != 1 || !reflect.DeepEqual(got.Items[0]["n"], number("1")) {
		t.Errorf("%+v, %v", got, err)
	}
}
