package dynamo

import (
	"errors"
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/access"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
	"github.com/tabletop-db/tabletop/emulator/internal/poison"
	"github.com/tabletop-db/tabletop/emulator/internal/tracing"
)

// MaxBody is the size of the largest request, 16 MiB. It is enforced before anything is parsed.
const MaxBody = 16 << 20

// Bodies that do not depend on the request.
const (
	healthy          = "healthy: dynamodb.us-east-1.amazonaws.com " // the trailing space is the service's
	unknownOperation = "<UnknownOperationException/>\n"
)

// exchange is the reused memory of one request and its response.
type exchange struct {
	in, out []byte
	packed  []byte   // the body as sent, if it is compressed
	head    []string // the fields of the response, names and values in turn
	request engine.Request
	access  access.AccessContext // the request's access context for policies
	left    bool                 // the client did not take its response: HTTP/2 may still read the response's memory
	// unobserved means that fault rules and observers ignore the request.
	unobserved bool
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
	poison.Slice(x.head)
	poison.Slice(x.request.Event.Charges)
	poison.Slice(x.request.Event.Throttles)
	poison.Slice(x.request.Event.Consumed)
	poison.Zero(&x.request)
	poison.Zero(&x.access)
	if x.held() <= maxKept {
		exchanges.Put(x)
	}
}

// held returns how many bytes the bodies take.
func (x *exchange) held() int64 { return int64(cap(x.in) + cap(x.out) + cap(x.packed)) }

// fit frees the buffers if earlier requests made them so large that this request would be refused for their size.
func (x *exchange) fit() {
	if !x.request.Memory.Fits(x.held()) {
		x.in, x.out, x.packed = nil, nil, nil
	}
}

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

