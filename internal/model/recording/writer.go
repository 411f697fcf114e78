package recording

import (
	"bufio"
	"io"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
)

const (
	// maxQueued is the size in bytes of the queued entries beyond which Add blocks.
	maxQueued = 32 << 20
	// flushSize and flushRequests are the bytes and requests at which the writing goroutine is woken.
	flushSize, flushRequests = 256 << 10, 256
	// flushEvery is the longest time, by the machine's clock, that an entry stays in memory.
	flushEvery = time.Second
)

// Writer writes a recording asynchronously: encoding and writing happen in a goroutine of its own. It is safe for
// concurrent use.
type Writer struct {
	out  *bufio.Writer
	line []byte // reused memory

	mu      sync.Mutex
	notFull sync.Cond // signaled when the queue has room, or waiting is pointless
	queue   []Entry
	queued  int // bytes of the entries in queue
	n       int64
	err     error // of the file; nothing is written after it
	closed  bool

	more chan struct{} // holds a value when the queue has enough, or the Writer is closed
	done chan struct{} // closed when everything is written
}

// NewWriter starts a recording with the header as its first line. The caller must close the Writer; Close does not
// close w.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	h.Kind, h.Format = kind, Format
	line, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	out := &Writer{out: bufio.NewWriterSize(w, 256<<10), more: make(chan struct{}, 1), done: make(chan struct{})}
	out.notFull.L = &out.mu
	if _, err := out.out.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	if err := out.out.Flush(); err != nil {
		return nil, err
	}
	go out.run()
	return out, nil
}

// Add numbers and queues an entry. Its Request is the body as it was sent, whether it is JSON or not; the Writer sets
// RequestBytes instead if it is not. The bodies are copied; everything else that e points to must not change any more.
// Add blocks while much is queued, and does nothing once the Writer is closed or the file has failed.
func (w *Writer) Add(e Entry) {
	e.Request, e.Answer = cloned(e.Request), cloned(e.Answer)
	size := e.size()
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.queued > 0 && w.queued+size > maxQueued && !w.closed && w.err == nil {
		w.notFull.Wait()
	}
	if w.closed || w.err != nil {
		return
	}
	w.n++
	e.N = w.n
	w.queue = append(w.queue, e)
	w.queued += size
	if w.queued >= flushSize || len(w.queue) >= flushRequests {
		w.wake()
	}
}

// size returns about how many bytes an entry holds in memory.
func (e *Entry) size() int {
	size := 512 + len(e.Request) + len(e.Answer) + len(e.Client) + len(e.Trace) + len(e.Path) // 512: the struct
	for _, headers := range []map[string]string{e.Headers, e.AnswerHeaders} {
		for name, value := range headers {
			size += len(name) + len(value)
		}
	}
	return size
}

// cloned returns a copy of a body, nil for an empty one.
func cloned(body []byte) []byte { return append([]byte(nil), body...) }

func (w *Writer) wake() {
	select {
	case w.more <- struct{}{}:
	default: // it is awake already
	}
}

// Requests returns how many requests were recorded, and the error that ended the recording.
func (w *Writer) Requests() (int64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.n, w.err
}

// Close writes the queued entries, and returns the error of the file, if any.
func (w *Writer) Close() error {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		w.notFull.Broadcast()
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
	var entries []Entry
	for {
		ticked := false
		select {
		case <-tick.C:
			ticked = true
		case <-w.more:
		}
		var last bool
		entries, last = w.take(entries)
		w.fail(w.write(entries))
		if ticked || last {
			w.fail(w.out.Flush())
		}
		if last {
			return
		}
	}
}

// take empties the queue; last reports that nothing follows. The next queue reuses the memory of written.
func (w *Writer) take(written []Entry) (entries []Entry, last bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(written)
	entries, w.queue, w.queued = w.queue, written[:0], 0
	w.notFull.Broadcast()
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
	w.notFull.Broadcast()
}

func (w *Writer) write(entries []Entry) error {
	for i := range entries {
		w.line = appendEntry(w.line[:0], &entries[i])
		if _, err := w.out.Write(w.line); err != nil {
			return err
		}
	}
	return nil
}
