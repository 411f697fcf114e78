package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
)

// ARN returns the ARN of a resource of the account.
func (a *Account) ARN(service, resource string) string {
	return a.Engine.AccountID.ARN(service, a.Name, resource)
}

// Region returns the account's region.
func (a *Account) Region() string { return accounts.Region(a.Name) }

// ID returns the account id: the one in the account's name where identities are configured, else the engine's.
func (a *Account) ID() string { return a.Engine.AccountID.Number(a.Name) }

// NextUUID returns a random UUID, version 4.
func (s *Engine) NextUUID() string {
	hi, lo := s.Random.Next(), s.Random.Next()
	return awsapi.UUID(hi, lo)
}
