package dynamo

import (
	"compress/gzip"
	"errors"
	"hash/crc32"
	"io"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/access"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
	"github.com/tabletop-db/tabletop/emulator/internal/pieces"
	"github.com/tabletop-db/tabletop/emulator/internal/poison"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// MaxBody is the size of the largest request, 16 MiB. It is enforced before anything is parsed.
const MaxBody = 16 << 20

// Bodies that do not depend on the request.
const (
	healthy          = "healthy: dynamodb.us-east-1.amazonaws.com " // the trailing space is the service's
	unknownOperation = "<UnknownOperationException/>\n"
)

// exchange is the reused memory of one request and its answer.
type exchange struct {
	in, out []byte
	packed  []byte // the body as sent, if it is compressed
	request engine.Request
	access  access.AccessContext // the request's access context for policies
	left    bool                 // the client did not take its answer: HTTP/2 may still read the answer's memory
}

var exchanges = poison.Pool{New: func() any { return new(exchange) }}

// maxKept is the total size in bytes above which buffers are not reused.
const maxKept = 256 << 10

func (x *exchange) release() {
	x.request.Work.Close()
	// Code that wrongly retains the request gets nil, not another request's tables.
	x.request.Memory, x.request.Engine, x.request.Account = nil, nil, nil
	if x.left {
		return
	}
	poison.Bytes(x.in, x.out, x.packed)
	poison.Slice(x.request.Event.Charges)
	poison.Slice(x.request.Event.Throttles)
	poison.Zero(&x.request)
	poison.Zero(&x.access)
	if cap(x.in)+cap(x.out) <= maxKept {
		exchanges.Put(x)
	}
}

// held returns how many bytes the bodies take.
func (x *exchange) held() int64 { return int64(cap(x.in) + cap(x.out) + cap(x.packed)) }

// shrink frees large buffers that are not needed while body is sent to the client.
func (x *exchange) shrink(body []byte) {
	if cap(x.in) > maxKept {
		x.in = nil
	}
	if cap(x.packed) > maxKept {
		x.packed = nil
	}
	if cap(x.out) > maxKept && (len(body) == 0 || &x.out[:1][0] != &body[0]) {
		x.out = nil
	}
	held := x.held()
	if x.out == nil {
		held += int64(cap(body))
	}
	x.request.Memory.Force(held)
}

// ServeHTTP answers a request in DynamoDB's JSON 1.0 protocol.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := exchanges.Get().(*exchange)
	defer x.release()
	x.request.Memory = inflight.Of(w)
	if r.Method == http.MethodPost && isJSON(r.Header.Get("Content-Type")) {
		s.answer(w, r, x)
		return
	}
	s.answerOthers(w, r, x)
}

// isJSON reports whether the service accepts bodies of that content type.
func isJSON(contentType string) bool {
	contentType, _, _ = strings.Cut(contentType, ";")
	contentType = strings.TrimSpace(contentType)
	return contentType == "application/x-amz-json-1.0" || contentType == "application/json"
}

// answer reads the body, runs the operation and writes the answer.
func (s *Service) answer(w http.ResponseWriter, r *http.Request, x *exchange) {
	err := s.keepPacked(r, x)
	if err == nil {
		x.in, err = s.readBody(x.in[:0], w, r, x.request.Memory)
	}
	if errors.Is(err, budget.ErrBusy) {
		w.Header().Set("Connection", "close") // the rest of the body is not read
		name, _ := operationOf(r)
		x.left = !s.write(w, r, http.StatusBadRequest, wire.BusyError(name).AppendJSON(x.out[:0]))
		return
	}
	if err != nil {
		s.refuseBody(w, err)
		return
	}
	watch := s.watch()
	body, err := s.run(r, x)
	if errors.Is(err, errCut) {
		panic(http.ErrAbortHandler) // closes the connection, or resets the HTTP/2 stream, without an answer
	}
	event := &x.request.Event
	event.Status = http.StatusOK
	if err != nil {
		e := s.asError(r, event.Operation, err)
		event.Status, event.Error, body = e.Status, e.Name(), e.AppendJSON(x.out[:0])
	}
	x.out = body
	x.request.Work.Leave() // what the answer takes is counted now
	if !x.request.Memory.Settle(x.held()) && err == nil && engine.IsReadOnly(event.Operation) {
		e := wire.BusyError(event.Operation)
		event.Status, event.Error, body = e.Status, e.Name(), e.AppendJSON(nil)
		x.out = body
	}
	x.request.Memory.Force(x.held())
	event.Lost = x.request.DropsResponse()
	watch.observe(event, x.in, body)
	if event.Lost {
		panic(http.ErrAbortHandler)
	}
	if s.annotate != nil {
		s.annotate(w.Header(), event)
	}
	s.send(w, r, x, event.Status, body)
}

