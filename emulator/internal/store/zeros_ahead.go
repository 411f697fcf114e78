package store

import (
	"io"
	"os"
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

// removeZeros removes the zeros after a log that is complete. A power cut can undo that, or prevent it.
func (f *guardFile) removeZeros() {
	if a := f.ahead; a != nil && a.end > a.written && f.guard.machine && !f.guard.frozen.Load() {
		_ = f.timed("truncate", func() error { return os.Truncate(f.name, a.written) })
	}
}

func isLog(name string) bool { return strings.HasSuffix(name, ".log") }

// endsInZeros reports whether a file has nothing but zeros from an offset on.
func endsInZeros(f vfs.File, from int64) (bool, error) {
	buf := make([]byte, 32<<10)
	for {
		n, err := f.ReadAt(buf, from)
		for _, b := range buf[:n] {
			if b != 0 {
				return false, nil
			}
		}
		from += int64(n)
		switch {
		case err == io.EOF:
			return true, nil
		case err != nil:
			return false, err
		}
	}
}
