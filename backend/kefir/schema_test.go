package kefir

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/internal/model/tablefile"
)

// TestSchemaIsLocked fails when the table changes without a new version, and checks that 1.1.0 can serve what was
// written under 1.0.0.
func TestSchemaIsLocked(t *testing.T) {
	t.Parallel()
	for version, s := range map[string]tables.Schema{Checksum: Schema(""), DocumentedChecksum: DocumentedSchema("",
		DefaultStage)} {
		if got := tables.Checksum(s); got != version {
			t.Errorf("the table changed but the version is still %s: give the change a new version and the checksum %s",
				s.Version, got)
		}
	}
	if err := tables.Compatible(DocumentedSchema("", DefaultStage), Schema("")); err != nil {
		t.Error(err)
	}
	if got := StageSchema("p-", "prod").Tables[0].Name(); got != "p-kefir-app-prod-table" {
		t.Errorf("the table of prod is %s", got)
	}
}

// TestDescriptionMatchesSchema creates the table of the locked schema and checks that it matches the description in
// both directions.
func TestDescriptionMatchesSchema(t *testing.T) {
	t.Parallel()
	config := dbtest.Config(t)
	const prefix = "described-"
	if err := tables.Create(t.Context(), dynamodb.NewFromConfig(config), Schema(prefix).Tables); err != nil {
		t.Fatal(err)
	}
	f, err := tablefile.Parse("tables.yaml", Description())
	if err != nil {
		t.Fatal(err)
	}
	target, err := tablefile.NewTarget(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	p, err := target.Compare(t.Context(), f.WithPrefix(prefix), tablefile.Options{})
	if err != nil || len(p.Steps)+len(p.Refused)+len(p.Kept) > 0 || len(p.Unchanged) != 1 {
		t.Errorf("%v %+v", err, p)
	}
}

// TestItemsKeepSchema reads back one item of each kind: every attribute is documented and has its type, and the indexes
// contain what they should (KF-R6).
func TestItemsKeepSchema(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.want(201, w.ana("PUT", "/profile", object{"email": "ana@example.com", "name": "Ana",
		"preferences": object{"notificationsEnabled": true}}))
	id := w.batch("ana")
	w.want(200, w.ana("POST", "/batches/"+id+"/stage", newStage()))
	w.reminder("ana", id, time.Hour)
	w.want(201, w.ana("PUT", "/devices/phone", object{"platform": "ios", "pushToken": "ExponentPushToken[1]",
		"deviceInfo": object{"model": "X"}}))
	table := Schema(w.prefix).Tables[0]
	out, err := w.client.Scan(t.Context(), &dynamodb.ScanInput{TableName: table.Create.TableName})
	if err != nil || len(out.Items) != 5 {
		t.Fatalf("%d items, %v", len(out.Items), err)
	}
	for _, in := range out.Items {
		kind := recordKind(ddb.Text(in["SK"]))
		for name, value := range in {
			a, ok := table.Attribute(name)
			if got := strings.TrimPrefix(fmt.Sprintf("%T", value), "*types.AttributeValueMember"); !ok || got != a.Type {
				t.Errorf("%s: %s is stored as %s, documented as %q", kind, name, got, a.Type)
			}
		}
		if _, indexed := in["GSI1PK"]; indexed != (kind == "batch" || kind == "reminder") {
			t.Errorf("%s: in GSI1 %v", kind, indexed)
		}
		if add := AddedKeys(in); len(add) != 0 {
			t.Errorf("%s lacks %v", kind, add)
		}
		old := maps.Clone(in) // as 1.0.0 wrote it
		for _, name := range []string{"GSI2PK", "GSI2SK", "GSI3PK", "GSI3SK"} {
			delete(old, name)
		}
		maps.Copy(old, AddedKeys(old))
		if !reflect.DeepEqual(old, in) {
			t.Errorf("%s: after the migration %v, want %v", kind, old, in)
		}
	}
}
