package http1

import (
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/poison"
)

const (
	// unknown is the length of a response whose header does not tell it.
	unknown = -1
	// maxGathered is the size in bytes of a body without a length that is sent with one, because it has all been written
	// by then. It is net/http's.
	maxGathered = 2 << 10
	// maxJoined is how much of a response is copied, in bytes, so that it is one write. What is larger is not copied.
	maxJoined = 4 << 10
	// maxRecord is that for TLS, which copies anyway: the size of a record.
	maxRecord = 16 << 10
)

// response is the response to a request. Trailers, hijacking and full-duplex HTTP/1 are not supported: no handler of an
// emulator needs them.
type response struct {
	conn    *conn
	request *http.Request
	body    *body
	header  http.Header // nil: Header was not called
	fields  []string    // further ones, names and values in turn

	status  int
	length  int64 // of the body, as the header tells it
	written int64 // of the body
	out     *[]byte
	head    int  // length of the head in out, while it is not complete
	begun   bool // the head is complete
	chunked bool
	noType  bool // the head has no Content-Type, and needs one
	closes  bool // the connection is to be closed after the response
	lingers bool // the client may still be sending
	broken  bool // the request's body cannot be read to its end: the connection is closed, of which the head tells nothing

	deadlines atomic.Bool // the handler has set deadlines
	err       error       // of the connection
}

var buffers = poison.Pool{New: func() any {
	b := make([]byte, 0, maxJoined)
	return &b
}}

// Header implements http.ResponseWriter.
func (w *response) Header() http.Header {
	if w.header == nil {
		w.header = make(http.Header, w.conn.answered)
	}
	return w.header
}

// WriteHead is WriteHeader for a response with more fields than those of Header: names and values in turn. They are
// sent in this order. Names must be tokens. Fields of the message's framing, such as Content-Length, have the same
// effect as in Header; their names must be canonical.
func (w *response) WriteHead(status int, fields []string) {
	w.fields = fields
	w.WriteHeader(status)
	w.fields = nil
}

// field returns the values of a field. A handler can set a field without values, so that the server does not add it.
func (w *response) field(name string) (values []string, set bool) {
	for i := 0; i+1 < len(w.fields); i += 2 {
		if w.fields[i] == name {
			return w.fields[i+1 : i+2], true
		}
	}
	values, set = w.header[name]
	return values, set
}

// firstIs reports whether the first value of a field is text, which may be empty for a field without a value.
func (w *response) firstIs(name, text string) bool {
	values, _ := w.field(name)
	return len(values) > 0 && values[0] == text || len(values) == 0 && text == ""
}

// WriteHeader implements http.ResponseWriter.
func (w *response) WriteHeader(status int) {
	if status < 100 || status > 999 {
		panic(fmt.Sprintf("invalid status %d", status))
	}
	if w.status != 0 {
		w.conn.server.logf("a second status, %d, of a response", status)
		return
	}
	if status < 200 && status != http.StatusSwitchingProtocols {
		w.inform(status)
		return
	}
	w.status = status
	w.closes = w.closes || w.firstIs("Connection", "close")
	w.out = buffers.Get().(*[]byte)
	w.appendHead()
}

// inform sends an interim response.
func (w *response) inform(status int) {
	b := appendStatus(nil, status)
	b = appendFields(b, w.header, interimFields)
	b = append(b, lineEnd...)
	w.send(b, nil)
}

// settleBody reads what the handler left of the request's body: clients may send all of a request before they read.
func (w *response) settleBody() {
	if w.body.conn == nil {
		return
	}
	if w.closes {
		w.lingers = w.body.remains()
		return
	}
	drained, tooLong := w.body.discard()
	w.closes, w.lingers, w.broken = tooLong, tooLong, !drained
}

// hasBody reports whether the response has a body. The response to HEAD has not, but may tell its length.
func (w *response) hasBody() bool { return w.request.Method != http.MethodHead && allowsBody(w.status) }

func allowsBody(status int) bool {
	return status >= 200 && status != http.StatusNoContent && status != http.StatusNotModified
}

// appendHead appends the head to out as far as it is known: all but the framing of a body without a length.
func (w *response) appendHead() {
	b := appendStatus((*w.out)[:0], w.status)
	if lengths, _ := w.field("Content-Length"); len(lengths) == 1 && allowsBody(w.status) {
		if n, ok := parseLength(lengths[0]); ok {
			w.length = n
		}
	}
	skip := framing
	if w.length != unknown {
		skip = framingButLength
	}
	if !allowsBody(w.status) {
		skip = bodiless
	}
	if w.status == http.StatusNotModified {
		skip = unmodified
	}
	b = appendFields(b, w.header, skip)
	b = appendPairs(b, w.fields, skip)
	if _, dated := w.field("Date"); !dated {
		b = appendDate(b, time.Now())
	}
	_, typed := w.field("Content-Type")
	w.noType = !typed && allowsBody(w.status) && w.firstIs("Content-Encoding", "")
	*w.out = b
	w.head = len(b)
}

