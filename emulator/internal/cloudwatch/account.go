package cloudwatch

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// caller is the sender of a request and the account that it uses.
type caller struct {
	*Service
	principal *identity.Principal
	work      *budget.Budget // of the request; nil: no limit
	account   string         // name of the account's space, as in DynamoDB; empty: the shared one
}

// caller determines the account of a request from its credential and, if identities are configured, from its signer.
func (s *Service) caller(r *http.Request, who *identity.Principal) *caller {
	credential, _ := accounts.Credential(r)
	return &caller{Service: s, principal: who, work: budget.From(r.Context()), account: s.spaces.Of(s.gate.Enabled(),
		accounts.ScopeOf(credential), who)}
}

// arnOf returns the ARN of an alarm.
func (s *Service) arnOf(space, name string) string {
	return s.accountID.ARN("cloudwatch", space, "alarm:"+name)
}