// ServeHTTP handles a request in DynamoDB's JSON 1.0 protocol.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := exchanges.Get().(*exchange)
	defer x.release()
	x.request.Memory, x.unobserved = inflight.AccountOf(w), false
	x.fit()
	if headerSize(r) > maxHeader {
		w.Header().Set("Connection", "close") // the body is not read
		s.plain(w, r, http.StatusBadRequest, headerTooLarge)
		return
	}
	if r.URL.Path != "/" && r.URL.Path != "" {
		s.plain(w, r, http.StatusNotFound, unknownOperation)
		return
	}
	if r.Method == http.MethodPost && isJSON(awsapi.Header(r.Header, "Content-Type")) {
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

// answer reads the body, runs the operation and writes the response.
func (s *Service) answer(w http.ResponseWriter, r *http.Request, x *exchange) {
	name, op := operationOf(r)
	var err error
	x.in, x.packed, err = awsapi.ReadCompressedBody(r, x.in, x.request.Memory, MaxBody)
	if errors.Is(err, budget.ErrBusy) {
		w.Header().Set("Connection", "close") // the rest of the body is not read
		x.left = !s.write(w, r, x, http.StatusBadRequest, s.api.Answer(name, err).AppendJSON(x.out[:0]))
		return
	}
	if err != nil {
		s.refuseBody(w, r, x, err)
		return
	}
	watch := s.watch()
	body, err := s.api.Run(name, func() ([]byte, error) { return s.run(r, x, name, op) })
	if errors.Is(err, errCut) {
		panic(http.ErrAbortHandler) // closes the connection, or resets the HTTP/2 stream, without a response
	}
	event := &x.request.Event
	event.Status = http.StatusOK
	if err != nil {
		e := s.api.Answer(event.Operation, err)
		event.Status, event.Error, body = e.Status, e.Name(), e.AppendJSON(x.out[:0])
	}
	x.out = body
	x.request.Work.Leave() // what the response takes is counted now
	if !x.request.Memory.Settle(x.held()) && err == nil && engine.IsReadOnly(event.Operation) {
		e := wire.BusyError(event.Operation)
		event.Status, event.Error, body = e.Status, e.Name(), e.AppendJSON(nil)
		x.out = body
	}
	x.request.Memory.Force(x.held())
	event.ResponseDropped = x.request.DropsResponse()
	watch.observe(event, x.in, body)
	if event.ResponseDropped {
		x.dropResponse()
	}
	if s.annotate != nil {
		s.annotate(w.Header(), event)
	}
	s.send(w, r, x, event.Status, body)
}

// send compresses a large result if the client accepts that, and writes the response. Errors are never compressed: the
// service sends large ones with the header Content-Encoding: gzip, but not compressed, which clients cannot read
// (AllocZero/EfficientDynamoDb issue 259 and pull request 281, aws/aws-sdk-go-v2 issue 2938; December 2024 to 2026).
func (s *Service) send(w http.ResponseWriter, r *http.Request, x *exchange, status int, body []byte) {
	if len(body) >= minPacked && status == http.StatusOK {
		if encoding := acceptedEncoding(awsapi.Header(r.Header, "Accept-Encoding")); encoding != "" {
			w.Header()["Content-Encoding"] = []string{encoding}
			if len(body) > longBody {
				x.request.Work.TakeTurn()
			}
			body = pack(encoding, body)
		}
	}
	x.request.Work.EndTurn() // the client may be slow
	x.shrink(body)
	x.left = !s.write(w, r, x, status, body)
}

// run runs an operation, which is nil if there is none of that name: steps 2 to 10 of the order of checks.
func (s *Service) run(r *http.Request, x *exchange, name string, op operation) ([]byte, error) {
	e := &x.request.Event
	*e = telemetry.Event{Charges: e.Charges[:0], Throttles: e.Throttles[:0], Consumed: e.Consumed[:0]}
	if agent := r.Header["User-Agent"]; len(agent) > 0 {
		e.UserAgent = agent[0]
	}
	e.Trace = tracing.Header(r.Header)
	x.request.Context, x.request.Verdict, x.request.Afterwards = r.Context(), nil, nil
	if x.request.Work.Reset(r.Context(), engine.RequestLimits(s.engine.Pool, x.request.Memory)); len(x.in) > longBody {
		x.request.Work.TakeTurn()
	}
	if op == nil {
		if err := wellFormed(x.in); err != nil {
			return x.out, err
		}
		return x.out, unknownOperationError()
	}
	who, principal, err := s.authenticate(r, x)
	if err != nil {
		if malformed := wellFormed(x.in); malformed != nil && len(x.in) > 0 {
			return x.out, malformed
		}
		return x.out, err
	}
	body, err := s.runFor(x, name, op, who, principal)
	if err == nil && x.request.Afterwards != nil {
		err = x.request.Afterwards()
	}
	return body, err
}

// runFor runs an operation for an authenticated caller.
func (s *Service) runFor(x *exchange, name string, op operation, who accounts.Scope,
	principal *identity.Principal) ([]byte, error) {
	if err := s.engine.Running.Enter(x.request.Context); err != nil {
		return x.out, err
	}
	defer s.engine.Running.Leave()
	if !s.engine.Serving() {
		return x.out, wire.InternalError("")
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
	target := awsapi.Header(r.Header, "X-Amz-Target")
	if name, ok := strings.CutPrefix(target, "DynamoDBStreams_20120810."); ok {
		return name, streamOperations[name]
	}
	name, _ := strings.CutPrefix(target, "DynamoDB_20120810.")
	return name, operations[name]
}

// longBody is the size in bytes from which reading a request body, or compressing a response, takes about a
// millisecond.
const longBody = 128 << 10

// refuseBody answers a body that is too large, truncated, or compressed wrongly. A compressed body that cannot be
// decoded, or is too large then, is an internal error of the service; only the status of that is recorded (ScyllaDB's
// test_compressed_request.py, run against DynamoDB in February 2026).
func (s *Service) refuseBody(w http.ResponseWriter, r *http.Request, x *exchange, err error) {
	if errors.Is(err, awsapi.ErrEncoding) {
		x.left = !s.write(w, r, x, http.StatusInternalServerError, wire.InternalError("").AppendJSON(x.out[:0]))
		return
	}
	s.setRequestID(w.Header())
	status := http.StatusBadRequest
	if errors.Is(err, awsapi.ErrTooLarge) {
		status = http.StatusRequestEntityTooLarge
	}
	w.Header().Set("Connection", "close") // the rest of the body is not read
	w.WriteHeader(status)
}

// write writes a response in JSON, and reports whether the client took it. If not, the memory of body must not be
// reused.
func (s *Service) write(w http.ResponseWriter, r *http.Request, x *exchange, status int, body []byte) bool {
	allowOrigin(w, r)
	x.head = awsapi.AppendHead(append(x.head[:0], "Content-Type", responseType(r)), &s.engine.Random, body)
	return s.api.Write(w, status, x.head, body)
}

// setRequestID gives a response without a body its id.
func (s *Service) setRequestID(header http.Header) {
	header[awsapi.RequestIDHeader] = []string{string(awsapi.AppendLongID(nil, &s.engine.Random))}
}

const (
	json10 = "application/x-amz-json-1.0"
	json11 = "application/json"
)

// responseType returns the request's own content type; a request without a body needs none, and gets application/json
// (dynalite's tests, verified on AWS).
func responseType(r *http.Request) string {
	if strings.HasPrefix(awsapi.Header(r.Header, "Content-Type"), json10) {
		return json10
	}
	return json11
}
