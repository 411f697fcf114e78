package emulator_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/kms"

	"github.com/tabletop-db/tabletop/emulator"
)

// encryptedEmulator is an emulator with a customer managed key.
type encryptedEmulator struct {
	*emulator.Emulator
	tables *dynamodb.Client
	keys   *kms.Client
	key    string // its ARN
}

func newEncryptedEmulator(t *testing.T, opts ...emulator.Option) *encryptedEmulator {
	t.Helper()
	d := openEncryptedEmulator(emulator.Run(t, append(opts, emulator.WithManualClock(noon))...))
	made, err := d.keys.CreateKey(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	d.key = *made.KeyMetadata.Arn
	return d
}

func openEncryptedEmulator(e *emulator.Emulator) *encryptedEmulator {
	return &encryptedEmulator{Emulator: e, tables: client(e), keys: kms.NewFromConfig(e.AWSConfig())}
}

// makeEncrypted creates a table, with an index and a stream, that is encrypted with a key, which may be empty.
func (d *encryptedEmulator) makeEncrypted(name, key string) (*types.TableDescription, error) {
	attribute := func(name string) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: types.ScalarAttributeTypeS}
	}
	hash := func(name string) []types.KeySchemaElement {
		return []types.KeySchemaElement{{AttributeName: aws.String(name), KeyType: types.KeyTypeHash}}
	}
	in := &dynamodb.CreateTableInput{
		TableName: &name, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{attribute("pk"), attribute("city")}, KeySchema: hash("pk"),
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: aws.String("by-city"), KeySchema: hash("city"),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		}},
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true),
			StreamViewType: types.StreamViewTypeNewAndOldImages},
		SSESpecification: &types.SSESpecification{Enabled: aws.Bool(true), SSEType: types.SSETypeKms},
	}
	if key != "" {
		in.SSESpecification.KMSMasterKeyId = &key
	}
	out, err := d.tables.CreateTable(context.Background(), in)
	if err != nil {
		return nil, err
	}
	return out.TableDescription, nil
}

func (d *encryptedEmulator) fill(t *testing.T, table string, n int) {
	t.Helper()
	for i := range n {
		put(t, d.tables, table, text("pk", fmt.Sprintf("recognisable-key-%d", i), "city", "recognisable-city", "note",
			strings.Repeat("recognisable value ", 20)))
	}
}

// describe returns the DescribeTable representation of a table.
func (d *encryptedEmulator) describe(t *testing.T, table string) *types.TableDescription {
	t.Helper()
	out, err := d.tables.DescribeTable(context.Background(), &dynamodb.DescribeTableInput{TableName: &table})
	if err != nil {
		t.Fatal(err)
	}
	return out.Table
}

// readable returns the service's error if an item or the index cannot be read.
func (d *encryptedEmulator) readable(table string) error {
	key := text("pk", "recognisable-key-0")
	_, err := d.tables.GetItem(context.Background(), &dynamodb.GetItemInput{TableName: &table, Key: key,
		ConsistentRead: aws.Bool(true)})
	return err
}

func (d *encryptedEmulator) disable(t *testing.T) {
	t.Helper()
	if _, err := d.keys.DisableKey(context.Background(), &kms.DisableKeyInput{KeyId: &d.key}); err != nil {
		t.Fatal(err)
	}
}

func (d *encryptedEmulator) enable(t *testing.T) {
	t.Helper()
	if _, err := d.keys.EnableKey(context.Background(), &kms.EnableKeyInput{KeyId: &d.key}); err != nil {
		t.Fatal(err)
	}
}

func (d *encryptedEmulator) advance(t *testing.T, by time.Duration) {
	t.Helper()
	if err := d.Advance(by); err != nil {
		t.Fatal(err)
	}
}

// search fails if any file of a folder contains the text.
func search(t *testing.T, dir, text string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte(text)) {
			t.Errorf("%s holds %q", path, text)
		}
		files++
		return err
	})
	if err != nil || files < 5 {
		t.Fatalf("%d files were searched: %v", files, err)
	}
}

// TestATableIsEncryptedByACustomersKey checks that an unencrypted folder reveals nothing of such a table except the
// keys of its items and indexes.
func TestATableIsEncryptedByACustomersKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := newEncryptedEmulator(t, emulator.WithData(dir))
	made, err := d.makeEncrypted("orders", d.key)
	if err != nil {
		t.Fatal(err)
	}
	if sse := made.SSEDescription; sse == nil || sse.Status != types.SSEStatusEnabled || sse.SSEType != types.SSETypeKms ||
		*sse.KMSMasterKeyArn != d.key {
		t.Errorf("the table was made with %+v", sse)
	}
	d.fill(t, "orders", 30)
	search(t, dir, "recognisable value")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	search(t, dir, "recognisable value")
	next := openEncryptedEmulator(emulator.Run(t, emulator.WithData(dir), emulator.WithManualClock(noon)))
	if n := count(t, next.tables, "orders"); n != 30 {
		t.Errorf("%d items came back", n)
	}
	if d := next.describe(t, "orders"); *d.ItemCount != 30 || d.TableStatus != types.TableStatusActive {
		t.Errorf("%d items, %s", *d.ItemCount, d.TableStatus)
	}
}