// send packs an answer where the client takes that, and writes it.
func (s *Service) send(w http.ResponseWriter, r *http.Request, x *exchange, status int, body []byte) {
	if len(body) >= minPacked && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header()["Content-Encoding"] = []string{"gzip"}
		if len(body) > longBody {
			x.request.Work.TakeTurn()
		}
		body = pack(body)
	}
	x.request.Work.EndTurn() // the client may be slow
	x.shrink(body)
	x.left = !s.write(w, r, status, body)
}

// asError returns the answer to a failed operation. An error that is not one of the service's is an internal error.
func (s *Service) asError(r *http.Request, operation string, err error) *wire.Error {
	var e *wire.Error
	if errors.As(err, &e) {
		return e
	}
	if e := wire.BudgetError(err, operation); e != nil {
		return e
	}
	if text, ok := store.Unavailable(err); ok { // it is logged where it happens
		return wire.StorageError(text)
	}
	s.engine.Log.Error("an operation failed for a reason of the emulator's own", "target", r.Header.Get("X-Amz-Target"), "error", err)
	return wire.InternalError()
}

// run finds the operation and runs it: steps 2 to 10 of the order of checks.
func (s *Service) run(r *http.Request, x *exchange) (body []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.engine.Log.Error("an operation panicked", "target", r.Header.Get("X-Amz-Target"), "panic", p, "stack", string(debug.Stack()))
			body, err = x.out, wire.InternalError()
		}
	}()
	x.request.Event = telemetry.Event{Charges: x.request.Event.Charges[:0], Throttles: x.request.Event.Throttles[:0]}
	x.request.Context, x.request.Verdict = r.Context(), nil
	if x.request.Work.Reset(r.Context(), engine.RequestLimits(s.engine.Pool, x.request.Memory)); len(x.in) > longBody {
		x.request.Work.TakeTurn()
	}
	name, op := operationOf(r)
	if op == nil {
		if err := wellFormed(x.in); err != nil {
			return x.out, err
		}
		return x.out, wire.ServiceError("UnknownOperationException", "")
	}
	who, principal, err := s.authenticate(r, x)
	if err != nil {
		if malformed := wellFormed(x.in); malformed != nil && len(x.in) > 0 {
			return x.out, malformed
		}
		return x.out, err
	}
	if err := s.engine.Running.Enter(r.Context()); err != nil {
		return x.out, err
	}
	defer s.engine.Running.Leave()
	if !s.engine.Serving() {
		return x.out, wire.InternalError()
	}
	if err := s.engine.Store.Readable(); err != nil { // the state in memory may be gone after a restart
		return x.out, err
	}
	x.request.Begin(s.accountOf(who, principal), name, who.AccessKey)
	if x.request.Principal = principal; principal != nil {
		x.request.Event.Principal = principal.ARN
	}
	return op(s, x, x.out[:0])
}

// operationOf returns the operation that a request names, nil if there is none of that name.
func operationOf(r *http.Request) (string, operation) {
	target := r.Header.Get("X-Amz-Target")
	if name, ok := strings.CutPrefix(target, "DynamoDBStreams_20120810."); ok {
		return name, streamOperations[name]
	}
	name, _ := strings.CutPrefix(target, "DynamoDB_20120810.")
	return name, operations[name]
}

// longBody is the size in bytes from which reading a request body, or compressing an answer, takes about a millisecond.
const longBody = 128 << 10

// unpacked is the most bytes that are decompressed before other requests get a turn.
const unpacked = 64 << 10

