package devicetoken

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/internal/model/tablefile"
)

// TestSchemaIsLocked fails when a table definition changes without a new version.
func TestSchemaIsLocked(t *testing.T) {
	t.Parallel()
	if got := tables.Checksum(Schema("", "")); got != Checksum {
		t.Errorf("the table definition changed but the version is still %s.\n"+
			"Give the change a new Version and the Checksum %s, if tables.Compatible lets it pass.", Version, got)
	}
	if Version != "1.0.0" {
		t.Errorf("version %s: record the checksum of each released version here, so that it stays locked", Version)
	}
	if got := Schema("p-", "stage").Tables[0].Name(); got != "p-photoeditor-stage-device-tokens" {
		t.Errorf("the table of stage is called %s", got)
	}
}

// TestDescriptionMatchesSchema creates the table of the description, and checks that the schema accepts it as its own
// and that everything in the description exists: a second run has nothing to do.
func TestDescriptionMatchesSchema(t *testing.T) {
	t.Parallel()
	config := dbtest.Config(t)
	const prefix = "described-"
	for _, description := range [][]byte{Description(), ActiveIndexDescription()} {
		f, err := tablefile.Parse("tables.yaml", description)
		if err != nil {
			t.Fatal(err)
		}
		target, err := tablefile.NewTarget(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		p, err := target.Compare(t.Context(), f.WithPrefix(prefix), tablefile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Do(t.Context(), target, nil); err != nil || len(target.Notes) > 0 {
			t.Fatal(err, target.Notes)
		}
		p, err = target.Compare(t.Context(), f.WithPrefix(prefix), tablefile.Options{})
		if err != nil || len(p.Steps)+len(p.Refused) > 0 {
			t.Errorf("%v %+v", err, p)
		}
		client := dynamodb.NewFromConfig(config)
		if err := tables.Create(t.Context(), client, Schema(prefix, "").Tables); err != nil {
			t.Error(err)
		}
		got, err := tables.Describe(t.Context(), client, Schema(prefix, "").Tables)
		if err != nil || got[0].TTLAttribute != "expiresAt" {
			t.Errorf("%+v %v", got, err)
		}
	}
}

// TestItemsKeepSchema compares stored items with the document: every required attribute exists, no undocumented one
// does, and each has its type.
func TestItemsKeepSchema(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *Config) { c.ActiveIndex = true })
	w.want(201, w.as("ana").call("POST", "/devices", phone("one")))
	w.want(201, w.as("ana").call("POST", "/devices", phone("two")))
	w.want(200, w.as("ana").call("POST", "/devices/two/deactivate", nil))
	table := Schema(w.prefix, "").Tables[0]
	items := w.items()
	if len(items) != 2 {
		t.Fatalf("%d items", len(items))
	}
	for _, item := range items {
		for name, value := range item {
			a, ok := table.Attribute(name)
			if got := strings.TrimPrefix(fmt.Sprintf("%T", value), "*types.AttributeValueMember"); !ok || got != a.Type {
				t.Errorf("%s is stored as %s, documented as %q", name, got, a.Type)
			}
		}
		for _, a := range table.Attributes {
			if _, exists := item[a.Name]; a.Required && !exists {
				t.Errorf("required %s is missing", a.Name)
			}
		}
	}
}