func TestADisabledKeyMakesItsTablesInaccessible(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string][]emulator.Option{"in memory": nil,
		"in a folder": {emulator.WithData(t.TempDir())}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newEncryptedEmulator(t, opts...)
			if _, err := d.makeEncrypted("orders", d.key); err != nil {
				t.Fatal(err)
			}
			makeTable(t, d.tables, "plain")
			d.fill(t, "orders", 3)
			d.advance(t, time.Minute)
			d.disable(t)
			if err := d.readable("orders"); err == nil || !strings.Contains(err.Error(),
				"ValidationException: KMS key disabled error: com.amazonaws.services.kms.model.DisabledException: "+d.key+
					" is disabled.") {
				t.Errorf("reading: %v", err)
			}
			if err := d.readable("plain"); err != nil {
				t.Errorf("another table: %v", err)
			}
			table := d.describe(t, "orders")
			if table.TableStatus != types.TableStatusInaccessibleEncryptionCredentials ||
				table.SSEDescription.Status != types.SSEStatusEnabled {
				t.Errorf("the table is %s, %s", table.TableStatus, table.SSEDescription.Status)
			}
			if at := table.SSEDescription.InaccessibleEncryptionDateTime; at == nil || !at.Equal(noon.Add(time.Minute)) {
				t.Errorf("since %v", at)
			}
			d.enable(t)
			if n := count(t, d.tables, "orders"); n != 3 {
				t.Errorf("%d items are there", n)
			}
			if table := d.describe(t, "orders"); table.TableStatus != types.TableStatusActive ||
				table.SSEDescription.InaccessibleEncryptionDateTime != nil {
				t.Errorf("the table is %s, inaccessible since %v", table.TableStatus,
					table.SSEDescription.InaccessibleEncryptionDateTime)
			}
		})
	}
}

// TestKeyStateReachesTablesAfterADelay follows a table, minute by minute, as the service was observed.
func TestKeyStateReachesTablesAfterADelay(t *testing.T) {
	t.Parallel()
	d := newEncryptedEmulator(t, emulator.WithLikeCloud(emulator.States))
	if _, err := d.makeEncrypted("orders", d.key); err != nil {
		t.Fatal(err)
	}
	d.advance(t, time.Hour)
	d.disable(t)
	for _, step := range []struct {
		after    time.Duration
		readable bool
		status   types.TableStatus
	}{
		{0, true, types.TableStatusActive},
		{4 * time.Minute, true, types.TableStatusActive},
		{time.Minute, false, types.TableStatusActive},
		{24 * time.Minute, false, types.TableStatusActive},
		{time.Minute, false, types.TableStatusInaccessibleEncryptionCredentials},
		{7 * 24 * time.Hour, false, types.TableStatusArchived},
	} {
		d.advance(t, step.after)
		if err := d.readable("orders"); (err == nil) != step.readable {
			t.Errorf("%v later: %v", step.after, err)
		}
		if got := d.describe(t, "orders").TableStatus; got != step.status {
			t.Errorf("%v later it is %s, want %s", step.after, got, step.status)
		}
	}
	d.enable(t)
	d.advance(t, 24*time.Hour)
	if err := d.readable("orders"); err == nil || d.describe(t, "orders").TableStatus != types.TableStatusArchived {
		t.Errorf("an archived table came back: %v", err)
	}
	if s := d.describe(t, "orders").ArchivalSummary; s == nil ||
		*s.ArchivalReason != "INACCESSIBLE_ENCRYPTION_CREDENTIALS" {
		t.Errorf("%+v", s)
	}
}

func TestKeyDeletionFollowsTheClock(t *testing.T) {
	t.Parallel()
	d := newEncryptedEmulator(t)
	if _, err := d.makeEncrypted("orders", d.key); err != nil {
		t.Fatal(err)
	}
	_, err := d.keys.ScheduleKeyDeletion(context.Background(), &kms.ScheduleKeyDeletionInput{KeyId: &d.key,
		PendingWindowInDays: aws.Int32(7)})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.readable("orders"); err == nil || !strings.Contains(err.Error(), d.key+" is pending deletion.") {
		t.Errorf("reading: %v", err)
	}
	d.advance(t, 7*24*time.Hour)
	if err := d.readable("orders"); err == nil || !strings.Contains(err.Error(), "Key '"+d.key+"' does not exist") {
		t.Errorf("reading: %v", err)
	}
}

// TestFolderOpensWithoutATableKey closes an emulator while the key of a table is disabled, and reads everything
// after the next emulator enables it.
func TestFolderOpensWithoutATableKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := newEncryptedEmulator(t, emulator.WithData(dir))
	if _, err := d.makeEncrypted("orders", d.key); err != nil {
		t.Fatal(err)
	}
	d.fill(t, "orders", 3)
	d.expireItems(t, "orders")
	d.disable(t)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	next := openEncryptedEmulator(emulator.Run(t, emulator.WithData(dir), emulator.WithManualClock(noon.Add(time.Hour))))
	next.key = d.key
	if err := next.readable("orders"); err == nil {
		t.Error("a table without its key can be read")
	}
	next.advance(t, time.Hour) // the expired item remains
	next.enable(t)
	if n := count(t, next.tables, "orders"); n != 3 {
		t.Errorf("%d items are there, want 3 after one expired", n)
	}
	if d := next.describe(t, "orders"); *d.ItemCount != 3 || *d.GlobalSecondaryIndexes[0].ItemCount != 3 {
		t.Errorf("%d items are counted, %d in the index", *d.ItemCount, *d.GlobalSecondaryIndexes[0].ItemCount)
	}
}

// expireItems sets a table's TTL, and adds an item that expires soon.
func (d *encryptedEmulator) expireItems(t *testing.T, table string) {
	t.Helper()
	_, err := d.tables.UpdateTimeToLive(context.Background(), &dynamodb.UpdateTimeToLiveInput{TableName: &table,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: aws.String("until"), Enabled: aws.Bool(true),
		}})
	if err != nil {
		t.Fatal(err)
	}
	item := text("pk", "short", "city", "recognisable-city")
	item["until"] = &types.AttributeValueMemberN{Value: fmt.Sprint(noon.Add(time.Minute).Unix())}
	put(t, d.tables, table, item)
}
