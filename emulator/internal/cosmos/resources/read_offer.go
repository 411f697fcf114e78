package resources

import (
	"net/http"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ReadOffer reads the throughput of a database or container.
func ReadOffer(c *operation.Call) *wire.Error { return operation.Do(c, readOfferID, runReadOffer) }

func readOfferID(r *operation.Request, _ *engine.Container) (string, *wire.Error) {
	return r.Route.ID(0), nil
}

func runReadOffer(r *operation.Run, rid string) *wire.Error {
	o := r.Account.Catalog.Offer(rid)
	if o == nil {
		return wire.NotFound(rid)
	}
	r.Charge = throughput.ChargeMetadataRead
	replyOffer(r, o)
	return nil
}

// replyOffer replies with an offer and the headers that SDKs read: the minimum throughput, and that no replace is
// pending.
func replyOffer(r *operation.Run, o *engine.Offer) {
	r.Reply(http.StatusOK, o.Resource())
	r.Out.Set("x-ms-offer-replace-pending", "false")
	r.Out.Set("x-ms-cosmos-min-throughput", strconv.Itoa(o.MinThroughput()))
}
