package cloudwatch

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// Where an account is: what ARNs name.
const (
	accountID     = identity.DefaultAccount
	defaultRegion = "us-east-1"
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
	_, credential, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	parts := append(strings.SplitN(credential, "/", 4), "", "", "") // key/date/region/service/aws4_request
	c := &caller{Service: s, who: who, work: budget.From(r.Context())}
	switch {
	case s.isolate && s.gate.On():
		c.account = who.Account + "/" + who.Region // as it is signed
	case s.isolate:
		c.account = parts[0] + "/" + parts[2]
	case s.gate.On() && who.Space != accountID:
		c.account = who.Space
	}
	return c
}

// regionOf is where the account of a space is.
func regionOf(space string) string {
	if _, region, ok := strings.Cut(space, "/"); ok && region != "" {
		return region
	}
	return defaultRegion
}

// numberOf is the number of the account of a space: that of its name where identities are configured.
func numberOf(space string) string {
	if id, _, _ := strings.Cut(space, "/"); len(id) == len(accountID) && strings.Trim(id, "0123456789") == "" {
		return id
	}
	return accountID
}

// arnOf is the ARN of an alarm.
func arnOf(space, name string) string {
	return fmt.Sprintf("arn:aws:cloudwatch:%s:%s:alarm:%s", regionOf(space), numberOf(space), name)
}
