package store

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

const (
	// maxIdleReaders is how many goroutines are kept for further reads. Reads beyond that start goroutines of their own.
	maxIdleReaders = 16
	// maxStuckReads is how many reads may be abandoned because the disk does not answer. Each holds a thread of the
	// process: while there are so many, further reads are refused at once.
	maxStuckReads = 64
	// maxReusedBuffer is the size in bytes of the largest read buffer that is kept for the next read.
	maxReusedBuffer = 256 << 10
)

// diskReads runs reads of a folder's files with a time limit, stallTime, after which the caller gives up and the read
// is abandoned. Its methods are safe for concurrent use.
type diskReads struct {
	*condition
	who    string // who waits, for the log
	idle   chan *diskReader
	stuck  atomic.Int64 // abandoned reads that have not ended
	closed atomic.Bool
}

// diskReader runs one read at a time. Its fields belong to the read: an abandoned read may write to them at any time.
type diskReader struct {
	*diskWorker
	buf   []byte
	n     int         // bytes read
	ended atomic.Bool // whether the read has ended or was abandoned
}

func newDiskReads(c *condition, who string) *diskReads {
	return &diskReads{condition: c, who: who, idle: make(chan *diskReader, maxIdleReaders)}
}

// read fills p from a file, and calls ended when the read has ended, even if it was abandoned. An error other than
// io.EOF is a [*ReadError].
func (r *diskReads) read(name string, p []byte, ended func(), read func([]byte) (int, error)) (n int, err error) {
	reader, err := r.run("read", name, ended, func(d *diskReader) (err error) {
		d.buf = slices.Grow(d.buf[:0], len(p))[:len(p)]
		d.n, err = read(d.buf)
		return err
	})
	if reader != nil {
		n = copy(p, reader.buf[:reader.n])
		r.keep(reader)
	}
	if err == nil || err == io.EOF {
		return n, err
	}
	return n, &ReadError{Path: name, Err: cause(err)}
}

// open opens a file for reading. Errors: the system's own, or errNotAnswered.
func (r *diskReads) open(name string, open func() (vfs.File, error)) (vfs.File, error) {
	return opened(r.done, "open", name, open)
}

// done is answer for an operation that only has an error.
func (r *diskReads) done(op, name string, run func() error) error {
	_, err := answer(r, op, name, func() {}, func() (struct{}, error) { return struct{}{}, run() })
	return err
}

// inquire asks about a file or a folder. An error that it does not exist is the system's own, any other a [*ReadError].
func inquire[T any](r *diskReads, op, name string, ended func(), ask func() (T, error)) (T, error) {
	answered, err := answer(r, op, name, ended, ask)
	return answered, unread(name, err)
}

// unread returns an error about a file or a folder as inquire does.
func unread(name string, err error) error {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &ReadError{Path: name, Err: cause(err)}
	}
	return err
}

// answer returns what ask returns, or errNotAnswered.
func answer[T any](r *diskReads, op, name string, ended func(), ask func() (T, error)) (T, error) {
	var answered T // an abandoned question may set it at any time
	reader, err := r.run(op, name, ended, func(*diskReader) (err error) {
		answered, err = ask()
		return err
	})
	if reader == nil {
		var none T
		return none, err
	}
	r.keep(reader)
	return answered, err
}

// run runs a read. It returns no reader if the read was abandoned.
func (r *diskReads) run(op, name string, ended func(), read func(*diskReader) error) (*diskReader, error) {
	if r.stuck.Load() >= maxStuckReads {
		ended()
		return nil, errNotAnswered
	}
	var d *diskReader
	select {
	case d = <-r.idle:
	default:
		d = &diskReader{diskWorker: newDiskWorker()}
	}
	d.ended.Store(false)
	err := d.do(func() error {
		defer ended()
		err := read(d)
		if !d.ended.CompareAndSwap(false, true) {
			r.stuck.Add(-1)
		}
		return err
	}, func() { r.logSlow(r.who, op, name) })
	if err != errNotAnswered {
		return d, err
	}
	r.stuck.Add(1)
	if !d.ended.CompareAndSwap(false, true) { // it has ended just now
		r.stuck.Add(-1)
	}
	d.stop()
	return nil, err
}

// keep keeps a reader for the next read, or stops it.
func (r *diskReads) keep(d *diskReader) {
	if cap(d.buf) > maxReusedBuffer {
		d.buf = nil
	}
	select {
	case r.idle <- d:
	default:
		d.stop()
	}
	if r.closed.Load() {
		r.stopIdle()
	}
}

// close stops the readers that are kept, and keeps no others. An abandoned opening may read after it.
func (r *diskReads) close() {
	r.closed.Store(true)
	r.stopIdle()
}

func (r *diskReads) stopIdle() {
	for {
		select {
		case d := <-r.idle:
			d.stop()
		default:
			return
		}
	}
}
