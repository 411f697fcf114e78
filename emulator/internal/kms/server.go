package kms

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
)

// maxBody is the size in bytes of the largest request that is read: far above the service's largest request.
const maxBody = 1 << 20

// TargetPrefix is the prefix of X-Amz-Target in requests to the service.
const TargetPrefix = "TrentService."

// ServeHTTP handles a request of the service's JSON 1.1 protocol.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, _ := strings.CutPrefix(r.Header.Get("X-Amz-Target"), TargetPrefix)
	answer, err := s.api.Run(name, func() ([]byte, error) { return s.answer(r, name, inflight.AccountOf(w)) })
	status := http.StatusOK
	if err != nil {
		e := s.api.Answer(name, err)
		status, answer = e.Status, e.body()
	}
	header := w.Header()
	header.Set(awsapi.RequestIDHeader, s.requests.Next())
	header.Set("Content-Type", "application/x-amz-json-1.1")
	s.api.Write(w, status, nil, answer)
}

// newAPI returns the service's errors for failures that any service's requests can have.
func newAPI(log *slog.Logger) awsapi.Service[*Error] {
	return awsapi.Service[*Error]{Name: "kms", Log: log, TooMuchWork: tooMuchWork, TooSlow: timedOut, Busy: throttled,
		Internal: internalError}
}

func (s *Service) answer(r *http.Request, name string, hold *budget.Account) ([]byte, error) {
	run, known := operations[name]
	intake := awsapi.Intake{Title: "KMS", MaxBody: maxBody, Running: s.running, Store: s.store,
		Refuse: func(name, message string) error { return kmsError(name, message) }}
	return intake.Serve(r, hold, known, func(body []byte) ([]byte, error) {
		c, err := s.call(r, name, body)
		if err != nil {
			return nil, err
		}
		out, err := run(c, body)
		if err != nil || out == nil {
			return nil, err
		}
		return json.Marshal(out)
	})
}

func (e *Error) body() []byte {
	body, _ := json.Marshal(struct { // two texts
		Type    string `json:"__type"`
		Message string `json:"message,omitempty"`
	}{e.Type, e.Message})
	return body
}

// call is one request in progress.
type call struct {
	*account  // set while the keys are locked
	service   *Service
	operation string
	principal *identity.Principal
	work      *budget.Budget // of the request; nil: no limit
	space     string         // the account's name
}

// call checks a request's credentials.
func (s *Service) call(r *http.Request, operation string, body []byte) (*call, error) {
	credential, signed := accounts.Credential(r)
	if !signed {
		return nil, kmsError(identity.MissingToken, "Missing Authentication Token")
	}
	who, err := s.gate.Authenticate(r, body)
	if err != nil {
		return nil, convertAccessError(err)
	}
	c := &call{service: s, operation: operation, principal: who, work: budget.From(r.Context())}
	c.space = s.spaces.Of(s.gate.Enabled(), accounts.ScopeOf(credential), who)
	return c, nil
}
