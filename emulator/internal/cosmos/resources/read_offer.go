package resources

import (
	"net/http"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ReadOffer reads the throughput of a database or container.
func ReadOffer(c *operation.Call) *wire.Error {
	o := c.Account.Catalog.Offer(c.Route.ID(0))
	if o == nil {
		return wire.NotFound(c.Route.ID(0))
	}
	c.Charge = throughput.ChargeMetadataRead
	replyOffer(c, o)
	return nil
}

// replyOffer answers an offer with what SDKs want to know of it: the least that it may become, and that no change is under way.
func replyOffer(c *operation.Call, o *engine.Offer) {
	c.Reply(http.StatusOK, o.Resource())
	c.Out.Set("x-ms-offer-replace-pending", "false")
	c.Out.Set("x-ms-cosmos-min-throughput", strconv.Itoa(o.Least()))
}

// offerResources are all offers as the service answers them.
func offerResources(c *operation.Call) []doc.Value {
	var all []doc.Value
	for _, o := range c.Account.Catalog.AllOffers() {
		all = append(all, o.Resource())
	}
	return all
}
