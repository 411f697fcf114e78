package recording

import (
	"bufio"
	"io"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
)

const (
	// maxQueued is the size in bytes of the bodies that wait to be written; more than that, and requests wait too.
	maxQueued = 32 << 20
	// flushEvery is how long a written line stays in memory at most, of the machine's time.
	flushEvery = time.Second
)

// Writer writes a recording behind the requests: encoding and writing happen in a goroutine of its own. It is safe for
// concurrent use.
type Writer struct {
	out *bufio.Writer

	mu     sync.Mutex
	room   sync.Cond // there is room in the queue, or no use to wait for it
	queue  []Entry
	queued int // bytes of the bodies in queue
	n      int64
	err    error // of the file: nothing is written after it
	closed bool

	more chan struct{} // has a value when the queue has entries, or the Writer is closed
	done chan struct{} // closed when everything is written
}

// NewWriter begins a recording: the header is the first line. The Writer must be closed; w stays the caller's.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	h.Kind, h.Format = kind, Format
	line, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	out := &Writer{out: bufio.NewWriterSize(w, 256<<10), more: make(chan struct{}, 1), done: make(chan struct{})}
	out.room.L = &out.mu
	if _, err := out.out.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	if err := out.out.Flush(); err != nil {
		return nil, err
	}
	go out.run()
	return out, nil
}

// Add takes in an entry, and numbers it. Request and RequestBytes are one: the body, as it was sent, is Request, whether
// it is JSON or not. The bodies are copied; everything else that e points to must not change any more. Add waits when much
// is yet to be written, and does nothing once the Writer is closed or the file failed.
func (w *Writer) Add(e Entry) {
	e.Request, e.Answer = cloned(e.Request), cloned(e.Answer)
	size := len(e.Request) + len(e.Answer)
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.queued > 0 && w.queued+size > maxQueued && !w.closed && w.err == nil {
		w.room.Wait()
	}
	if w.closed || w.err != nil {
		return
	}
	w.n++
	e.N = w.n
	w.queue = append(w.queue, e)
	w.queued += size
	w.wake()
}

// cloned is a copy of a body, nil for an empty one.
func cloned(body []byte) []byte { return append([]byte(nil), body...) }

func (w *Writer) wake() {
	select {
	case w.more <- struct{}{}:
	default: // it is awake
	}
}

// Requests is how many requests were recorded, and the error for which no more are.
func (w *Writer) Requests() (int64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.n, w.err
}

// Close writes what is left, and returns the error of the file if there was one.
func (w *Writer) Close() error {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		w.room.Broadcast()
		w.wake()
	}
	w.mu.Unlock()
	<-w.done
	_, err := w.Requests()
	return err
}

func (w *Writer) run() {
	defer close(w.done)
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			w.fail(w.out.Flush())
		case <-w.more:
			entries, last := w.take()
			w.fail(w.write(entries))
			if last {
				w.fail(w.out.Flush())
				return
			}
		}
	}
}

// take empties the queue; last says that nothing comes after it.
func (w *Writer) take() (entries []Entry, last bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	entries, w.queue, w.queued = w.queue, nil, 0
	w.room.Broadcast()
	return entries, w.closed
}

// fail keeps the first error.
func (w *Writer) fail(err error) {
	if err == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = err
	}
	w.room.Broadcast()
}

func (w *Writer) write(entries []Entry) error {
	for i := range entries {
		line, err := encode(&entries[i])
		if err != nil {
			return err
		}
		if _, err := w.out.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// encode makes a line of an entry.
func encode(e *Entry) ([]byte, error) {
	line, err := json.Marshal(e)
	if err != nil { // a body is no JSON
		if !e.Request.IsValid() {
			e.Request, e.RequestBytes = nil, e.Request
		}
		if !e.Answer.IsValid() {
			e.Answer = nil
		}
		line, err = json.Marshal(e)
	}
	return append(line, '\n'), err
}
