package store

import (
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
	size    int64 // bytes of the whole log
	torn    bool  // whether the log does not end properly
	zeros   bool  // whether there are only zeros after offset
}

// readLog reads a log to its end, or to where it cannot be read, which is not an error: err is about the file itself.
func readLog(files vfs.FS, data string, id fileID) (end logEnd, err error) {
	end.zeros, err = eachBatch(files, data, id, func(_ []byte, offset int64) error {
		end.offset, end.batches = offset, end.batches+1
		return nil
	})
	if info, statErr := files.Stat(filepath.Join(data, id.String())); statErr == nil {
		end.size = info.Size()
	}
	var unread *fs.PathError
	var refused *ReadError
	// not an error of the disk
	if errors.Is(err, errUnreadableLog) && !errors.As(err, &unread) && !errors.As(err, &refused) {
		end.torn, err = true, nil
	}
	return end, err
}

// errUnreadableLog marks the error of a log that does not end properly.
var errUnreadableLog = errors.New("the log cannot be read further")

// eachBatch calls fn with each batch of a log, in Pebble's encoding, and the offset of its end. The batch is valid
// until fn returns. Zeros after the last one, which it reports, are no error.
func eachBatch(files vfs.FS, data string, id fileID, fn func(batch []byte, end int64) error) (zeros bool, err error) {
	f, err := files.Open(filepath.Join(data, id.String()))
	if err != nil {
		return false, err
	}
	defer f.Close()
	records := newLogReader(record.NewReader, f, id.number)
	for last := int64(0); ; last = records.Offset() {
		r, err := records.Next()
		var batch []byte
		if err == nil {
			batch, err = io.ReadAll(r)
		}
		switch {
		case errors.Is(err, io.EOF):
			return false, nil
		case err != nil:
			zeros, readErr := endsInZeros(f, last)
			if zeros {
				return true, nil
			}
			return false, errors.Join(errUnreadableLog, err, readErr)
		}
		if err := fn(batch, records.Offset()); err != nil {
			return false, err
		}
	}
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
