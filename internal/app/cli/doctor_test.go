package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestDoctorChecksAndSalvages makes a folder with a table, finds nothing wrong in it, removes its manifest, and
// salvages it.
func TestDoctorChecksAndSalvages(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	withTable(t, dir)
	sound := runCommand(t.Context(), nil, "doctor", dir)
	if sound.status != 0 || !strings.Contains(sound.stdout, "PASS  format 4") {
		t.Errorf("a sound folder: %+v", sound)
	}
	asJSON := runCommand(t.Context(), nil, "doctor", dir, "--output", "json")
	if report := folderReport(t, asJSON); asJSON.status != 0 || report.Damaged || report.Format != 4 ||
		report.Entries == 0 {
		t.Errorf("a sound folder: %+v", asJSON)
	}
	backup := filepath.Join(t.TempDir(), "backup")
	if got := runCommand(t.Context(), nil, "backup", dir, backup); got.status != 0 ||
		!strings.Contains(got.stdout, "PASS") {
		t.Errorf("backup: %+v", got)
	}
	hasItem(t, backup)
	manifests, err := filepath.Glob(filepath.Join(dir, "data", "MANIFEST-*"))
	if err != nil || len(manifests) == 0 {
		t.Fatal("no manifest")
	}
	for _, name := range manifests {
		if err := os.Truncate(name, 20); err != nil {
			t.Fatal(err)
		}
	}
	damaged := runCommand(t.Context(), nil, "doctor", dir)
	if damaged.status != 1 || !strings.Contains(damaged.stdout, "data/MANIFEST-") ||
		!strings.Contains(damaged.stdout, "FAIL") {
		t.Errorf("a damaged folder: %+v", damaged)
	}
	if got := runCommand(t.Context(), nil, "backup", dir, backup+"-2"); got.status != 2 || !strings.Contains(got.stderr,
		"is damaged: data/MANIFEST-") {
		t.Errorf("backup of a damaged folder: %+v", got)
	}
	damaged = runCommand(t.Context(), nil, "doctor", dir, "--output", "json")
	if report := folderReport(t, damaged); damaged.status != 1 || !report.Damaged || len(report.Findings) == 0 {
		t.Errorf("a damaged folder: %+v", damaged)
	}
	to := filepath.Join(t.TempDir(), "new")
	salvaged := runCommand(t.Context(), nil, "doctor", dir, "--salvage", to)
	if salvaged.status != 0 || !strings.Contains(salvaged.stdout, `1  table "orders"`) {
		t.Errorf("salvage: %+v", salvaged)
	}
	hasItem(t, to)
	salvaged = runCommand(t.Context(), nil, "doctor", dir, "--salvage", to+"-2", "--output", "json")
	if report := folderReport(t, salvaged); salvaged.status != 0 || len(report.Kept) == 0 || !report.Unsure {
		t.Errorf("salvage: %+v", salvaged)
	}
}

// folderReport returns the report that a command printed as JSON.
func folderReport(t *testing.T, got outcome) (r emulator.FolderReport) {
	t.Helper()
	if err := json.Unmarshal([]byte(got.stdout), &r); err != nil {
		t.Fatalf("%v: %+v", err, got)
	}
	return r
}

// withTable makes a data folder with one item in a table.
func withTable(t *testing.T, dir string) {
	t.Helper()
	db, err := emulator.Start(emulator.WithData(dir))
	if err != nil {
		t.Fatal(err)
	}
	putItem(t, db, "1")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func putItem(t *testing.T, db *emulator.Emulator, id string) {
	t.Helper()
	client := dynamodb.NewFromConfig(db.AWSConfig())
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("orders"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"),
			AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String("orders"), Item: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// hasItem starts an emulator on a folder and checks that the item can be read.
func hasItem(t *testing.T, dir string) {
	t.Helper()
	db, err := emulator.Start(emulator.WithData(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	got, err := dynamodb.NewFromConfig(db.AWSConfig()).GetItem(t.Context(), &dynamodb.GetItemInput{
		TableName: aws.String("orders"), Key: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "1"}},
	})
	if err != nil || len(got.Item) != 1 {
		t.Errorf("the item is %v, %v", got, err)
	}
}
