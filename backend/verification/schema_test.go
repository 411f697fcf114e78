package verification

import (
	"bytes"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/model/tablefile"
)

// TestSchemaIsLocked fails when the table definition changes without a new version.
func TestSchemaIsLocked(t *testing.T) {
	t.Parallel()
	if got := tables.Checksum(Schema("")); got != Checksum {
		t.Errorf("the table definition changed but the version is still %s.\n"+
			"Give the change a new Version and the Checksum %s, if tables.Compatible lets it pass.", Version, got)
	}
}

// TestDescriptionMatchesSchema creates the table of the locked schema and checks that the description adds only the
// recovery and the key of contact data.
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
	if err != nil || len(p.Refused)+len(p.Kept) > 0 {
		t.Errorf("%v %+v", err, p)
	}
	if len(p.Steps) != 2 {
		t.Errorf("%d steps: %+v", len(p.Steps), p.Steps)
	}
}

// TestIdentitiesAreValid starts an emulator with the identities.
func TestIdentitiesAreValid(t *testing.T) {
	t.Parallel()
	emulator.Run(t, emulator.WithIdentitiesFrom(bytes.NewReader(Identities())))
}

// TestCheckRegion checks that only Cape Town is accepted, whatever the endpoint (VR-R9).
func TestCheckRegion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		region, endpoint string
		good             bool
	}{
		{"af-south-1", "", true}, {"af-south-1", "http://127.0.0.1:8000", true},
		{"af-south-1", "https://dynamodb.af-south-1.amazonaws.com", true},
		{"af-south-1", "https://123456789012.ddb.af-south-1.amazonaws.com", true},
		{"af-south-1", "https://dynamodb.af-south-1.api.aws", true},
		{"eu-west-1", "", false}, {"", "", false}, {"eu-west-1", "http://127.0.0.1:8000", false}, {"AF-SOUTH-1", "", false},
		{"af-south-1", "https://dynamodb.eu-west-1.amazonaws.com", false},
		{"af-south-1", "https://DYNAMODB.US-EAST-1.AMAZONAWS.COM", false},
		{"af-south-1", "https://af-south-1.example.eu-west-1.api.aws", false},
		{"af-south-1", "https://vpce-1.dynamodb.af-south-1.vpce.amazonaws.com", true}, {"af-south-1", "http://%", false},
	} {
		if err := checkRegion(c.region, c.endpoint); (err == nil) != c.good {
			t.Errorf("%s %s: %v", c.region, c.endpoint, err)
		}
	}
}
