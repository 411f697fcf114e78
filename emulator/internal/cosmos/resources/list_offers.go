package resources

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/query"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ListOffers lists the account's offers, or runs a query over them.
func ListOffers(c *operation.Call) *wire.Error { return operation.Do(c, query.ReadList, runListOffers) }

func runListOffers(r *operation.Run, in query.List) *wire.Error {
	var all []doc.Value
	for _, o := range r.Account.Catalog.Offers() {
		all = append(all, o.Resource())
	}
	return in.Reply(r, "Offers", "", all)
}
