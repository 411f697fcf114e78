package store

import (
	"io"
	"slices"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

const (
	// keptReaders is how many goroutines wait for the next read of the disk. More reads at a time have one each for
	// themselves.
	keptReaders = 16
	// mostStuckReads is how many reads that the disk does not answer may be left behind. Each holds a thread of the
	// process: while there are so many, further reads are refused at once.
	mostStuckReads = 64
	// keptBuffer is the size in bytes of the largest memory for a read that is kept for the next one.
	keptBuffer = 256 << 10
)

// diskReads runs reads of a folder's files with a limit of time, stallTime, after which who waits for one gives up and
// the read is left behind. Its methods are safe for concurrent use.
type diskReads struct {
	*condition
	idle  chan *diskReader
	stuck atomic.Int64 // reads that were given up and have not ended
}

// diskReader runs one read at a time. Its fields are the read's own: one that was given up may write to them at any
// time.
type diskReader struct {
	*diskWorker
	buf   []byte
	n     int // bytes read
	file  vfs.File
	ended atomic.Bool // the read has ended, or was given up
}

func newDiskReads(c *condition) *diskReads {
	return &diskReads{condition: c, idle: make(chan *diskReader, keptReaders)}
}

// read fills p by a read of a file and calls ended when that has ended, though it was given up. An error other than
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

// open opens a file for reading. Its error is the system's own, or errNotAnswered.
func (r *diskReads) open(name string, open func() (vfs.File, error)) (file vfs.File, err error) {
	reader, err := r.run("open", name, func() {}, func(d *diskReader) (err error) {
		d.file, err = open()
		return err
	})
	if reader != nil {
		file, reader.file = reader.file, nil
		r.keep(reader)
	}
	return file, err
}

// run runs a read. It returns no reader where that was given up.
func (r *diskReads) run(op, name string, ended func(), read func(*diskReader) error) (*diskReader, error) {
	if r.stuck.Load() >= mostStuckReads {
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
	}, func() { r.tellSlow("a read waits", op, name) })
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

// keep keeps a reader for the next read, or ends it.
func (r *diskReads) keep(d *diskReader) {
	if cap(d.buf) > keptBuffer {
		d.buf = nil
	}
	select {
	case r.idle <- d:
	default:
		d.stop()
	}
}

// close ends the readers that are kept. Nothing is read meanwhile, or afterwards.
func (r *diskReads) close() {
	for {
		select {
		case d := <-r.idle:
			d.stop()
		default:
			return
		}
	}
}