// begin completes the head. data are the first bytes of the body, and whole tells that they are all of it.
func (w *response) begin(data []byte, whole bool) {
	w.begun = true
	w.closes = w.closes || w.conn.server.closing.Load()
	w.settleBody()
	if w.closes {
		*w.out = append(*w.out, "Connection: close\r\n"...)
	}
	if w.noType && len(data) > 0 {
		*w.out = append(append(append(*w.out, "Content-Type: "...), http.DetectContentType(data)...), lineEnd...)
	}
	switch {
	case w.length != unknown || !allowsBody(w.status):
	case whole && (w.hasBody() || len(data) > 0):
		w.length = int64(len(data))
		*w.out = append(strconv.AppendInt(append(*w.out, "Content-Length: "...), w.length, 10), lineEnd...)
	case w.hasBody():
		w.chunked = true
		*w.out = append(*w.out, "Transfer-Encoding: chunked\r\n"...)
	}
	*w.out = append(*w.out, lineEnd...)
}

// Write implements io.Writer.
func (w *response) Write(data []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if len(data) == 0 {
		return 0, w.err
	}
	if !allowsBody(w.status) {
		return 0, http.ErrBodyNotAllowed
	}
	if w.written += int64(len(data)); w.length != unknown && w.written > w.length {
		return 0, http.ErrContentLength
	}
	if w.length == unknown && !w.begun {
		if w.gather(data) {
			return len(data), nil
		}
	}
	return w.writeBody(data)
}

// gather keeps the first bytes of a body without a length, which follow the head in out. It returns false if they are
// too many; then those that it kept are sent.
func (w *response) gather(data []byte) bool {
	if w.written <= maxGathered {
		*w.out = append(*w.out, data...)
		return true
	}
	w.sendGathered()
	return false
}

// sendGathered begins the response, unless no byte of the body has been written, and writes what gather kept of it.
func (w *response) sendGathered() {
	kept := w.takeGathered()
	defer putBuffer(kept)
	if len(*kept) > 0 {
		w.begin(*kept, false)
		_, _ = w.writeBody(*kept)
	}
}

// takeGathered moves what gather kept to a buffer of its own, because the rest of the head comes before it.
func (w *response) takeGathered() *[]byte {
	kept := buffers.Get().(*[]byte)
	*kept = append((*kept)[:0], (*w.out)[w.head:]...)
	*w.out = (*w.out)[:w.head]
	return kept
}

// writeBody writes a part of the body.
func (w *response) writeBody(data []byte) (int, error) {
	if !w.begun {
		w.begin(data, false)
	}
	if !w.hasBody() {
		return len(data), nil
	}
	if w.chunked {
		*w.out = append(strconv.AppendInt(*w.out, int64(len(data)), 16), lineEnd...)
	}
	w.appendOrSend(data)
	if w.chunked {
		*w.out = append(*w.out, lineEnd...)
	}
	if w.err != nil {
		return 0, w.err
	}
	return len(data), nil
}

// appendOrSend appends to out, or sends out and data if they are too large to be joined. With TLS, each record is a
// write, so that what is in out is sent in a full one.
func (w *response) appendOrSend(data []byte) {
	room := w.conn.joins() - len(*w.out)
	if len(data) <= room {
		*w.out = append(*w.out, data...)
		return
	}
	if w.conn.secure != nil && len(*w.out) > 0 && room > 0 {
		*w.out, data = append(*w.out, data[:room]...), data[room:]
	}
	w.send(*w.out, data)
	*w.out = (*w.out)[:0]
}

// send writes to the connection.
func (w *response) send(first, second []byte) {
	if w.err != nil || len(first)+len(second) == 0 {
		return
	}
	w.err = w.conn.write(first, second)
	w.closes = w.closes || w.err != nil
}

// Flush implements http.Flusher.
func (w *response) Flush() { _ = w.FlushError() }

// FlushError is what http.ResponseController calls.
func (w *response) FlushError() error {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if !w.begun {
		w.sendGathered()
	}
	if !w.begun {
		w.begin(nil, false)
	}
	w.send(*w.out, nil)
	*w.out = (*w.out)[:0]
	return w.err
}

// SetReadDeadline is what http.ResponseController calls. The deadline ends with the response.
func (w *response) SetReadDeadline(t time.Time) error {
	w.deadlines.Store(true)
	return w.conn.net.SetReadDeadline(t)
}

// SetWriteDeadline is what http.ResponseController calls. The deadline ends with the response.
func (w *response) SetWriteDeadline(t time.Time) error {
	w.deadlines.Store(true)
	return w.conn.net.SetWriteDeadline(t)
}

// finish sends the rest of the response.
func (w *response) finish() {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if !w.begun {
		w.beginWhole()
	}
	if w.chunked {
		*w.out = append(*w.out, "0\r\n\r\n"...)
	}
	w.send(*w.out, nil)
	if w.hasBody() && !w.chunked && w.written != w.length {
		w.closes = true // the client waits for more, or the handler would have sent more
	}
	w.release()
}

// beginWhole completes a response of which nothing was sent.
func (w *response) beginWhole() {
	kept := w.takeGathered()
	defer putBuffer(kept)
	w.begin(*kept, true)
	if w.hasBody() {
		*w.out = append(*w.out, *kept...)
	}
}

// abort ends the response of a handler that panicked. What has not been sent yet is dropped: it could be all that a
// response lacks to look complete. net/http drops what is in its buffer, at most 2 KB.
func (w *response) abort() {
	if w.out != nil {
		w.release()
	}
}

func (w *response) release() {
	putBuffer(w.out)
	w.out = nil
}

// putBuffer returns a buffer to the pool, unless a response made it large.
func putBuffer(b *[]byte) {
	poison.Bytes(*b)
	if cap(*b) <= 2*maxRecord {
		buffers.Put(b)
	}
}
