//go:build unix

package store

import (
	"errors"
	"os"
)

// syncDir makes a rename in the folder survive a power cut.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
