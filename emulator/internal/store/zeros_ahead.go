package store

import (
	"bytes"
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// How many zeros are written after the end of a log, in bytes: as many as it has, within these limits. So a small
// folder stays small.
const (
	minZerosAhead = 64 << 10
	maxZerosAhead = 512 << 10
)

var zeros [maxZerosAhead]byte

// writeAhead writes zeros after the end of a log that has become longer, for the next writes to replace. If a write
// makes a file longer, a sync writes the file's size too, after the data: on ext4 that took half as long again. Pebble
// takes the first zeros for the end of a log, if no write after them was acknowledged. An error is none of the log's:
// without zeros it only grows more slowly.
func (f *trackedFile) writeAhead() {
	if f.ahead && !f.broken && f.written > f.end {
		n, _ := f.File.WriteAt(zeros[:min(max(f.written, minZerosAhead), maxZerosAhead)], f.written)
		f.end = f.written + int64(n)
	}
}

// removeZeros removes the zeros after a log that is complete, so that it is as long as the record says. Not all disks
// can do it, and a power cut may prevent it.
func (f *trackedFile) removeZeros() error {
	file, ok := f.File.(interface{ Truncate(size int64) error })
	if !ok {
		return errors.ErrUnsupported
	}
	if err := file.Truncate(f.written); err != nil {
		return err
	}
	return f.File.SyncData()
}

// removeZeros removes the zeros after a log. An error is none of the log's, unless the disk does not answer.
func (f *guardFile) removeZeros() {
	log, ok := f.File.(*trackedFile)
	if !ok || f.guard.frozen.Load() || log.end <= log.written {
		return
	}
	if err := f.timed("truncate", log.removeZeros); err == errNotAnswered {
		f.guard.refused("truncate", f.name, err)
	}
}

// zerosFrom returns the offset from which a file has nothing but zeros, or a given one if that is greater.
func zerosFrom(f vfs.File, from int64) (int64, error) {
	buf := make([]byte, 32<<10)
	for end := from; ; {
		n, err := f.ReadAt(buf, from)
		if content := bytes.TrimRight(buf[:n], "\x00"); len(content) > 0 {
			end = from + int64(len(content))
		}
		from += int64(n)
		switch {
		case err == io.EOF:
			return end, nil
		case err != nil:
			return 0, err
		}
	}
}
