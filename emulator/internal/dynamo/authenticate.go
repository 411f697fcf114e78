package dynamo

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/access"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// authenticate performs step 4 of the order of checks. Without configured identities it checks only the form of the
// signature, and the Principal is nil.
func (s *Service) authenticate(r *http.Request, x *exchange) (accounts.Scope, *identity.Principal, error) {
	if !s.gate.Enabled() {
		principal, err := authorize(r)
		return principal, nil, err
	}
	signed := x.in
	if x.packed != nil {
		signed = x.packed
	}
	principal, err := s.gate.Authenticate(r, signed)
	if err != nil {
		return accounts.Scope{}, nil, access.ConvertError(err)
	}
	return accounts.Scope{AccessKey: principal.AccessKey, Region: principal.Region}, principal, nil
}

// accountOf returns the account of a request. Where identities are configured, it is the caller's own account.
func (s *Service) accountOf(scope accounts.Scope, principal *identity.Principal) *engine.Account {
	if space := s.engine.Spaces.Of(principal != nil, scope, principal); space != "" {
		return s.engine.AccountNamed(space)
	}
	return s.engine.SharedAccount.Load()
}
