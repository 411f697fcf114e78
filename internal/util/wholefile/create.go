package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Create creates a file that only the current user can read, such as a key. When it returns, the file survives a power
// cut. The file appears with its whole text; until then it has its name with NewSuffix and digits. An existing one is
// never replaced, because another process may have encrypted data with it: the error is fs.ErrExist then.
func Create(name, text string) error { return createBy(os.Link, name, text) }

// createBy is Create with a function that makes links.
func createBy(link func(oldname, newname string) error, name, text string) error {
	temp, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+NewSuffix+"*")
	if err != nil {
		return named(err, name)
	}
	defer os.Remove(temp.Name())
	if err := writeSynced(temp, text); err != nil {
		return err
	}
	err = link(temp.Name(), name)
	if err != nil && !errors.Is(err, fs.ErrExist) { // a file system without links, such as FAT
		err = createInPlace(name, text)
	}
	if err != nil {
		return err
	}
	return SyncDir(filepath.Dir(name))
}

// createInPlace is Create without a link: a crash may leave a part of the text, before anything depends on it.
func createInPlace(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := writeSynced(f, text); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

// writeSynced writes the text of a new file to stable storage, and closes it.
func writeSynced(f *os.File, text string) error {
	_, err := f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close())
}
