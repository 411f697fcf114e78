package engine

import (
	"fmt"
	"strings"
)

// AccountError means that stored tables belong to another account than the engine's. Their streams and backups have
// ARNs of that account, with which the engine would not find them.
type AccountError struct {
	ARN     string // of a stored table
	Account string // the engine's
}

func (e *AccountError) Error() string {
	owner := "another account"
	if parts := strings.Split(e.ARN, ":"); len(parts) > 4 {
		owner = "account " + parts[4]
	}
	return fmt.Sprintf("the stored tables belong to %s, not to %s: start with their account's id (--account-id)", owner,
		e.Account)
}
