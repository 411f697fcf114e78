package dynamo

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/pieces"
)

// authenticate is step 4 of the order of checks. Without identities only the form of a signature is looked at, and nobody is
// asked who they are.
func (s *Service) authenticate(r *http.Request, x *exchange) (scope, *identity.Principal, error) {
	if !s.gate.On() {
		who, err := authorize(r)
		return who, nil, err
	}
	body := x.in
	if x.packed != nil {
		body = x.packed
	}
	who, err := s.gate.Authenticate(r, body)
	if err != nil {
		return scope{}, nil, refusal(err)
	}
	return scope{who.AccessKey, who.Region}, who, nil
}

// refusal is the answer to whom identities refuse something.
func refusal(err error) error {
	var refused *identity.Error
	if errors.As(err, &refused) {
		return serviceError(refused.Code, refused.Message)
	}
	return err
}

// keepPacked receives a packed body whole, as it was sent: signatures cover that, and who unpacks it waits for no client meanwhile.
func (s *Service) keepPacked(r *http.Request, x *exchange) error {
	x.packed = nil
	if r.Header.Get("Content-Encoding") != "gzip" {
		return nil
	}
	packed, err := pieces.ReadAll(io.LimitReader(x.caller.memory.Reader(r.Context(), r.Body), MaxBody+1))
	if len(packed) > MaxBody {
		return &http.MaxBytesError{Limit: MaxBody}
	}
	x.packed, r.Body = packed, io.NopCloser(bytes.NewReader(packed))
	return err
}

// accountOf is the account space of a request: where identities are configured that of who asks, and no other.
func (s *Service) accountOf(who scope, principal *identity.Principal) *account {
	switch {
	case principal == nil:
		return s.account(who)
	case s.isolate:
		return s.accountNamed(principal.Account + "/" + who.region)
	case principal.Space == accountID:
		return s.shared.Load()
	}
	return s.accountNamed(principal.Space)
}
