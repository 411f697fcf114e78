package store

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/internal/util/wholefile"
)

// receive reads all entries.
func (r *receiver) receive(in io.Reader) error {
	archive := tar.NewReader(in)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return &StreamError{"it ended early, or is damaged", err}
		}
		if err := r.entry(header, archive); err != nil {
			return err
		}
	}
	if r.format == nil {
		return &StreamError{"it ended early", nil}
	}
	return r.compare()
}

// Limits of what a stream may have besides the announced bytes.
const (
	maxEntries    = 1 << 20
	maxSmallEntry = 1 << 20  // bytes of an entry that does not belong to the database
	maxSummary    = 64 << 20 // bytes
)

// entry reads one entry. Nothing in a stream is trusted: only names that a backup has are accepted, each once, and no
// more bytes than were announced.
func (r *receiver) entry(header *tar.Header, content io.Reader) error {
	name := header.Name
	if err := r.check(header); err != nil {
		return err
	}
	switch name {
	case summaryName:
		text, err := r.readEntry(content, header.Size)
		r.text = text
		return err
	case markerName, rootKeyName:
		text, err := r.readEntry(content, header.Size)
		if err != nil {
			return err
		}
		r.take(name, header.Size, hexSum(text))
		if name == markerName {
			r.format = text
			return nil
		}
		return r.writeRootKey(text)
	}
	sum, err := r.write(filepath.Join(r.folder.dir, filepath.FromSlash(name)), content, header.Size)
	r.take(name, header.Size, sum)
	return err
}

func (r *receiver) take(name string, size int64, sum string) {
	r.got = append(r.got, fileSummary{name, size, sum})
	r.bytes += size
}

// check refuses an entry that a backup does not have.
func (r *receiver) check(header *tar.Header) error {
	name, limit := header.Name, int64(maxSmallEntry)
	if name == summaryName {
		limit = maxSummary
	}
	base, isData := strings.CutPrefix(name, dataDir+"/")
	if isData {
		limit = r.expected
	}
	lower := strings.ToLower(name)
	problem := ""
	switch {
	case header.Typeflag != tar.TypeReg || sparse(header):
		problem = "is not a regular file"
	case isData && !isDatabaseFile(base), !isData && !slices.Contains([]string{rootKeyName, integrityName, summaryName,
		markerName}, name):
		problem = "does not belong to a data folder"
	case r.seen[lower]:
		problem = "is there twice"
	case len(r.seen) > maxEntries:
		problem = "is one too many"
	case r.format != nil, r.text != nil && name != markerName, r.text == nil && name == markerName:
		problem = "is not in its place"
	case header.Size > limit || name != summaryName && header.Size > r.expected-r.bytes:
		problem = fmt.Sprintf("has %d bytes, more than were announced", header.Size)
	}
	r.seen[lower] = true
	if problem != "" {
		return &StreamError{fmt.Sprintf("its entry %.100q %s", name, problem), nil}
	}
	return nil
}

// sparse reports whether an entry may expand to more bytes than are sent.
func sparse(header *tar.Header) bool {
	for key := range header.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse") {
			return true
		}
	}
	return false
}

// isDatabaseFile reports whether name can be a file in a checkpoint of the database.
func isDatabaseFile(name string) bool {
	for _, c := range []byte(name) {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '.' || c == '-') {
			return false
		}
	}
	_, recorded := parseFileID(name)
	return recorded || isTable(name) || strings.HasPrefix(name, "OPTIONS-") || strings.HasPrefix(name, "marker.")
}

// readEntry reads a small entry into memory.
func (r *receiver) readEntry(content io.Reader, size int64) ([]byte, error) {
	text := make([]byte, size)
	if _, err := io.ReadFull(content, text); err != nil {
		return nil, &StreamError{"it ended early", err}
	}
	return text, nil
}

// writeRootKey writes the root key on the machine's file system, readable only by the current user.
func (r *receiver) writeRootKey(text []byte) error {
	if err := wholefile.Create(filepath.Join(r.folder.dir, rootKeyName), string(text)); err != nil {
		return inaccessible(r.dir, err)
	}
	return nil
}

// write writes one file to stable storage and returns the hash of its content.
func (r *receiver) write(path string, content io.Reader, size int64) (sum string, err error) {
	file, err := r.fs.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return "", inaccessible(r.dir, err)
	}
	hash := sha256.New()
	out := &receivedFile{file: file, space: r.space}
	n, err := io.CopyBuffer(struct{ io.Writer }{io.MultiWriter(hash, out)}, struct{ io.Reader }{content},
		make([]byte, streamPiece))
	failure := errors.Join(out.err, file.Sync(), file.Close())
	var full *SpaceError
	switch {
	case errors.As(out.err, &full):
		return "", full
	case failure != nil:
		return "", inaccessible(r.dir, failure)
	case err != nil || n < size:
		return "", &StreamError{"it ended early", err}
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// receivedFile keeps errors of writing apart from those of the stream.
type receivedFile struct {
	file  vfs.File
	space *spaceWatch
	err   error
}

// Write implements io.Writer.
func (f *receivedFile) Write(p []byte) (n int, err error) {
	if f.space.isFull() {
		f.err = f.space.refusal()
		return 0, f.err
	}
	n, f.err = f.file.Write(p)
	f.space.wrote(n)
	return n, f.err
}
