package store

import (
	"errors"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/poison"
)

const (
	// aheadRead is how many bytes of a table are read at a time by a compaction or a long scan, which need a table's
	// blocks one after the other.
	aheadRead = 128 << 10
	// aheadGap is how far after the end of the last read a read may begin to be the next one: blocks between them were
	// in the cache.
	aheadGap = 32 << 10
)

var aheadBuffers = poison.Pool{New: func() any { buf := make([]byte, aheadRead); return &buf }}

// aheadFile is a table that is read in order, by one goroutine. To read its blocks one by one took a system call each.
type aheadFile struct {
	vfs.File
	size  int64   // of the table; known once there is a buf
	next  int64   // where the last read ended
	buf   *[]byte // nil until needed
	start int64   // the offset of ahead
	ahead []byte  // what was read ahead, in buf
	fails bool    // something could not be read ahead: nothing more is
}

// ReadAt implements vfs.File.
func (f *aheadFile) ReadAt(p []byte, offset int64) (int, error) {
	end := offset + int64(len(p))
	if !f.holds(offset, end) && f.isNext(offset) && !f.fails && len(p) < aheadRead {
		err := f.readAhead(offset)
		if f.fails = err != nil; errors.Is(err, errNotAnswered) {
			return 0, err // to ask again would double the wait
		}
	}
	f.next = end
	if f.holds(offset, end) {
		return copy(p, f.ahead[offset-f.start:]), nil
	}
	return f.File.ReadAt(p, offset)
}

// holds reports whether everything between two offsets was read ahead.
func (f *aheadFile) holds(start, end int64) bool {
	return start >= f.start && end <= f.start+int64(len(f.ahead))
}

func (f *aheadFile) isNext(offset int64) bool { return offset >= f.next && offset <= f.next+aheadGap }

// readAhead reads from an offset on. If anything there cannot be read, it keeps nothing: only what is needed may fail.
func (f *aheadFile) readAhead(offset int64) error {
	if f.buf == nil {
		if err := f.begin(); err != nil {
			return err
		}
	}
	p := (*f.buf)[:max(0, min(aheadRead, f.size-offset))]
	n, err := f.File.ReadAt(p, offset)
	if err != nil {
		n = 0
	}
	f.start, f.ahead = offset, p[:n]
	return err
}

// begin prepares for reading ahead.
func (f *aheadFile) begin() error {
	info, err := f.File.Stat()
	if err != nil {
		return err
	}
	f.size, f.buf = info.Size(), aheadBuffers.Get().(*[]byte)
	return nil
}

// Close implements vfs.File.
func (f *aheadFile) Close() error {
	if f.buf != nil {
		poison.Bytes(*f.buf)
		aheadBuffers.Put(f.buf)
		f.buf, f.ahead = nil, nil
	}
	return f.File.Close()
}
