package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The marker is a text file that says what the folder is, "tabletop-store 2", and on its second line has the folder key,
// wrapped by the root key.
const (
	markerName    = "FORMAT"
	markerTemp    = "FORMAT.new" // left behind by a crash during the first opening
	formatName    = "tabletop-store"
	formatVersion = 2
	plainVersion  = 1 // of folders that were not encrypted
)

// folderKey refuses folders of another format and returns the key that the folder is encrypted by; nil when it is empty
// and has yet to be claimed. rootKey is the path of the root key, empty for the one beside the data.
func folderKey(dir, rootKey string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, markerName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, unclaimed(dir)
	}
	if err != nil {
		return nil, inaccessible(dir, err)
	}
	wrapped, err := readMarker(dir, text)
	if err != nil {
		return nil, err
	}
	path := rootKeyPath(dir, rootKey)
	root, err := readRootKey(dir, path)
	if err != nil {
		return nil, err
	}
	key, err := unwrapFolderKey(root, wrapped)
	if err != nil {
		return nil, &OpenError{dir, "is encrypted by another root key than that of " + path, "name the right one by --root-key", nil}
	}
	return key, nil
}

// readMarker finds the wrapped folder key in a marker.
func readMarker(dir string, text []byte) (wrapped string, err error) {
	var name string
	var version int
	_, err = fmt.Sscanf(string(text), "%s %d\n", &name, &version)
	if err == nil && version == formatVersion {
		_, err = fmt.Sscanf(string(text), "%s %d\n%s\n", &name, &version, &wrapped)
	}
	switch {
	case err != nil || name != formatName || version < plainVersion:
		return "", &OpenError{dir, fmt.Sprintf("has a broken %s file, %q", markerName, firstLine(text)),
			"restore that file from a copy, or choose another folder", nil}
	case version > formatVersion:
		return "", &OpenError{dir, fmt.Sprintf("has format %d, and this program knows formats up to %d", version, formatVersion),
			"use the newer program that wrote it, or choose another folder", nil}
	case version == plainVersion:
		return "", &OpenError{dir, fmt.Sprintf("has format %d, of a program that did not encrypt its folders yet", version),
			"copy the tables by the program that wrote it, or choose another folder", nil}
	}
	return wrapped, nil
}

// unclaimed refuses a folder that holds anything but what the first opening may have left behind.
func unclaimed(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return inaccessible(dir, err)
	}
	for _, entry := range entries {
		switch entry.Name() {
		case markerTemp, rootKeyTemp, rootKeyName:
		case dataDir:
			if files, err := os.ReadDir(filepath.Join(dir, dataDir)); err == nil && len(files) <= 1 { // the lock
				continue
			}
			fallthrough
		default:
			return &OpenError{dir, fmt.Sprintf("holds other files, such as %s", entry.Name()), "choose an empty folder", nil}
		}
	}
	return nil
}

// claim marks an empty folder, which is locked, as ours, and returns its new key. Who had the lock before may have done so.
func claim(dir, rootKey string) ([]byte, error) {
	if key, err := folderKey(dir, rootKey); key != nil || err != nil {
		return key, err
	}
	root, err := makeRootKey(dir, rootKeyPath(dir, rootKey))
	if err != nil {
		return nil, err
	}
	key := newKey()
	wrapped, err := wrapFolderKey(root, key)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("%s %d\n%s\n", formatName, formatVersion, wrapped)
	if err := writeWhole(filepath.Join(dir, markerTemp), filepath.Join(dir, markerName), 0o644, text); err != nil {
		return nil, inaccessible(dir, err)
	}
	return key, nil
}

// writeWhole writes a file by way of a temporary one in the same folder, so that a crash leaves all of it or none.
func writeWhole(temp, path string, mode fs.FileMode, text string) error {
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

func firstLine(text []byte) string {
	line, _, _ := strings.Cut(string(text[:min(len(text), 80)]), "\n")
	return line
}
