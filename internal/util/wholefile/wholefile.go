// Package wholefile writes files that are complete, or as they were before.
package wholefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// NewSuffix follows the name of a file that is not complete yet.
const NewSuffix = ".new"

// Write replaces a file, or creates it with that permission, with what write writes. Until it is complete, it has
// another name in the same folder, which begins with a dot, and ends in NewSuffix and the process's id. After an error
// the file is as it was. Anything but a regular file, such as a link or /dev/stdout, is written in place, and so is a
// file in a folder where no other can be created.
func Write(name string, perm fs.FileMode, write func(io.Writer) error) error {
	info, err := os.Lstat(name)
	exists := err == nil
	if exists && !info.Mode().IsRegular() {
		return writeTo(name, perm, write)
	}
	if exists {
		if perm = info.Mode().Perm(); perm&0o200 == 0 {
			return &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
		}
	}
	temporary := filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s%s%d", filepath.Base(name), NewSuffix, os.Getpid()))
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	switch {
	case err != nil && exists:
		return writeTo(name, perm, write)
	case err != nil:
		return named(err, name)
	}
	defer os.Remove(temporary) // if it still has this name
	if err := errors.Join(write(f), f.Close()); err != nil {
		return err
	}
	return replace(temporary, name, perm)
}

// replace gives a complete file its name. A mount point, such as a single file that a container shares, keeps its place
// and gets the text.
func replace(temporary, name string, perm fs.FileMode) error {
	err := os.Rename(temporary, name)
	if !errors.Is(err, syscall.EBUSY) {
		return err
	}
	text, err := os.ReadFile(temporary)
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, perm)
}

// named returns an error about the file that the user knows instead of a temporary one.
func named(err error, name string) error {
	if about, ok := errors.AsType[*fs.PathError](err); ok {
		about.Path = name
	}
	return err
}

// writeTo writes a file in place.
func writeTo(name string, perm fs.FileMode, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// WriteFile is os.WriteFile by Write.
func WriteFile(name string, text []byte, perm fs.FileMode) error {
	return Write(name, perm, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}
