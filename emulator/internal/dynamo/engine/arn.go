package engine

import "strings"

// Where an account is, unless its name says otherwise: what ARNs name.
const (
	AccountID     = "000000000000"
	DefaultRegion = "us-east-1"
)

// ARN is the name of something of the account among all resources of all services.
func (a *Account) ARN(service, resource string) string {
	return "arn:aws:" + service + ":" + a.Region() + ":" + a.ID() + ":" + resource
}

// Region is where the account is.
func (a *Account) Region() string {
	if _, of, ok := strings.Cut(a.Name, "/"); ok && of != "" {
		return of
	}
	return DefaultRegion
}

// ID is the number of the account: that of its name where identities are configured.
func (a *Account) ID() string { return AccountNumber(a.Name) }

// AccountNumber is the 12 digits that ARNs have for the account of a name.
func AccountNumber(name string) string {
	if id, _, _ := strings.Cut(name, "/"); len(id) == len(AccountID) && strings.Trim(id, "0123456789") == "" {
		return id
	}
	return AccountID
}
