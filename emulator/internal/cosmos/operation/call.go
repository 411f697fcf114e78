package operation

import (
	"errors"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Call is an operation while it runs: what it is asked, what it works on, and what it answers. It knows nothing of HTTP.
type Call struct {
	Request
	Account   *Account
	Operation string
	Began     time.Time // on the machine's clock
	Buffers   *Buffers
	Work      *budget.Budget  // of a page of a feed, by which long requests take turns; nil: it makes none
	Memory    *budget.Account // what the request and its answer take of the memory of all requests

	Database  *engine.Database
	Container *engine.Container
	SameID    bool // the request may write one item only, to which it gives no other id

	Stale    bool                // a fault rule wants what the replica shows that trails most
	Replica  lag.Replica         // that answers a read
	Moment   lag.Moment          // that it shows, once it is looked at
	pinnedAs lag.Replica         // whose moment it is
	seen     uint64              // the highest LSN that the client's session knows
	Doubled  bool                // a read that meets several replicas costs twice
	spends   []*engine.Partition // whose throughput pays for the request
	Charge   float64             // in request units
	Out      wire.Response
}

// FindDatabase finds the database that the path begins with.
func (c *Call) FindDatabase() *wire.Error {
	if c.Database = c.Account.Catalog.Database(c.Route.ID(0)); c.Database != nil {
		return nil
	}
	if c.Route.Kind == wire.KindDatabase {
		return wire.NotFound(c.Route.ID(0))
	}
	return wire.OwnerNotFound()
}

// FindContainer finds the container that the path names or goes through, and holds the request to the one that the client
// means, where it says which.
func (c *Call) FindContainer() *wire.Error {
	if c.Container = c.Account.Catalog.Container(c.Route.ID(0), c.Route.ID(1)); c.Container == nil {
		if c.Route.Kind == wire.KindContainer && c.Account.Catalog.Database(c.Route.ID(0)) != nil {
			return wire.NotFound(c.Route.ID(1))
		}
		return wire.OwnerNotFound()
	}
	c.Database = c.Container.Database
	if rid := c.Header("X-Ms-Cosmos-Intended-Collection-Rid"); rid != "" && rid != c.Container.RID {
		return wire.WrongOwner()
	}
	return c.nameItem()
}

// nameItem puts an item's id in the path of one that is addressed by resource ids, as its _self is: of the item, its
// container and its database.
func (c *Call) nameItem() *wire.Error {
	if c.Route.Kind != wire.KindItem || c.Route.Feed || c.Route.ID(0) == c.Database.Name {
		return nil
	}
	rid := c.Route.Last()
	number, ok := c.Container.ItemNumber(rid)
	if !ok {
		return wire.BadRequest("Failed to parse the value '%s' as ResourceId.", rid)
	}
	found := false
	err := c.Account.Store.Get(c.Container.ItemKey(number), func(value []byte, ok bool) error {
		if found = ok; !ok {
			return nil
		}
		i, err := engine.ReadItem(number, value)
		if err == nil {
			c.Route.IDs[2] = i.ID
		}
		return err
	})
	if err == nil && !found {
		return wire.NotFound(rid)
	}
	return c.Internal(err)
}

// QueryLimits are what a page of a query of the request may use: memory as one with the request's own.
func (c *Call) QueryLimits() budget.Limits {
	limits := sql.Limits(c.Account.Pool)
	limits.Account = c.Memory
	return limits
}

// Internal is the answer to an error that is not the service's own: a fault of ours, which is logged.
func (c *Call) Internal(err error) *wire.Error {
	if err == nil {
		return nil
	}
	var own *wire.Error
	if errors.As(err, &own) {
		return own
	}
	if c.Ctx.Err() != nil { // nobody waits for the answer any more
		return wire.Unavailable()
	}
	if text, ok := store.Unavailable(err); ok { // which is logged where it happens
		return wire.StorageUnavailable(text)
	}
	c.Account.Log.Error("an operation failed for a reason of the emulator's own", "operation", c.Operation, "error", err)
	return wire.InternalError()
}

// CheckNewID holds a request with a token for one item to that item: it may not give it another id.
func (c *Call) CheckNewID(id string) *wire.Error {
	if c.SameID && id != c.ItemID() {
		return wire.InsufficientPermissions()
	}
	return nil
}

// FindChild is get in a state of the store of its own.
func (c *Call) FindChild(s *engine.ChildSet, id string) (one *engine.ChildResource, err *wire.Error) {
	problem := c.Account.Store.View(func(r *store.Reader) (err error) {
		one, err = s.Get(r, id)
		return err
	})
	return one, c.Account.Internal(problem)
}