// readBody appends the request's body, decompressed, to dst. hold accounts for its memory. Decompression takes turns
// with other long requests.
func (s *Service) readBody(dst []byte, w http.ResponseWriter, r *http.Request, hold *budget.Account) ([]byte, error) {
	var body io.Reader = r.Body
	most := MaxBody // bytes per read
	var work *budget.Budget
	if r.ContentLength < 0 || r.ContentLength > MaxBody { // otherwise net/http enforces the length
		body = http.MaxBytesReader(w, r.Body, MaxBody)
	}
	if r.Header.Get("Content-Encoding") == "gzip" {
		packed, err := gzip.NewReader(body)
		if err != nil {
			return dst, err
		}
		body, most = io.LimitReader(packed, MaxBody+1), unpacked
		work = s.engine.NewUnlimitedBudget(r.Context())
		defer work.Close()
	}
	before := hold.Bytes() // of the compressed body
	size := max(int(min(r.ContentLength, engine.InitialBodyReservation))+1, cap(dst))
	for {
		if size = max(size, cap(dst)); len(dst) == size {
			size += size/2 + 1
		}
		if err := hold.Reserve(r.Context(), before+int64(size)); err != nil {
			return dst, err
		}
		dst = pieces.Grow(dst, size-len(dst))
		n, err := body.Read(dst[len(dst):min(cap(dst), len(dst)+most)])
		dst = dst[:len(dst)+n]
		work.Yield()
		switch {
		case len(dst) > MaxBody:
			return dst, &http.MaxBytesError{Limit: MaxBody}
		case err == io.EOF:
			return dst, nil
		case err != nil:
			return dst, err
		}
	}
}

// refuseBody answers a body that is too large, truncated, or compressed wrongly.
func (s *Service) refuseBody(w http.ResponseWriter, err error) {
	w.Header()[requestIDHeader] = []string{string(s.engine.AppendRequestID(nil))}
	status := http.StatusBadRequest
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		status = http.StatusRequestEntityTooLarge
	}
	w.Header().Set("Connection", "close")
	w.WriteHeader(status)
}

// The service spells these headers so. HTTP ignores the case; a reader of a dump may not.
const (
	requestIDHeader = "x-amzn-RequestId"
	crcHeader       = "x-amz-crc32"
)

// minPacked is the size in bytes from which an answer is compressed for a client that accepts gzip.
const minPacked = 1 << 10

// write reports whether the client took the answer. If not, body must not be reused: HTTP/2 ends a Write when the
// stream is reset, even while a frame of body is being written.
func (s *Service) write(w http.ResponseWriter, r *http.Request, status int, body []byte) bool {
	header := w.Header()
	header["Content-Type"] = responseType(r)
	s.identify(header, body)
	allowOrigin(header, r)
	w.WriteHeader(status)
	_, err := w.Write(body)
	if err != nil {
		s.engine.Log.Debug("the client did not take its answer", "error", err)
	}
	return err == nil
}

// identify sets the headers that differ for every answer: request id, checksum and length. Their values share one
// allocation.
func (s *Service) identify(header http.Header, body []byte) {
	var buf [engine.RequestIDLength + 2*20]byte
	text := s.engine.AppendRequestID(buf[:0])
	text = strconv.AppendUint(text, uint64(crc32.ChecksumIEEE(body)), 10)
	crcEnd := len(text)
	text = strconv.AppendInt(text, int64(len(body)), 10)
	all := string(text)
	values := &[3]string{all[:engine.RequestIDLength], all[engine.RequestIDLength:crcEnd], all[crcEnd:]}
	header[requestIDHeader] = values[0:1:1]
	header[crcHeader] = values[1:2:2]
	header["Content-Length"] = values[2:3:3]
}

var (
	json10 = []string{"application/x-amz-json-1.0"}
	json11 = []string{"application/json"}
)

// responseType returns the request's own content type.
func responseType(r *http.Request) []string {
	if strings.HasPrefix(r.Header.Get("Content-Type"), json11[0]) {
		return json11
	}
	return json10
}

// packers are reused, because each has some hundred kilobytes of memory.
var packers = poison.Pool{New: func() any { return gzip.NewWriter(nil) }}

func pack(body []byte) []byte {
	packer := packers.Get().(*gzip.Writer)
	defer packers.Put(packer)
	out := make(sliceWriter, 0, len(body)/2)
	packer.Reset(&out)
	packer.Write(body) // a sliceWriter does not fail
	packer.Close()
	return out
}

type sliceWriter []byte

func (b *sliceWriter) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}
