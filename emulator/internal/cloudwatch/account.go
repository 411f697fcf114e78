package cloudwatch

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// caller is who asks, and whose metrics and alarms are meant.
type caller struct {
	*Service
	who     *identity.Principal
	work    *budget.Budget // what the request may still use; nil: no bound
	account string         // the name of the account's space, as DynamoDB has it; empty for the one that all share
}

// caller reads whose metrics and alarms are meant from what the request is signed with and, where identities are
// configured, from who signed it.
func (s *Service) caller(r *http.Request, who *identity.Principal) *caller {
	credential, _ := accounts.Credential(r)
	return &caller{Service: s, who: who, work: budget.From(r.Context()), account: accounts.Space(s.gate, s.isolate, accounts.ScopeOf(credential), who)}
}

// arnOf is the ARN of an alarm.
func arnOf(space, name string) string { return accounts.ARN("cloudwatch", space, "alarm:"+name) }
