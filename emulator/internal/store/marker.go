package store

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// The marker is a text file that identifies the folder:
//
//	tabletop-store 4
//	folder 6d0e…      its identity
//	key BASE64        the folder key, wrapped by the root key; "none" if the folder is not encrypted
//	check 91ab…       a MAC over the lines above, with the key of the integrity record
//
// Format 3 had the same files, but DynamoDB's items in it had no size (package item). Format 2 had no identity, check
// and integrity record: its second line was the wrapped key. Format 1 was never encrypted and had only the first line.
const (
	markerName    = "FORMAT"
	markerTemp    = "FORMAT.new" // left behind by a crash during the first opening or an upgrade
	formatName    = "tabletop-store"
	formatVersion = 4
	recordVersion = 3 // the first with an identity and an integrity record
	cipherVersion = 2 // the first whose folders can be encrypted
	plainVersion  = 1
	noKey         = "none"
)

// markerLines is how many lines the marker of each format has.
var markerLines = [...]int{plainVersion: 1, cipherVersion: 2, recordVersion: 4, formatVersion: 4}

// marker is the content of the marker file.
type marker struct {
	version  int
	identity string
	wrapped  string // the folder key; empty if the folder is not encrypted
	key      []byte // the folder key itself; nil if there is none
}

// readMarker reads the marker and unwraps the folder key; it returns nil if there is no marker.
func (f *folder) readMarker() (*marker, error) {
	text, err := readFile(f.fs, filepath.Join(f.dir, markerName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, inaccessible(f.dir, err)
	}
	return f.markerOf(text)
}

// markerOf parses the text of the folder's marker and unwraps the folder key.
func (f *folder) markerOf(text []byte) (*marker, error) {
	m, err := parseMarker(f.dir, text)
	if err != nil {
		return nil, err
	}
	if m.wrapped != "" {
		path := rootKeyPath(f.dir, f.rootKey)
		root, err := readRootKey(f.dir, path)
		if err != nil {
			return nil, err
		}
		if m.key, err = unwrapFolderKey(root, m.wrapped); err != nil {
			return nil, &OpenError{f.dir, "is encrypted with another root key than the one in " + path,
				"set --root-key to the correct file", nil}
		}
	}
	if m.hasRecord() && !bytes.Equal(m.text(), text) {
		return nil, brokenMarker(f.dir, text)
	}
	return m, nil
}

// parseMarker parses the text of a marker of any format that was ever released.
func parseMarker(dir string, text []byte) (*marker, error) {
	m := &marker{}
	lines := strings.Split(string(text), "\n")
	var name string
	if n, err := fmt.Sscanf(lines[0], "%s %d", &name, &m.version); n < 2 || err != nil || name != formatName ||
		m.version < plainVersion {
		return nil, brokenMarker(dir, text)
	}
	if m.version > formatVersion {
		return nil, &OpenError{dir, fmt.Sprintf("has format %d, and this version supports formats up to %d", m.version,
			formatVersion),
			"use the newer version that wrote it, or choose another folder", nil}
	}
	ok := len(lines) == markerLines[m.version]+1 && lines[len(lines)-1] == ""
	switch {
	case !ok:
	case m.version == cipherVersion:
		m.wrapped = lines[1]
		ok = m.wrapped != ""
	case m.hasRecord():
		var isFolder, isKey bool
		m.identity, isFolder = strings.CutPrefix(lines[1], "folder ")
		m.wrapped, isKey = strings.CutPrefix(lines[2], "key ")
		ok = isFolder && isKey && m.wrapped != ""
		if m.wrapped == noKey {
			m.wrapped = ""
		}
	}
	if !ok {
		return nil, brokenMarker(dir, text)
	}
	return m, nil
}

// hasRecord reports whether folders of this format have an identity and an integrity record.
func (m *marker) hasRecord() bool { return m.version >= recordVersion }

func brokenMarker(dir string, text []byte) error {
	return &OpenError{dir, fmt.Sprintf("has an invalid %s file, %q", markerName, firstLine(text)),
		"restore that file from a copy, or choose another folder", nil}
}

// text returns the marker, of a format with a record.
func (m *marker) text() []byte {
	wrapped := m.wrapped
	if wrapped == "" {
		wrapped = noKey
	}
	text := fmt.Appendf(nil, "%s %d\nfolder %s\nkey %s\n", formatName, m.version, m.identity, wrapped)
	mac := newRecordMAC(m.key)
	mac.Write(text)
	return fmt.Appendf(text, "check %x\n", mac.Sum(nil))
}

// write replaces the marker of the folder.
func (m *marker) write(files vfs.FS, dir string) error {
	return writeWhole(files, filepath.Join(dir, markerTemp), filepath.Join(dir, markerName), m.text())
}

// newMarker returns the marker of a new folder, and creates its root key if it is to be encrypted.
func (f *folder) newMarker() (*marker, error) {
	if !f.encrypt && f.rootKey == "" {
		return &marker{version: formatVersion, identity: newIdentity()}, nil
	}
	root, err := makeRootKey(f.dir, rootKeyPath(f.dir, f.rootKey))
	if err != nil {
		return nil, err
	}
	return encryptedMarker(root)
}

// encryptedMarker returns the marker of a new encrypted folder.
func encryptedMarker(root []byte) (*marker, error) {
	m := &marker{version: formatVersion, identity: newIdentity(), key: newKey()}
	var err error
	m.wrapped, err = wrapFolderKey(root, m.key)
	return m, err
}

func newIdentity() string {
	var id [16]byte
	rand.Read(id[:]) // never fails
	return hex.EncodeToString(id[:])
}

// writeWhole writes a file through a temporary one in the same folder, so that a crash leaves all of it or none.
func writeWhole(files vfs.FS, temp, path string, content []byte) error {
	f, err := files.Create(temp, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = f.Write(bytes.Clone(content)) // the file may change what is written
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := files.Rename(temp, path); err != nil {
		return err
	}
	return syncFolder(files, filepath.Dir(path))
}

// syncFolder makes creations, renames and removals in a folder survive a power cut.
func syncFolder(files vfs.FS, dir string) error {
	f, err := files.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func firstLine(text []byte) string {
	line, _, _ := strings.Cut(string(text[:min(len(text), 80)]), "\n")
	return line
}
