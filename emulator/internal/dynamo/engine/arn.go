package engine

import "github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"

// ARN is the name of something of the account among all resources of all services.
func (a *Account) ARN(service, resource string) string {
	return accounts.ARN(service, a.Name, resource)
}

// Region is where the account is.
func (a *Account) Region() string { return accounts.Region(a.Name) }

// ID is the number of the account: that of its name where identities are configured.
func (a *Account) ID() string { return accounts.Number(a.Name) }
