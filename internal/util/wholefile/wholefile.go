// Package wholefile writes files that are complete, or as they were before.
package wholefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// NewSuffix follows the name of a file that is not complete yet.
const NewSuffix = ".new"

// Write replaces a file, or creates it with that permission, with what write writes. Until it is complete, it has
// another name in the same folder, which begins with a dot and has another ending. After an error the file is as it
// was. Two processes must not write the same file at once. What is no regular file, such as a link or /dev/stdout, is
// written in place.
func Write(name string, perm fs.FileMode, write func(io.Writer) error) error {
	temporary := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+NewSuffix)
	if info, err := os.Lstat(name); err == nil {
		if info.Mode().IsRegular() {
			perm = info.Mode().Perm()
		} else {
			temporary = name
		}
	}
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	if err != nil {
		if about, ok := errors.AsType[*fs.PathError](err); ok {
			about.Path = name // which the user knows
		}
		return err
	}
	err = errors.Join(write(f), f.Close())
	if temporary == name {
		return err
	}
	if err == nil {
		err = os.Rename(temporary, name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return nil
}

// WriteFile is os.WriteFile by Write.
func WriteFile(name string, text []byte, perm fs.FileMode) error {
	return Write(name, perm, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}
