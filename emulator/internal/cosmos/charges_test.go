package cosmos

import (
	"math"
	"os"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"gopkg.in/yaml.v3"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
)

// publishedCharge is a published charge. Sizes are in kilobytes.
type publishedCharge struct {
	Source, What        string
	Read, Write         float64
	Strong              bool
	Create, Replace     string
	Query               *struct{ Documents, Loaded, Output, Indexes, Calls float64 }
	Expected, Tolerance float64
}

func (p *publishedCharge) ours(t *testing.T) float64 {
	t.Helper()
	made := func(text string) *engine.Item {
		container, err := doc.Parse([]byte(`{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`))
		if err != nil {
			t.Fatal(err)
		}
		v, err := doc.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		def, problem := engine.ParseDefinition(container)
		if problem != nil {
			t.Fatal(problem)
		}
		i, problem := engine.NewItem(def, v)
		if problem != nil {
			t.Fatal(problem)
		}
		return i
	}
	switch {
	case p.Read > 0:
		return (&operation.Run{QuorumRead: p.Strong}).ReadCost(throughput.ChargeRead(int(p.Read * throughput.Kilobyte)))
	case p.Write > 0:
		return throughput.BySize(throughput.WriteFigures, int(p.Write*throughput.Kilobyte))
	case p.Create != "":
		return engine.ChargeWrite(made(p.Create))
	case p.Replace != "":
		return engine.ChargeReplace(made(p.Replace))
	}
	q := p.Query
	return throughput.ChargeQuery(throughput.QueryReads{Documents: int(q.Documents),
		Bytes: int(q.Loaded * throughput.Kilobyte), Output: int(q.Output * throughput.Kilobyte), Lookups: int(q.Indexes),
		Calls: int(q.Calls)})
}

func TestChargesAreCloseToPublishedFigures(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/charges.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []publishedCharge
	if err := yaml.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("%d charges", len(all))
	}
	for _, p := range all {
		ours := p.ours(t)
		if off := math.Abs(ours/p.Expected - 1); off > p.Tolerance+1e-9 || p.Source == "" {
			t.Errorf("%s: %.2f RU, not %.2f (%.1f %% off)\n\t%s", p.What, ours, p.Expected, 100*off, p.Source)
		}
	}
}

// TestChargesMatchRecordings repeats some of the requests recorded from the live account.
func TestChargesMatchRecordings(t *testing.T) {
	t.Parallel()
	items := newTestService(t).newContainer(t, "kv")
	key := azcosmos.NewPartitionKeyString("a")
	near := func(what string, got float32, want float64) {
		if math.Abs(float64(got)-want) > 0.06 {
			t.Errorf("%s: %v RU, not %v", what, got, want)
		}
	}
	made, err := items.CreateItem(t.Context(), key, []byte(`{"id":"d1","pk":"a","n":1,"s":"x1"}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	near("create", made.RequestCharge, 6.67)
	read, err := items.ReadItem(t.Context(), key, "d1", nil)
	if err != nil {
		t.Fatal(err)
	}
	near("read", read.RequestCharge, 1)
	near("SELECT *", chargeOf(t, items, "SELECT * FROM c"), 2.26)
	replaced, err := items.UpsertItem(t.Context(), key, []byte(`{"id":"d1","pk":"a","n":2,"s":"x2"}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	near("upsert", replaced.RequestCharge, 10.67)
	gone, err := items.DeleteItem(t.Context(), key, "d1", nil)
	if err != nil {
		t.Fatal(err)
	}
	near("delete", gone.RequestCharge, 6.67)
	if _, err := items.CreateItem(t.Context(), key,
		[]byte(`{"id":"ord1","pk":"a","zeta":1,"alpha":2,"mid":3,"b":4,"abcdef":5,"nu":null,"obj":{"a":{"b":1}}}`),
		nil); err != nil {
		t.Fatal(err)
	}
	near("by id", chargeOf(t, items, "SELECT c.zeta, c.alpha, c.mid, c.b, c.abcdef, c.nu FROM c WHERE c.id = 'ord1'"),
		2.83)
}

func chargeOf(t *testing.T, items *azcosmos.ContainerClient, query string) float32 {
	t.Helper()
	page, err := items.NewQueryItemsPager(query, azcosmos.NewPartitionKey(), nil).NextPage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return page.RequestCharge
}
