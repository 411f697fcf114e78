package cosmos

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

// listDatabases lists the account's databases, or answers a query over them.
func listDatabases(c *call) *Error {
	var all []doc.Value
	for _, d := range c.account.catalog.all() {
		all = append(all, d.resource())
	}
	return c.replyList("Databases", "", all)
}
