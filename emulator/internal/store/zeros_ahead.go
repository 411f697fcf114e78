package store

import (
	"bytes"
	"io"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// How many zeros are written after the end of a log, in bytes: as many as it has, within these limits. So a small
// folder stays small.
const (
	minZerosAhead = 64 << 10
	maxZerosAhead = 512 << 10
)

var zeros [maxZerosAhead]byte

// zerosAhead writes zeros after the end of a log, for the next writes to replace. If a write makes a file longer, a
// sync writes the file's size too, after the data: on ext4 that took half as long again. Pebble takes the first zeros
// for the end of a log, if no write after them was acknowledged. A nil zerosAhead writes none.
type zerosAhead struct {
	written int64 // bytes of the log
	end     int64 // of the file
}

// wrote records that the log has n more bytes, and writes zeros if the file has become longer by them. It returns how
// many. An error is none of the log's: without zeros it only grows more slowly.
func (a *zerosAhead) wrote(f vfs.File, n int) (ahead int) {
	if a == nil {
		return 0
	}
	a.written += int64(n)
	if a.written > a.end {
		ahead, _ = f.WriteAt(zeros[:min(max(a.written, minZerosAhead), maxZerosAhead)], a.written)
		a.end = a.written + int64(ahead)
	}
	return ahead
}

// removeZeros removes the zeros after a log that is complete, so that it is as long as the record says.
func (f *guardFile) removeZeros() {
	log, ok := f.File.(*trackedFile)
	if f.guard.frozen.Load() || f.ahead == nil || f.ahead.end == f.ahead.written || !ok {
		return
	}
	// Not all disks can do it, and a power cut may prevent it: an error is none of the log's.
	if err := f.timed("truncate", log.truncate); err == errNotAnswered {
		f.guard.refused("truncate", f.name, err)
	}
}

func isLog(name string) bool { return strings.HasSuffix(name, ".log") }

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
