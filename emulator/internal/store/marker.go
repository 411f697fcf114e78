package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The marker is a text file of one line that says what the folder is: "tabletop-store 1".
const (
	markerName    = "FORMAT"
	markerTemp    = "FORMAT.new" // left behind by a crash during the first opening
	formatName    = "tabletop-store"
	formatVersion = 1
)

// checkMarker refuses folders of another format, and marks an empty one as ours.
func checkMarker(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, markerName))
	if errors.Is(err, fs.ErrNotExist) {
		return claim(dir)
	}
	if err != nil {
		return inaccessible(dir, err)
	}
	var name string
	var version int
	if _, err := fmt.Sscanf(string(text), "%s %d\n", &name, &version); err != nil || name != formatName || version < 1 {
		return &OpenError{dir, fmt.Sprintf("has a broken %s file, %q", markerName, firstLine(text)),
			"restore that file from a copy, or choose another folder", nil}
	}
	if version > formatVersion {
		return &OpenError{dir, fmt.Sprintf("has format %d, and this program knows formats up to %d", version, formatVersion),
			"use the newer program that wrote it, or choose another folder", nil}
	}
	return nil
}

// claim marks a folder that is empty, and refuses any other.
func claim(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return inaccessible(dir, err)
	}
	for _, entry := range entries {
		if entry.Name() != markerTemp {
			return &OpenError{dir, fmt.Sprintf("holds other files, such as %s", entry.Name()), "choose an empty folder", nil}
		}
	}
	if err := writeMarker(dir); err != nil {
		return inaccessible(dir, err)
	}
	return nil
}

// writeMarker writes the marker so that a crash leaves all of it or none.
func writeMarker(dir string) error {
	temp := filepath.Join(dir, markerTemp)
	f, err := os.Create(temp)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%s %d\n", formatName, formatVersion)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp, filepath.Join(dir, markerName)); err != nil {
		return err
	}
	return syncDir(dir)
}

func firstLine(text []byte) string {
	line, _, _ := strings.Cut(string(text[:min(len(text), 80)]), "\n")
	return line
}
