package operation

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// Call is a request to an operation: what it is asked, and what it runs on.
type Call struct {
	Request
	Run
}

// Start makes the Call of a request.
func (a *Account) Start(ctx context.Context, asked Request, memory *budget.Account) Call {
	asked.ctx, asked.of = ctx, a
	return Call{Request: asked, Run: Run{Ctx: ctx, Account: a, Began: a.Clock.Machine(), Buffers: borrowBuffers(), Memory: memory}}
}

// Do runs an operation in its two halves: read takes its input from the request, and refuses what is wrong with that
// whatever the items are; run does it, and knows nothing of the request.
func Do[I any](c *Call, read func(*Request, *engine.Container) (I, *wire.Error), run func(*Run, I) *wire.Error) *wire.Error {
	in, err := read(&c.Request, c.Container)
	if err != nil {
		return err
	}
	return run(&c.Run, in)
}

// FindDatabase finds the database that the path begins with, and the user whose permissions it is about.
func (c *Call) FindDatabase() *wire.Error {
	if c.Database = c.Account.Catalog.Database(c.Route.ID(0)); c.Database != nil {
		return c.findUser()
	}
	if c.Route.Kind == wire.KindDatabase {
		return wire.NotFound(c.Route.ID(0))
	}
	return wire.OwnerNotFound()
}

func (c *Call) findUser() (err *wire.Error) {
	if c.Route.Kind != wire.KindPermission {
		return nil
	}
	if c.User, err = c.FindChild(c.Database.Users(), c.Route.ID(1)); err == nil && c.User == nil {
		return wire.OwnerNotFound()
	}
	return err
}

// FindContainer finds the container that the path names or goes through, and holds the request to the one that the
// client means, where it says which.
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
