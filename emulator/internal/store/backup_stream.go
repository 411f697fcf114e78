package store

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// A backup is sent as a tar archive of regular files: those of the database under data/, the root key if it is in the
// folder, the integrity record, a summary of all files with their hashes, and the marker. A truncated stream has no
// marker, so what was received of it is not a data folder.
const (
	summaryName    = "BACKUP"
	summaryVersion = 1
)

// backupSummary is the content of the entry summaryName, in JSON.
type backupSummary struct {
	Version int           `json:"version"` // of the stream
	Taken   time.Time     `json:"taken"`   // machine time
	RootKey string        `json:"rootKey"` // where it is
	Files   []fileSummary `json:"files"`   // all entries but the summary itself, in order
}

// Where the root key of a backup is.
const (
	keyIncluded  = "included"
	keyElsewhere = "elsewhere"
	keyNone      = "none" // the folder is not encrypted
)

// fileSummary is one file of the copy.
type fileSummary struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"` // bytes
	SHA256 string `json:"sha256"`
}

// streamPiece is the size in bytes of one write of a stream. It is above the server's limit for a small response, so
// that a client has to read each piece in time.
const streamPiece = 128 << 10

// Write sends the copy as a tar archive until ctx is done. After an error, [Receive] refuses the stream. Errors: the
// cause of ctx, those of out, a [*SpaceError] if the disk has come below its floor, a [*ReadError].
func (b *Backup) Write(ctx context.Context, out io.Writer) error {
	summary := backupSummary{Version: summaryVersion, Taken: b.taken, RootKey: b.rootKeyPlace()}
	archive := tar.NewWriter(out)
	for _, f := range b.files {
		if f.name == markerName {
			summary.Files = append(summary.Files, fileSummary{f.name, f.size, hexSum(f.content)})
			text, err := json.Marshal(summary)
			if err != nil {
				return err
			}
			if _, err := b.send(ctx, archive, backupFile{name: summaryName, content: text, size: int64(len(text))}); err != nil {
				return err
			}
		}
		sum, err := b.send(ctx, archive, f)
		if err != nil {
			return err
		}
		summary.Files = append(summary.Files, fileSummary{f.name, f.size, sum})
	}
	return archive.Close()
}

// BackUp takes a backup into a new folder on this machine: BeginBackup, Write and [Receive] in one.
func (s *Store) BackUp(ctx context.Context, dir string) (*Received, error) {
	b, err := s.BeginBackup(ctx)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	in, out := io.Pipe()
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_ = out.CloseWithError(b.Write(ctx, out))
	}()
	got, err := Receive(ctx, in, b.Size(), Options{Dir: dir, RootKey: s.folder.rootKey, MinFree: s.minFree,
		Survey: s.folder.survey})
	_ = in.Close() // ends the writer
	<-sent
	return got, err
}

func hexSum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

func (b *Backup) rootKeyPlace() string {
	switch {
	case b.store.marker.key == nil:
		return keyNone
	case b.store.folder.rootKey != "":
		return keyElsewhere
	}
	return keyIncluded
}

// send writes one entry and returns the hash of its content.
func (b *Backup) send(ctx context.Context, archive *tar.Writer, f backupFile) (sum string, err error) {
	header := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Mode: 0o600, Size: f.size, ModTime: b.taken}
	if err := archive.WriteHeader(header); err != nil {
		return "", err
	}
	var content io.Reader = bytes.NewReader(f.content)
	if f.path != "" {
		file, err := b.store.checkpoints.disk.Open(f.path, vfs.SequentialReadsOption)
		if err != nil {
			return "", &ReadError{Path: f.path, Err: cause(err)}
		}
		defer file.Close()
		content = io.LimitReader(copiedFile{file, f.path}, f.size)
	}
	hash := sha256.New()
	n, err := io.CopyBuffer(struct{ io.Writer }{io.MultiWriter(hash, archive)},
		&guardedReader{content, b.canContinue(ctx)}, make([]byte, streamPiece))
	if err == nil && n < f.size {
		err = fmt.Errorf("%s has %d of its %d bytes", f.name, n, f.size)
	}
	return hex.EncodeToString(hash.Sum(nil)), err
}

// canContinue returns a function that returns why the stream has to end, or nil. A backup holds on to the space of
// tables that have been compacted.
func (b *Backup) canContinue(ctx context.Context) func() error {
	return func() error {
		if b.store.space.isFull() {
			return b.store.space.refusal()
		}
		return context.Cause(ctx)
	}
}

// guardedReader calls canContinue before each read.
type guardedReader struct {
	io.Reader
	canContinue func() error
}

// Read implements io.Reader.
func (r *guardedReader) Read(p []byte) (int, error) {
	if err := r.canContinue(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// copiedFile is a file of the copy. Errors of its reads are a [*ReadError], except io.EOF.
type copiedFile struct {
	vfs.File
	path string
}

// Read implements io.Reader.
func (f copiedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	if err != nil && err != io.EOF {
		err = &ReadError{Path: f.path, Err: cause(err)}
	}
	return n, err
}
