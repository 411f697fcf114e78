package telemetry

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/internal/model/tablefile"
)

// TestDescriptionMatchesSchema creates the tables of the locked schema and checks that they match the description in
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
	if err != nil || len(p.Steps)+len(p.Refused)+len(p.Kept) > 0 || len(p.Unchanged) != len(Schema("").Tables) {
		t.Errorf("%v %+v", err, p)
	}
}
