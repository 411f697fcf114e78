package cosmos

import (
	"errors"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// call is an operation while it runs: what it is asked, what it works on, and what it answers. It knows nothing of HTTP.
type call struct {
	request
	account   *account
	operation string
	began     time.Time // on the machine's clock
	buffers   *buffers
	work      *budget.Budget  // of a page of a feed, by which long requests take turns; nil: it makes none
	memory    *budget.Account // what the request and its answer take of the memory of all requests

	database  *database
	container *container
	sameID    bool // the request may write one item only, to which it gives no other id

	stale    bool         // a fault rule wants what the replica shows that trails most
	replica  lag.Replica  // that answers a read
	moment   lag.Moment   // that it shows, once it is looked at
	pinnedAs lag.Replica  // whose moment it is
	seen     uint64       // the highest LSN that the client's session knows
	doubled  bool         // a read that meets several replicas costs twice
	spends   []*partition // whose throughput pays for the request
	charge   float64      // in request units
	out      response
}

// findDatabase finds the database that the path begins with.
func (c *call) findDatabase() *Error {
	if c.database = c.account.catalog.database(c.route.id(0)); c.database != nil {
		return nil
	}
	if c.route.kind == kindDatabase {
		return notFound(c.route.id(0))
	}
	return ownerNotFound()
}

// findContainer finds the container that the path names or goes through, and holds the request to the one that the client
// means, where it says which.
func (c *call) findContainer() *Error {
	if c.container = c.account.catalog.container(c.route.id(0), c.route.id(1)); c.container == nil {
		if c.route.kind == kindContainer && c.account.catalog.database(c.route.id(0)) != nil {
			return notFound(c.route.id(1))
		}
		return ownerNotFound()
	}
	c.database = c.container.database
	if rid := c.header("X-Ms-Cosmos-Intended-Collection-Rid"); rid != "" && rid != c.container.rid {
		return wrongOwner()
	}
	return c.nameItem()
}

// nameItem puts an item's id in the path of one that is addressed by resource ids, as its _self is: of the item, its
// container and its database.
func (c *call) nameItem() *Error {
	if c.route.kind != kindItem || c.route.feed || c.route.id(0) == c.database.name {
		return nil
	}
	rid := c.route.last()
	number, ok := c.container.itemNumber(rid)
	if !ok {
		return badRequest("Failed to parse the value '%s' as ResourceId.", rid)
	}
	found := false
	err := c.account.store.Get(c.container.itemKey(number), func(value []byte, ok bool) error {
		if found = ok; !ok {
			return nil
		}
		i, err := readItem(number, value)
		if err == nil {
			c.route.ids[2] = i.id
		}
		return err
	})
	if err == nil && !found {
		return notFound(rid)
	}
	return c.internal(err)
}

// queryLimits are what a page of a query of the request may use: memory as one with the request's own.
func (c *call) queryLimits() budget.Limits {
	limits := sql.Limits(c.account.pool)
	limits.Account = c.memory
	return limits
}

// internal is the answer to an error that is not the service's own: a fault of ours, which is logged.
func (c *call) internal(err error) *Error {
	if err == nil {
		return nil
	}
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	if c.ctx.Err() != nil { // nobody waits for the answer any more
		return unavailable()
	}
	if text, ok := store.Unavailable(err); ok { // which is logged where it happens
		return storageUnavailable(text)
	}
	c.account.log.Error("an operation failed for a reason of the emulator's own", "operation", c.operation, "error", err)
	return internalError()
}
