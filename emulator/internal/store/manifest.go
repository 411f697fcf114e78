package store

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2/record"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Pebble's marker file names the current manifest: marker.manifest.000004.MANIFEST-000009.
const manifestMarker = "marker.manifest."

// currentManifest returns the manifest that the database's marker names; ok is false if there is no marker.
func currentManifest(files vfs.FS, data string) (id fileID, ok bool, err error) {
	names, err := files.List(data)
	if err != nil {
		return fileID{}, false, err
	}
	newest := uint64(0)
	for _, name := range names {
		rest, isMarker := strings.CutPrefix(name, manifestMarker)
		number, value, _ := strings.Cut(rest, ".")
		if !isMarker {
			continue
		}
		n, err := strconv.ParseUint(number, 10, 64)
		if err != nil || ok && n < newest {
			continue
		}
		newest = n
		id, ok = parseFileID(value)
	}
	return id, ok && id.manifest, nil
}

// manifestHead is the information about the logs in a manifest: logs below minLog are no longer needed.
type manifestHead struct {
	minLog  uint64
	lastSeq uint64 // sequence number of the newest write in a sorted table
}

// The fields at the start of a version edit in a manifest, as Pebble encodes them: a number each, except the comparer's
// name.
const (
	editComparer = 1
	editMinLog   = 2
	editNextFile = 3
	editLastSeq  = 4
	editPrevLog  = 9
)

// readManifest reads the heads of all version edits of a manifest. files decrypts. Pebble takes a truncated manifest
// for a complete one; how long it must be is in the integrity record.
func readManifest(files vfs.FS, data string, id fileID) (head manifestHead, err error) {
	f, err := files.Open(filepath.Join(data, id.String()))
	if err != nil {
		return head, err
	}
	defer f.Close()
	edits := record.NewReader(f, 0)
	for n := 0; ; n++ {
		edit, err := edits.Next()
		if errors.Is(err, io.EOF) || record.IsInvalidRecord(err) {
			if n == 0 {
				return head, fmt.Errorf("it is empty: %w", err)
			}
			return head, nil
		}
		if err == nil {
			err = head.read(bufio.NewReader(edit))
		}
		if err != nil {
			return head, err
		}
	}
}

// read reads the numbers at the start of an edit; the files that follow are not needed.
func (h *manifestHead) read(edit *bufio.Reader) error {
	for {
		tag, err := binary.ReadUvarint(edit)
		if err == io.EOF {
			return nil
		}
		var value uint64
		switch tag {
		case editComparer, editMinLog, editNextFile, editLastSeq, editPrevLog:
			value, err = binary.ReadUvarint(edit)
		default:
			return err
		}
		switch tag {
		case editComparer:
			_, err = edit.Discard(int(min(value, 1<<10))) // the length of the name
		case editMinLog:
			h.minLog = value
		case editLastSeq:
			h.lastSeq = value
		}
		if err != nil {
			return err
		}
	}
}
