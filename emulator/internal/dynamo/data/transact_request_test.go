package data

import (
	"bytes"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// TestFingerprintsDoNotDependOnKeptSizes holds that a transaction is recognized by its token although an older program,
// whose items did not keep their size, has run it.
func TestFingerprintsDoNotDependOnKeptSizes(t *testing.T) {
	t.Parallel()
	it, err := item.ParseItem(`{"pk":{"S":"a"},"n":{"N":"12"}}`)
	if err != nil {
		t.Fatal(err)
	}
	plain, kept := transactAction{kind: "Put"}, transactAction{kind: "Put"}
	plain.Item.Value, kept.Item.Value = it, item.Value(bytes.Clone(it)).KeepSize()
	if fingerprint([]transactAction{plain}) != fingerprint([]transactAction{kept}) {
		t.Error("the fingerprints differ")
	}
}
