package kms

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// maxBody is the size in bytes of the largest request that is read: far above the largest that the service takes.
const maxBody = 1 << 20

// TargetPrefix is what X-Amz-Target begins with in requests for the service.
const TargetPrefix = "TrentService."

// ServeHTTP answers a request of the service's JSON 1.1 protocol.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer, err := s.answer(r, inflight.Of(w))
	status := http.StatusOK
	if err != nil {
		e := s.asError(r, err)
		status, answer = e.Status, e.body()
	}
	header := w.Header()
	header.Set("x-amzn-RequestId", s.requestID())
	header.Set("Content-Type", "application/x-amz-json-1.1")
	w.WriteHeader(status)
	if _, err := w.Write(answer); err != nil {
		s.log.Debug("the client did not take its answer", "error", err)
	}
}

func (s *Service) answer(r *http.Request, hold *budget.Account) (answer []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("an operation of KMS panicked", "target", r.Header.Get("X-Amz-Target"), "panic", p, "stack", string(debug.Stack()))
			answer, err = nil, internalError()
		}
	}()
	body, err := io.ReadAll(io.LimitReader(hold.Reader(r.Context(), r.Body), maxBody+1))
	if errors.Is(err, budget.ErrBusy) {
		return nil, throttled()
	}
	if err != nil || len(body) > maxBody {
		return nil, kmsError("SerializationException", "")
	}
	name, _ := strings.CutPrefix(r.Header.Get("X-Amz-Target"), TargetPrefix)
	run, known := operations[name]
	if !known {
		return nil, kmsError("UnknownOperationException", "")
	}
	if err := s.store.Readable(); err != nil { // what memory has of the state may be gone after a restart
		return nil, err
	}
	c, err := s.call(r, name, body)
	if err != nil {
		return nil, err
	}
	out, err := run(c, body)
	if err != nil || out == nil {
		return nil, err
	}
	return json.Marshal(out)
}

// asError is the answer to a failed operation: any error that is not the service's own is a fault of ours.
func (s *Service) asError(r *http.Request, err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	if e := budgetError(err); e != nil {
		return e
	}
	if text, ok := store.Unavailable(err); ok { // which is logged where it happens
		return unavailable(text)
	}
	s.log.Error("an operation of KMS failed for a reason of the emulator's own", "target", r.Header.Get("X-Amz-Target"), "error", err)
	return internalError()
}

func (e *Error) body() []byte {
	body, _ := json.Marshal(struct { // two texts
		Type    string `json:"__type"`
		Message string `json:"message,omitempty"`
	}{e.Type, e.Message})
	return body
}

// call is one request that is being answered.
type call struct {
	*account  // set while the keys are locked
	service   *Service
	operation string
	who       *identity.Principal
	work      *budget.Budget // what the request may still use; nil: no bound
	space     string         // the account's name
}

// call checks a request's credentials.
func (s *Service) call(r *http.Request, operation string, body []byte) (*call, error) {
	credential := r.URL.Query().Get("X-Amz-Credential")
	if credential == "" {
		header := r.Header.Get("Authorization")
		if !strings.HasPrefix(header, "AWS4-") {
			return nil, kmsError(identity.MissingToken, "Missing Authentication Token")
		}
		_, rest, _ := strings.Cut(header, "Credential=")
		credential, _, _ = strings.Cut(rest, ",")
	}
	who, err := s.gate.Authenticate(r, body)
	if err != nil {
		return nil, asRefusal(err)
	}
	return &call{service: s, operation: operation, who: who, work: budget.From(r.Context()), space: s.spaceOf(credential, who)}, nil
}

// spaceOf is the name of the account of a request, as DynamoDB has it: where identities are configured that of who asks.
func (s *Service) spaceOf(credential string, who *identity.Principal) string {
	parts := append(strings.SplitN(credential, "/", 4), "", "", "") // key/date/region/service/aws4_request
	switch {
	case s.isolate && s.gate.On():
		return who.Account + "/" + who.Region // as it is signed
	case s.isolate:
		return parts[0] + "/" + parts[2]
	case s.gate.On() && who.Space != defaultAccount:
		return who.Space
	}
	return ""
}
