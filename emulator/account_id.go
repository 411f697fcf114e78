package emulator

import (
	"fmt"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
)

// WithAccountID sets the account id, twelve digits, in ARNs and in the responses of STS. The default is 000000000000.
// The identities must belong to the same account. Start fails with an [AccountIDError] if id is not an account id, and
// with another error if the folder's tables or the identities belong to another account.
func WithAccountID(id string) Option { return func(o *options) { o.accountID = id } }

// AccountIDError means that an account id does not consist of twelve digits.
type AccountIDError struct{ ID string }

func (e *AccountIDError) Error() string {
	return fmt.Sprintf("%q is not an account id: use twelve digits, such as 123456789012", e.ID)
}

func checkAccountID(id string) error {
	if len(id) != len(accounts.Default) || strings.Trim(id, "0123456789") != "" {
		return &AccountIDError{id}
	}
	return nil
}
