//go:build unix

package wholefile

import (
	"errors"
	"os"
)

// SyncDir makes creations, renames and removals in a folder survive a power cut.
func SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
