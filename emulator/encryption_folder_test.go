package emulator_test

import (
	"path/filepath"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestDoctorDecryptsSealedValues checks folders with a table that a customer managed key encrypts, and backups taken of
// them while in use: each sealed value is opened, or counted if the key is disabled, and a backup is read with the root
// key.
func TestDoctorDecryptsSealedValues(t *testing.T) {
	t.Parallel()
	const items = 10
	for name, disabled := range map[string]bool{"usable": false, "disabled": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, rootKey := t.TempDir(), filepath.Join(t.TempDir(), "root.key")
			backup := filepath.Join(t.TempDir(), "backup")
			d := newEncryptedEmulator(t, emulator.WithData(dir), emulator.WithRootKey(rootKey))
			if _, err := d.makeEncrypted("secrets", d.key); err != nil {
				t.Fatal(err)
			}
			d.fill(t, "secrets", items)
			if disabled {
				d.disable(t)
			}
			if _, err := d.BackUp(t.Context(), backup); err != nil {
				t.Fatal(err)
			}
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
			for _, folder := range []string{dir, backup} {
				checkSealed(t, folder, rootKey, 3*items, disabled) // items, entries of the index, changes
			}
			if _, err := emulator.CheckFolder(backup, ""); !emulator.FolderRefused(err) {
				t.Errorf("without its root key the backup is examined: %v", err)
			}
			restored := openEncryptedEmulator(emulator.Run(t, emulator.WithData(backup), emulator.WithRootKey(rootKey),
				emulator.WithManualClock(noon))) // by today's clock the table would be archived
			if restored.key = d.key; disabled {
				restored.enable(t)
				restored.advance(t, 0)
			}
			if n := count(t, restored.tables, "secrets"); n != items {
				t.Errorf("%d of %d items are in the backup", n, items)
			}
		})
	}
}

func checkSealed(t *testing.T, dir, rootKey string, values int64, disabled bool) {
	t.Helper()
	report, err := emulator.CheckFolder(dir, rootKey)
	if err != nil || report.Damaged {
		t.Fatalf("the doctor says %+v, %v", report, err)
	}
	opened, sealed := values, int64(0)
	if disabled {
		opened, sealed = 0, values
	}
	if report.Opened != opened || report.Sealed != sealed {
		t.Errorf("of %s %d values were opened and %d not, want %d and %d", dir, report.Opened, report.Sealed, opened, sealed)
	}
}
