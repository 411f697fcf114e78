package emulator_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/kms"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestKeysAreOnTheSamePort creates a key, and restores it with a snapshot.
func TestKeysAreOnTheSamePort(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	keys, ctx := kms.NewFromConfig(e.AWSConfig()), context.Background()
	made, err := keys.CreateKey(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	before, err := e.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Reset(); err != nil {
		t.Fatal(err)
	}
	if _, err := keys.DescribeKey(ctx, &kms.DescribeKeyInput{KeyId: made.KeyMetadata.KeyId}); err == nil {
		t.Error("the key outlived a reset")
	}
	if err := e.Restore(before); err != nil {
		t.Fatal(err)
	}
	if _, err := keys.DescribeKey(ctx, &kms.DescribeKeyInput{KeyId: made.KeyMetadata.KeyId}); err != nil {
		t.Error(err)
	}
}

// TestASnapshotOfAFolderIsWholeInMemory restores items that are sealed in a folder on an emulator in memory, with their
// keys.
func TestASnapshotOfAFolderIsWholeInMemory(t *testing.T) {
	t.Parallel()
	d := newEncryptedEmulator(t, emulator.WithData(t.TempDir()))
	if _, err := d.makeEncrypted("orders", d.key); err != nil {
		t.Fatal(err)
	}
	d.fill(t, "orders", 3)
	state, err := d.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	other := openEncryptedEmulator(emulator.Run(t, emulator.WithManualClock(noon)))
	other.key = d.key
	if err := other.Restore(state); err != nil {
		t.Fatal(err)
	}
	other.fill(t, "orders", 5)
	if n := count(t, other.tables, "orders"); n != 5 {
		t.Errorf("%d items are there", n)
	}
	other.disable(t)
	if err := other.readable("orders"); err == nil {
		t.Error("the table does not follow its key")
	}
	if err := other.Reset(); err != nil {
		t.Fatal(err)
	}
	if err := d.readable("orders"); err != nil {
		t.Errorf("in the folder: %v", err)
	}
}
