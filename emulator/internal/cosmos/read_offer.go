package cosmos

import (
	"net/http"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// readOffer reads the throughput of a database or container.
func readOffer(c *call) *Error {
	o := c.account.catalog.offer(c.route.id(0))
	if o == nil {
		return notFound(c.route.id(0))
	}
	c.charge = chargeMetadataRead
	c.replyOffer(o)
	return nil
}

// replyOffer answers an offer with what SDKs want to know of it: the least that it may become, and that no change is under way.
func (c *call) replyOffer(o *offer) {
	c.reply(http.StatusOK, o.resource())
	c.out.set("x-ms-offer-replace-pending", "false")
	c.out.set("x-ms-cosmos-min-throughput", strconv.Itoa(o.least()))
}

// offerResources are all offers as the service answers them.
func (c *call) offerResources() []doc.Value {
	var all []doc.Value
	for _, o := range c.account.catalog.allOffers() {
		all = append(all, o.resource())
	}
	return all
}
