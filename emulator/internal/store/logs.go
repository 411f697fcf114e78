package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/record"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// logEnd is where the readable part of a log ends.
type logEnd struct {
	offset  int64 // bytes of its content
	batches int   // before offset
	size    int64 // bytes of the whole log, without zeros at its end
	torn    bool  // whether the log does not end properly
}

// readLog reads a log to its end, or to where it cannot be read, which is not an error: err is about the file itself.
func readLog(files vfs.FS, data string, id fileID) (end logEnd, err error) {
	end.size, err = eachBatch(files, data, id, func(_ []byte, offset int64) error {
		end.offset, end.batches = offset, end.batches+1
		return nil
	})
	var unread *fs.PathError
	var refused *ReadError
	// not an error of the disk
	if errors.Is(err, errUnreadableLog) && !errors.As(err, &unread) && !errors.As(err, &refused) {
		end.torn, err = true, nil
	}
	return end, err
}

// padded returns the length of a log that has all of its batches. Where no header of another one would fit into a
// block, Pebble writes zeros to the end of the block, and syncs them with the batch before.
func (e logEnd) padded() int64 {
	const block, header = 32 << 10, 19
	if rest := block - e.offset%block; rest < header {
		return e.offset + rest
	}
	return e.offset
}

// errUnreadableLog marks the error of a log that does not end properly.
var errUnreadableLog = errors.New("the log cannot be read further")

// eachBatch calls fn with each batch of a log, in Pebble's encoding, and the offset of its end. The batch is valid
// until fn returns. Zeros after the last one are no error. It returns the size of the log without them.
func eachBatch(files vfs.FS, data string, id fileID, fn func(batch []byte, end int64) error) (size int64, err error) {
	f, err := files.Open(filepath.Join(data, id.String()))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	records := newLogReader(record.NewReader, f, id.number)
	for last := int64(0); ; last = records.Offset() {
		r, err := records.Next()
		var batch []byte
		if err == nil {
			batch, err = io.ReadAll(r)
		}
		if err != nil {
			return endsAt(f, id, last, records.Offset(), err)
		}
		if err := fn(batch, records.Offset()); err != nil {
			return 0, err
		}
	}
}

// trailer returns what Pebble writes at the end of a log: the header of an empty record of the next log.
func (id fileID) trailer() []byte {
	const record = 5 // the kind of a record that holds a whole batch
	return binary.LittleEndian.AppendUint32([]byte{6: record}, uint32(id.number+1))
}

// endsAt returns the size of a log without zeros at its end, and an error unless it ends after its last batch: with the
// file, with zeros, or with a trailer at next, where the reader of records has stopped because of why. To Pebble any
// header with the number of the next log is a trailer, and one changed bit makes it of a batch.
func endsAt(f vfs.File, id fileID, last, next int64, why error) (size int64, err error) {
	size, err = zerosFrom(f, last)
	if err == nil && size == last {
		return size, nil
	}
	if trailer := id.trailer(); err == nil && errors.Is(why, io.EOF) {
		found := make([]byte, len(trailer))
		if _, err = f.ReadAt(found, next); bytes.Equal(found, trailer) {
			return size, nil
		}
	}
	return size, errors.Join(errUnreadableLog, why, err)
}

// logDropped logs what recovery drops of the last log of a folder that was not closed properly. The integrity record
// has shown that all acknowledged writes are there: the dropped ones were in progress.
func (f *folder) logDropped(e *examination, m *marker) {
	logs, err := f.logs(e.head.minLog)
	if err != nil || len(logs) == 0 {
		return
	}
	files, err := f.decrypted(f.fs, m.key)
	if err != nil {
		return
	}
	last := logs[len(logs)-1]
	if end, err := readLog(files, f.data(), last); err == nil && end.torn {
		f.logger.Warn("the data folder was not closed in order: the end of its log is dropped, of writes that were under way and not acknowledged, as after kill -9 or a power cut",
			"folder", f.dir, "log", last.String(), "bytes", end.size-end.offset, "writes kept", end.batches)
	}
}

// newLogReader is record.NewReader, whose file number has a type that only Pebble can name.
func newLogReader[N ~uint64](reader func(io.Reader, N) *record.Reader, log io.Reader, number uint64) *record.Reader {
	return reader(log, N(number))
}

func copyLimited(out io.Writer, in io.Reader, limit int64) (int64, error) {
	if limit >= 0 {
		in = io.LimitReader(in, limit)
	}
	// Write from a buffer of our own: a file may change what is written to it.
	return io.CopyBuffer(struct{ io.Writer }{out}, struct{ io.Reader }{in}, make([]byte, 64<<10))
}
