package emulator_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestAFolderIsEncryptedByOption opens folders with and without encryption: both stay as they were created, and
// WithEncryption is refused for an unencrypted folder.
func TestAFolderIsEncryptedByOption(t *testing.T) {
	t.Parallel()
	for name, encrypted := range map[string]bool{"plain": false, "encrypted": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			opts := []emulator.Option{emulator.WithData(dir)}
			if encrypted {
				opts = append(opts, emulator.WithEncryption())
			}
			for range 2 { // the second time without WithEncryption
				if err := emulator.Run(t, opts...).Close(); err != nil {
					t.Fatal(err)
				}
				opts = opts[:1]
			}
			if _, err := os.Stat(filepath.Join(dir, "root.key")); (err == nil) != encrypted {
				t.Errorf("the root key: %v", err)
			}
			e, err := emulator.Start(emulator.WithData(dir), emulator.WithEncryption())
			if encrypted && err == nil {
				err = e.Close()
			}
			if encrypted && err != nil || !encrypted && (!emulator.FolderRefused(err) || !strings.Contains(err.Error(),
				"is not encrypted: open it without --encrypt-data")) {
				t.Errorf("asked for encryption: %v", err)
			}
		})
	}
}
