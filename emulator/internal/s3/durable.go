package s3

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
)

// What a response acknowledges survives a power cut: the content of a file is synced before the file gets its name, and
// then the folders that lead to the name. A temporary folder does not outlive the process, and is not synced.

// syncFile syncs the content of a file that is open for writing.
func (s *Store) syncFile(f *os.File) error {
	if s.config.Dir == "" {
		return nil
	}
	return s.sync(f)
}

// syncFolders syncs a folder, and those above it.
func (s *Store) syncFolders(root *os.Root, dir string) error {
	for {
		if err := s.syncFolder(func() (*os.File, error) { return root.Open(dir) }); err != nil {
			return storageError(err)
		}
		if dir == "." {
			return nil
		}
		dir = path.Dir(dir)
	}
}

// syncFolder syncs one folder. Windows cannot.
func (s *Store) syncFolder(open func() (*os.File, error)) error {
	if s.config.Dir == "" || runtime.GOOS == "windows" {
		return nil
	}
	f, err := open()
	if errors.Is(err, fs.ErrNotExist) { // it was empty, and another request has removed it
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(s.sync(f), f.Close())
}

// makeDir creates a folder, and those above it.
func (s *Store) makeDir(dir string) error {
	var missing []string
	for parent := dir; ; parent = filepath.Dir(parent) {
		if _, err := os.Stat(parent); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, parent)
	}
	if err := os.MkdirAll(dir, private); err != nil {
		return err
	}
	for _, created := range slices.Backward(missing) {
		if err := s.syncFolder(func() (*os.File, error) { return os.Open(filepath.Dir(created)) }); err != nil {
			return err
		}
	}
	return nil
}

// replaceFile replaces a file in a folder that it creates. After a crash the file is the old one or the new one. It
// lasts once the folders are synced.
func (s *Store) replaceFile(root *os.Root, name string, content []byte) error {
	if err := root.MkdirAll(path.Dir(name), private); err != nil {
		return storageError(err)
	}
	f, err := root.OpenFile(name+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return storageError(err)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, s.syncFile(f), f.Close()); err == nil {
		err = root.Rename(name+".new", name)
	}
	if err != nil {
		return storageError(err)
	}
	return nil
}
