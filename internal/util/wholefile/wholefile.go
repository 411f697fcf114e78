// Package wholefile writes files that are complete, or as they were before.
package wholefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write replaces a file, or creates it with that permission, with what write writes. Until it is complete, it has
// another name in the same folder, which begins with a dot. After an error the file is as it was. Two processes must
// not write the same file at once.
func Write(name string, perm fs.FileMode, write func(io.Writer) error) error {
	temporary := filepath.Join(filepath.Dir(name), ".writing-"+filepath.Base(name))
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	if err != nil {
		return err
	}
	if err = errors.Join(write(f), f.Close()); err == nil {
		err = os.Rename(temporary, name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return nil
}
