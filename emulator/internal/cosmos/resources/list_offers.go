package resources

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/query"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ListOffers lists the account's offers, or answers a query over them.
func ListOffers(c *operation.Call) *wire.Error {
	return query.ReplyList(c, "Offers", "", offerResources(c))
}
