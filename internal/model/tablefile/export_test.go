package tablefile

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestConsoleExports parses what the web console exports as tables.yaml; the console's own tests compare these files.
func TestConsoleExports(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]Table{
		"provisioned": {Name: "shop.orders-2", Key: KeySchema{KeyAttributes{"customer"}, KeyAttributes{"placed"}},
			Attributes: map[string]string{"amount": "N", "no": "B", "placed": "N"}, Billing: Provisioned,
			Throughput: &Capacity{5, 6}, Class: InfrequentAccess, Indexes: []Index{
				{Name: "by-number", Key: KeySchema{Partition: KeyAttributes{"no"}}, Throughput: &Capacity{2, 3},
					Project: Projection{Include: []string{"total", `it's ${x} "1"`}}},
				{Name: "by-amount", Key: KeySchema{KeyAttributes{"customer"}, KeyAttributes{"amount"}}, Local: true,
					Project: Projection{KeysOnly: true}}},
			TTL: "expires", RecoveryDays: 7, Stream: "new-and-old-images", DeletionProtection: true,
			Encryption: "arn:aws:kms:us-east-1:000000000000:key/1234abcd-12ab-34cd-56ef-1234567890ab",
			Tags:       map[string]string{"cost centre": "7", "team": "Shop: Süd"}},
		"ondemand": {Name: "places", Key: KeySchema{Partition: KeyAttributes{"id"}}, Billing: OnDemand, Class: Standard,
			Encryption: Owned, Throughput: &Capacity{Read: 1000}, Indexes: []Index{
				{Name: "by-place", Key: KeySchema{KeyAttributes{"country", "city"}, KeyAttributes{"street"}}}}},
	} {
		text, err := os.ReadFile("../../../emulator/internal/webconsole/ui/src/export/testdata/" + name + ".tables.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]Table{want}, parsed(t, string(text)).Tables); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestConsoleExportsAreTables creates the table that the web console exports with only one maximum, and adds such an
// index.
func TestConsoleExportsAreTables(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../emulator/internal/webconsole/ui/src/export/testdata/ondemand.tables.yaml")
	if err != nil {
		t.Fatal(err)
	}
	target, f := startEmulator(t), parsed(t, string(text))
	apply(t, target, f, Options{})
	f.Tables[0].Indexes = append(f.Tables[0].Indexes, Index{Name: "by-street",
		Key: KeySchema{Partition: KeyAttributes{"street"}}, Throughput: &Capacity{Write: 7}})
	apply(t, target, f, Options{})
	if again := apply(t, target, f, Options{}); len(again) > 0 {
		t.Errorf("the table still differs: %q", again)
	}
}
