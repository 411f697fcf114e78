package emulator_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
	"github.com/tabletop-db/tabletop/internal/model/cost"
)

// usageOf returns an emulator's usage of a table, by kind; that of GB in bytes.
func usageOf(t *testing.T, e *emulator.Emulator, table string) map[cost.Kind]float64 {
	t.Helper()
	var u cost.Usage
	get(t, e.DynamoDBURL()+"/_tabletop/cost/usage", &u)
	used := map[cost.Kind]float64{}
	for _, l := range u.Lines {
		if l.Table != table {
			continue
		}
		if used[l.Kind] = l.Quantity.Float(); l.Kind.Unit() == "GB" {
			used[l.Kind] = math.Round(l.Quantity.Float() * (1 << 30))
		}
	}
	return used
}

// expectUsage fails the test unless the usage of the kinds is that.
func expectUsage(t *testing.T, got, want map[cost.Kind]float64) {
	t.Helper()
	for kind, quantity := range want {
		if got[kind] != quantity {
			t.Errorf("%s: %v, want %v", kind, got[kind], quantity)
		}
	}
}

// TestTransfersAreBilled exports, imports and restores a table and puts objects into it. Each is billed by the bytes
// that its description has.
func TestTransfersAreBilled(t *testing.T) {
	t.Parallel()
	x := newExportedTable(t, console.Option())
	b := importBucket(x)
	put(t, x.client, "orders", map[string]types.AttributeValue{"pk": word("a"), "note": word(strings.Repeat("x", 2000))})
	full := x.export(t, &dynamodb.ExportTableToPointInTimeInput{})
	x.advance(t, time.Hour)
	changes := x.export(t, &dynamodb.ExportTableToPointInTimeInput{ExportType: types.ExportTypeIncrementalExport,
		IncrementalExportSpecification: &types.IncrementalExportSpecification{ExportFromTime: aws.Time(exportNoon),
			ExportToTime: aws.Time(exportNoon.Add(30 * time.Minute))}})
	expectUsage(t, usageOf(t, x.emulator, "orders"), map[cost.Kind]float64{
		cost.Exported: float64(*full.BilledSizeBytes), cost.ExportedChanges: float64(*changes.BilledSizeBytes)})
	if *full.BilledSizeBytes == 0 || *changes.BilledSizeBytes < 10_000_000 {
		t.Errorf("exports of %d and %d bytes", *full.BilledSizeBytes, *changes.BilledSizeBytes)
	}

	if _, err := b.objects.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String("imports")}); err != nil {
		t.Fatal(err)
	}
	b.put(t, "in/1.json", gzipOf(t, line("a", 1, "")+strings.Repeat(" ", 5000)+"\n"))
	in := source("new", "in/")
	in.InputCompressionType = types.InputCompressionTypeGzip
	imported := b.run(t, in)
	if got := usageOf(t, x.emulator, "new"); got[cost.Imported] != float64(*imported.ProcessedSizeBytes) ||
		*imported.ProcessedSizeBytes < 5000 {
		t.Errorf("an import of %d bytes is %v", *imported.ProcessedSizeBytes, got)
	}

	b.put(t, "bulk/1.json", `{"Item":{"pk":{"S":"b"},"note":{"S":"xxxx"}}}`+"\n")
	for _, tier := range []types.BulkOperationPerformanceTier{types.BulkOperationPerformanceTierStandard,
		types.BulkOperationPerformanceTierAccelerated} {
		in := bulkPut("bulk/")
		in.PerformanceTier = tier
		if got := b.start(t, in); *got.BulkOperationUsage[0].BulkPutBytes != 11 {
			t.Errorf("%+v", got.BulkOperationUsage)
		}
	}
	expectUsage(t, usageOf(t, x.emulator, "orders"), map[cost.Kind]float64{cost.BulkPuts: 11,
		cost.AcceleratedBulkPuts: 11})

	if _, err := x.client.RestoreTableToPointInTime(t.Context(), &dynamodb.RestoreTableToPointInTimeInput{
		SourceTableName: aws.String("orders"), TargetTableName: aws.String("restored"),
		RestoreDateTime: aws.Time(exportNoon.Add(time.Minute))}); err != nil {
		t.Fatal(err)
	}
	expectUsage(t, usageOf(t, x.emulator, "restored"), map[cost.Kind]float64{
		cost.Restored: float64(*full.BilledSizeBytes)})
}

