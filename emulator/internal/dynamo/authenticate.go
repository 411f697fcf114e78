package dynamo

import (
	"bytes"
	"io"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/access"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/pieces"
)

// authenticate performs step 4 of the order of checks. Without configured identities it checks only the form of the
// signature, and the Principal is nil.
func (s *Service) authenticate(r *http.Request, x *exchange) (accounts.Scope, *identity.Principal, error) {
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
		return accounts.Scope{}, nil, access.ConvertError(err)
	}
	return accounts.Scope{AccessKey: who.AccessKey, Region: who.Region}, who, nil
}

// keepPacked reads a gzip-compressed body whole, as it was sent: signatures cover the compressed bytes, and
// decompression then never waits for the client.
func (s *Service) keepPacked(r *http.Request, x *exchange) error {
	x.packed = nil
	if r.Header.Get("Content-Encoding") != "gzip" {
		return nil
	}
	packed, err := pieces.ReadAll(io.LimitReader(x.request.Memory.Reader(r.Context(), r.Body), MaxBody+1))
	if len(packed) > MaxBody {
		return &http.MaxBytesError{Limit: MaxBody}
	}
	x.packed, r.Body = packed, io.NopCloser(bytes.NewReader(packed))
	return err
}

// accountOf returns the account of a request. Where identities are configured, it is the caller's own account.
func (s *Service) accountOf(who accounts.Scope, principal *identity.Principal) *engine.Account {
	switch {
	case principal == nil:
		return s.engine.AccountForKey(who.AccessKey, who.Region)
	case s.engine.Isolate:
		return s.engine.AccountNamed(principal.Account + "/" + who.Region)
	case principal.Space == accounts.Default:
		return s.engine.SharedAccount.Load()
	}
	return s.engine.AccountNamed(principal.Space)
}
