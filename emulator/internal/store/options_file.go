package store

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// optionsPrefix begins the name of the files in which Pebble keeps the options that a database was opened with. Each
// opening writes a new one. Pebble reads the newest only to refuse options that differ in the order of keys, the
// merging of values or the place of the logs (pebble.Options.CheckCompatibility), which ours never do; it opens a
// database without such a file.
const optionsPrefix = "OPTIONS-"

// examineOptions finds OPTIONS files because of which Pebble would refuse the database. They are not damage: nothing in
// them is needed, and they are written again.
func (f *folder) examineOptions(e *examination, m *marker) error {
	files, err := f.decrypted(f.fs, m.key)
	if err != nil {
		return err
	}
	names, err := f.fs.List(f.data())
	if err != nil {
		return err
	}
	settings := &pebble.Options{}
	settings.EnsureDefaults()
	for _, name := range names {
		if !strings.HasPrefix(name, optionsPrefix) {
			continue
		}
		text, err := readFile(files, filepath.Join(f.data(), name))
		if err == nil {
			err = settings.CheckCompatibility(f.data(), string(text))
		}
		if err != nil {
			f.hidden = append(f.hidden, name)
			e.findings = append(e.findings, Finding{File: filepath.Join(dataDir, name), Note: true,
				Problem: "is damaged; the next start rewrites it: it contains settings of the database, and no data"})
		}
	}
	return nil
}

// removeHidden removes damaged OPTIONS files from a folder that is about to be opened for writing.
func (f *folder) removeHidden() error {
	for _, name := range f.hidden {
		if err := f.fs.Remove(filepath.Join(f.data(), name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		f.logger.Warn(
			"a file of the data folder was damaged and is rewritten: it contains settings of the database, and no data",
			"folder", f.dir, "file", name)
	}
	f.hidden = nil
	return nil
}

// hidingFS is a file system that hides some files.
type hidingFS struct {
	vfs.FS
	hidden []string // names, in any folder
}

// List implements vfs.FS.
func (fs hidingFS) List(dir string) ([]string, error) {
	names, err := fs.FS.List(dir)
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(fs.hidden, name) }), err
}

// Unwrap implements vfs.FS.
func (fs hidingFS) Unwrap() vfs.FS { return fs.FS }
