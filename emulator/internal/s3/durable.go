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

// syncFolders syncs folders, and those above them, each once.
func (s *Store) syncFolders(root *os.Root, dirs ...string) error {
	synced := map[string]bool{}
	for _, dir := range dirs {
		for ; !synced[dir]; dir = path.Dir(dir) { // the one above "." is "."
			if err := s.syncFolder(func() (*os.File, error) { return root.Open(dir) }); err != nil {
				return storageError(err)
			}
			synced[dir] = true
		}
	}
	return nil
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
	written, err := s.writeFile(root, content, s.syncFile)
	if err != nil {
		return err
	}
	return moveFile(root, written, name)
}

// writeFile writes a temporary file, for moveFile, and returns its name. s.mu must not be locked if sync is
// s.syncFile: all requests would wait for the disk.
func (s *Store) writeFile(root *os.Root, content []byte, sync func(*os.File) error) (name string, err error) {
	f, name, err := createTemporary(root)
	if err != nil {
		return "", err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, sync(f), f.Close()); err != nil {
		_ = root.Remove(name)
		return "", storageError(err)
	}
	return name, nil
}

// createTemporary creates a file that gets its name later.
func createTemporary(root *os.Root) (f *os.File, name string, err error) {
	if err := root.MkdirAll(uploadsDir, private); err != nil {
		return nil, "", storageError(err)
	}
	name = uploadsDir + "/" + newID()
	if f, err = root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600); err != nil {
		return nil, "", storageError(err)
	}
	return f, name, nil
}

// moveFile gives a temporary file its name, in a folder that it creates. If it fails, it removes the file.
func moveFile(root *os.Root, written, name string) error {
	err := root.MkdirAll(path.Dir(name), private)
	if err == nil {
		err = root.Rename(written, name)
	}
	if err != nil {
		_ = root.Remove(written)
		return storageError(err)
	}
	return nil
}

// noSync is for files whose content can be computed again.
func noSync(*os.File) error { return nil }
