package store

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/internal/util/wholefile"
)

// CopyFolder checks a folder that no store has open, copies it into a new one, and checks the copy. It refuses a
// damaged folder with an [*OpenError]. The marker is copied last: without it an interrupted copy is refused as
// incomplete. A root key in the folder is copied; one elsewhere is not. The copy is identical to the folder, byte by
// byte, and any store opens it.
func CopyFolder(from Options, to string) (*Report, error) {
	p, err := openForCheck(from)
	if err != nil {
		var refusal *OpenError
		if errors.As(err, &refusal) && refusal.Problem == inUse {
			refusal.Remedy = "stop it first, or back it up while it runs: tabletop backup NEWDIR --endpoint URL"
		}
		return nil, err
	}
	defer p.close()
	if err := p.examine(); err != nil {
		return nil, err
	}
	for _, f := range p.report.Findings {
		if !f.Note {
			return nil, damaged(p.dir, f)
		}
	}
	if err := p.copyTo(to); err != nil {
		return nil, err
	}
	return Check(Options{Dir: to, RootKey: from.RootKey, Disk: from.Disk, Survey: from.Survey})
}

// copyTo copies the folder's files into a folder that is new or empty.
func (p *checkedFolder) copyTo(dir string) error {
	names, err := p.fs.List(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return inaccessible(dir, err)
	}
	if len(names) > 0 {
		return &OpenError{dir, "contains other files, such as " + names[0], "use a new folder for the copy", nil}
	}
	if err := makeFolder(p.fs, filepath.Join(dir, dataDir)); err != nil {
		return inaccessible(dir, err)
	}
	files, err := p.fs.List(p.data())
	if err != nil {
		return inaccessible(p.dir, err)
	}
	for _, name := range files {
		if name == "LOCK" {
			continue
		}
		path := filepath.Join(dataDir, name)
		if err := copySynced(p.fs, filepath.Join(p.dir, path), p.fs, filepath.Join(dir, path), -1); err != nil {
			return inaccessible(dir, err)
		}
	}
	err = errors.Join(syncFolder(p.fs, filepath.Join(dir, dataDir)), p.copyRootKey(dir))
	if p.marker.hasRecord() {
		err = errors.Join(err, copySynced(p.fs, filepath.Join(p.dir, integrityName), p.fs, filepath.Join(dir, integrityName),
			-1))
	}
	if err != nil {
		return inaccessible(dir, err)
	}
	return p.copyMarker(dir)
}

// copyMarker makes the copy a data folder.
func (p *checkedFolder) copyMarker(dir string) error {
	text, err := readFile(p.fs, filepath.Join(p.dir, markerName))
	if err == nil {
		err = writeWhole(p.fs, filepath.Join(dir, markerTemp), filepath.Join(dir, markerName), text)
	}
	if err != nil {
		return inaccessible(dir, err)
	}
	return nil
}

// copyRootKey copies a root key that is in the folder, readable only by the current user.
func (p *checkedFolder) copyRootKey(dir string) error {
	if p.rootKey != "" || p.marker.key == nil || vfs.Root(p.fs) != vfs.Default {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(p.dir, rootKeyName))
	if err != nil {
		return err
	}
	return wholefile.Create(filepath.Join(dir, rootKeyName), string(text))
}
