package emulator_test

import (
	"maps"
	"math/rand/v2"
	"path"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// TestExportedTablesCanBeImported exports a table of random items in both formats, imports the exports, and compares.
func TestExportedTablesCanBeImported(t *testing.T) {
	t.Parallel()
	x := newExportedTable(t)
	b := importBucket(x)
	rng := rand.New(rand.NewPCG(7, uint64(len(t.Name()))))
	for i := range 200 {
		it := map[string]types.AttributeValue{"pk": word(strconv.Itoa(i))}
		for range rng.IntN(4) {
			it[randomText(rng)+"x"] = randomValue(rng, 3)
		}
		put(t, x.client, "orders", it)
	}
	want := b.items(t, "orders")
	for _, format := range []types.ExportFormat{types.ExportFormatDynamodbJson, types.ExportFormatIon} {
		d := x.export(t, &dynamodb.ExportTableToPointInTimeInput{ExportFormat: format})
		table := "imported-" + string(format)
		in := source(table, path.Dir(*d.ExportManifest)+"/data/")
		in.S3BucketSource.S3Bucket = aws.String("exports")
		in.InputFormat, in.InputCompressionType = types.InputFormat(format), types.InputCompressionTypeGzip
		in.TableCreationParameters.AttributeDefinitions = []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS}}
		in.TableCreationParameters.KeySchema = []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}}
		if got := counts(b.run(t, in)); got != "COMPLETED processed 200 imported 200 errors 0 " {
			t.Fatalf("%s: %s", format, got)
		}
		if got := b.items(t, table); !sameItems(got, want) {
			t.Errorf("%s: the items differ", format)
		}
	}
	// The manifests of an export are no items: 4 of its files count as errors (aws-controllers-k8s/dynamodb-controller,
	// 2026-10).
	d := x.export(t, &dynamodb.ExportTableToPointInTimeInput{})
	in := source("whole", path.Dir(*d.ExportManifest)+"/")
	in.S3BucketSource.S3Bucket, in.InputCompressionType = aws.String("exports"), types.InputCompressionTypeGzip
	in.TableCreationParameters.AttributeDefinitions[0].AttributeName = aws.String("pk")
	in.TableCreationParameters.AttributeDefinitions = in.TableCreationParameters.AttributeDefinitions[:1]
	in.TableCreationParameters.KeySchema = in.TableCreationParameters.KeySchema[:1]
	in.TableCreationParameters.KeySchema[0].AttributeName = aws.String("pk")
	if got := counts(b.run(t, in)); got != "FAILED processed 204 imported 200 errors 4 ItemValidationError" {
		t.Error(got)
	}
}

// randomText returns a text of characters that formats escape, among others.
func randomText(rng *rand.Rand) string {
	characters := []rune("aZ09 _$.-+'\"\\/\n\r\t\x00\x1b\x7f\u0085\u2028é日🦑{}[]:,;|")
	text := make([]rune, rng.IntN(8))
	for i := range text {
		text[i] = characters[rng.IntN(len(characters))]
	}
	return string(text)
}

func randomValue(rng *rand.Rand, depth int) types.AttributeValue {
	kinds := 10
	if depth == 0 {
		kinds = 8
	}
	digits := strconv.FormatInt(rng.Int64N(2_000_000)-1_000_000, 10)
	switch rng.IntN(kinds) {
	case 0:
		return number(digits + "e" + strconv.Itoa(rng.IntN(60)-40))
	case 1:
		return &types.AttributeValueMemberB{Value: []byte(randomText(rng))}
	case 2:
		return &types.AttributeValueMemberBOOL{Value: rng.IntN(2) == 0}
	case 3:
		return &types.AttributeValueMemberNULL{Value: true}
	case 4:
		return &types.AttributeValueMemberSS{Value: []string{"a" + randomText(rng), "b" + randomText(rng)}}
	case 5:
		return &types.AttributeValueMemberNS{Value: []string{digits, "0.5"}}
	case 6:
		return &types.AttributeValueMemberBS{Value: [][]byte{[]byte("a" + randomText(rng)), {0xff}}}
	case 8:
		list := make([]types.AttributeValue, rng.IntN(4))
		for i := range list {
			list[i] = randomValue(rng, depth-1)
		}
		return &types.AttributeValueMemberL{Value: list}
	case 9:
		fields := map[string]types.AttributeValue{}
		for range rng.IntN(4) {
			maps.Copy(fields, map[string]types.AttributeValue{"k" + randomText(rng): randomValue(rng, depth-1)})
		}
		return &types.AttributeValueMemberM{Value: fields}
	}
	return word(randomText(rng))
}
