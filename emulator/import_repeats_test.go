package emulator_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestImportsAreIdempotent repeats requests with a client token: at once, as SDKs do; after the import, when the table
// is there; and after the table was deleted (aws-controllers-k8s/dynamodb-controller, 2026-10).
func TestImportsAreIdempotent(t *testing.T) {
	t.Parallel()
	b := newImportBucket(t)
	b.put(t, "a/1", line("v", 1, ""))
	token := func(table, prefix string) *dynamodb.ImportTableInput {
		in := source(table, prefix)
		in.ClientToken = aws.String("token")
		return in
	}
	first := b.run(t, token("orders", "a/"))
	again, err := b.client.ImportTable(t.Context(), token("orders", "b/"))
	if err != nil || *again.ImportTableDescription.ImportArn != *first.ImportArn ||
		*again.ImportTableDescription.S3BucketSource.S3KeyPrefix != "a/" {
		t.Errorf("at once: %+v, %v", again, err)
	}
	var conflict *types.ImportConflictException
	if _, err := b.client.ImportTable(t.Context(), token("others", "a/")); !errors.As(err, &conflict) ||
		conflict.ErrorMessage() != "Import conflict: Duplicate request detected with conflicting parameters" {
		t.Errorf("another table: %v", err)
	}
	if err := b.emulator.Advance(2 * time.Minute); err != nil {
		t.Fatal(err)
	}
	var used *types.ResourceInUseException
	if _, err := b.client.ImportTable(t.Context(), token("orders", "a/")); !errors.As(err, &used) ||
		used.ErrorMessage() != "Table already exists: orders" {
		t.Errorf("after the import: %v", err)
	}
	if _, err := b.client.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{
		TableName: aws.String("orders")}); err != nil {
		t.Fatal(err)
	}
	again, err = b.client.ImportTable(t.Context(), token("orders", "a/"))
	if err != nil || *again.ImportTableDescription.ImportArn != *first.ImportArn {
		t.Errorf("after the table: %+v, %v", again, err)
	}
	if err := b.emulator.Advance(8 * time.Hour); err != nil {
		t.Fatal(err)
	}
	if d := b.run(t, token("orders", "a/")); *d.ImportArn == *first.ImportArn || len(b.items(t, "orders")) != 1 {
		t.Error("the token is valid after eight hours")
	}
	page, err := b.client.ListImports(t.Context(), &dynamodb.ListImportsInput{PageSize: aws.Int32(1)})
	if err != nil || len(page.ImportSummaryList) != 1 || page.NextToken == nil ||
		*page.ImportSummaryList[0].ImportArn == *first.ImportArn {
		t.Fatalf("%+v, %v", page, err)
	}
	page, err = b.client.ListImports(t.Context(), &dynamodb.ListImportsInput{NextToken: page.NextToken,
		TableArn: aws.String(ordersARN)})
	if err != nil || len(page.ImportSummaryList) != 1 || *page.ImportSummaryList[0].ImportArn != *first.ImportArn ||
		page.ImportSummaryList[0].EndTime == nil {
		t.Errorf("the second page: %+v, %v", page, err)
	}
}

// TestImportsTakeTime: with transitional states the table is absent at first, then CREATING, and ACTIVE before the
// import is COMPLETED; another import into the table fails (aws-controllers-k8s/dynamodb-controller, 2026-10).
func TestImportsTakeTime(t *testing.T) {
	t.Parallel()
	b := newImportBucket(t, emulator.WithLikeCloud(emulator.States))
	b.put(t, "a/1", line("v", 1, ""))
	started, err := b.client.ImportTable(t.Context(), source("orders", "a/"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := b.client.ImportTable(t.Context(), source("orders", "a/"))
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for range 200 {
		state := b.tableStatus(t, "orders") + " " + string(b.describe(t, started.ImportTableDescription).ImportStatus)
		if len(seen) == 0 || seen[len(seen)-1] != state {
			seen = append(seen, state)
		}
		if err := b.emulator.Advance(time.Second); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(seen, ", "); got != "absent IN_PROGRESS, CREATING IN_PROGRESS, ACTIVE IN_PROGRESS, "+
		"ACTIVE COMPLETED" && got != "absent IN_PROGRESS, CREATING IN_PROGRESS, ACTIVE COMPLETED" {
		t.Error(got)
	}
	d := b.describe(t, second.ImportTableDescription)
	if took := d.EndTime.Sub(*d.StartTime); aws.ToString(d.FailureCode) != "TableAlreadyExists" || took > 16*time.Second {
		t.Errorf("%s after %s", counts(d), took)
	}
}