// TestChangesForKinesisAreBilled counts one unit for each KB of the larger image of a change that is captured: of
// writes, which the header prices too, and of items that expire. A write that changes nothing is not captured.
func TestChangesForKinesisAreBilled(t *testing.T) {
	t.Parallel()
	s := newStreamingTable(t, console.Option(), emulator.WithShowCost(""))
	s.put(t, "id", "0")
	enableDestination(t, s.client, "customer", "changes")
	s.put(t, "id", "1", "note", strings.Repeat("x", 2000)) // two units
	s.put(t, "id", "1")                                    // the same, by the old image
	s.put(t, "id", "1")                                    // none
	if _, err := s.client.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{TableName: aws.String("customer"),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("until"),
			Enabled: aws.Bool(true)}}); err != nil {
		t.Fatal(err)
	}
	it := text("id", "2")
	it["until"] = number("1795262500")
	put(t, s.client, "customer", it) // one unit
	if err := s.emulator.Advance(time.Hour); err != nil {
		t.Fatal(err)
	}
	expectUsage(t, usageOf(t, s.emulator, "customer"), map[cost.Kind]float64{cost.CapturedChanges: 6})
}

// TestInsightsAreBilled counts the rules of a table with a sort key, and two events for each item that is read or
// written while its keys are reported.
func TestInsightsAreBilled(t *testing.T) {
	t.Parallel()
	b := newImportBucket(t, console.Option())
	b.createOrders(t)
	insights := func(index *string, mode types.ContributorInsightsMode) {
		if _, err := b.client.UpdateContributorInsights(t.Context(), &dynamodb.UpdateContributorInsightsInput{
			TableName: aws.String("orders"), IndexName: index, ContributorInsightsMode: mode,
			ContributorInsightsAction: types.ContributorInsightsActionEnable}); err != nil {
			t.Fatal(err)
		}
	}
	insights(nil, types.ContributorInsightsModeAccessedAndThrottledKeys)
	insights(aws.String("owners"), types.ContributorInsightsModeAccessedAndThrottledKeys)
	for _, c := range []string{"1", "2"} { // each two events of the table and one of the index
		put(t, b.client, "orders", map[string]types.AttributeValue{"p": word("a"), "c": number(c), "owner": word("ann")})
	}
	for _, index := range []*string{nil, aws.String("owners")} { // four events of the table, two of the index
		if _, err := b.client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("orders"),
			IndexName: index}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.emulator.Advance(cost.Month); err != nil {
		t.Fatal(err)
	}
	expectUsage(t, usageOf(t, b.emulator, "orders"), map[cost.Kind]float64{cost.InsightEvents: 12, cost.InsightRules: 6})
	insights(nil, types.ContributorInsightsModeThrottledKeys)
	put(t, b.client, "orders", map[string]types.AttributeValue{"p": word("b"), "c": number("1")}) // no event
	if err := b.emulator.Advance(cost.Month); err != nil {
		t.Fatal(err)
	}
	expectUsage(t, usageOf(t, b.emulator, "orders"), map[cost.Kind]float64{cost.InsightEvents: 12,
		cost.InsightRules: 6 + 4})
}

// TestVectorIndexesAreBilled bills the bytes that writes and searches report.
func TestVectorIndexesAreBilled(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, console.Option())
	client := dynamodb.NewFromConfig(e.AWSConfig())
	if _, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{TableName: aws.String("notes"),
		BillingMode: types.BillingModePayPerRequest, AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
		VectorIndexes: []types.VectorIndex{{IndexName: aws.String("near"), Dimensions: aws.Int64(2),
			VectorAttribute:  &types.VectorAttributeDefinition{AttributeName: aws.String("v")},
			DistanceFunction: types.VectorDistanceFunctionCosine,
			Projection:       &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}}}}); err != nil {
		t.Fatal(err)
	}
	put(t, client, "notes", map[string]types.AttributeValue{"id": word("a"),
		"v": &types.AttributeValueMemberL{Value: []types.AttributeValue{number("1"), number("0")}}})
	put(t, client, "notes", text("id", "b")) // is not in the index
	if _, err := client.SearchVectors(t.Context(), &dynamodb.SearchVectorsInput{TableName: aws.String("notes"),
		IndexName: aws.String("near"), TopK: aws.Int32(1),
		SearchVector: []types.AttributeValue{number("1"), number("0")}}); err != nil {
		t.Fatal(err)
	}
	expectUsage(t, usageOf(t, e, "notes"), map[cost.Kind]float64{cost.VectorWrites: 1024, cost.VectorSearches: 1024})
}
