package operation

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// Call is a call of an operation: its request and its run.
type Call struct {
	Request
	Run
}

// Start returns the Call for a request.
func (a *Account) Start(ctx context.Context, request Request, memory *budget.Account) Call {
	request.ctx, request.account = ctx, a
	buffers := borrowBuffers(memory)
	return Call{Request: request, Run: Run{Ctx: ctx, Account: a, Began: a.Clock.Machine(), Buffers: buffers,
		Memory: memory, Out: wire.Response{Fields: buffers.Fields[:0]}}}
}

// Do runs the two halves of an operation. read parses and validates the input from the request, regardless of the
// stored items. run performs the operation and knows nothing of the request.
func Do[I any](c *Call, read func(*Request, *engine.Container) (I, *wire.Error),
	run func(*Run, I) *wire.Error) *wire.Error {
	in, err := read(&c.Request, c.Container)
	if err != nil {
		return err
	}
	return run(&c.Run, in)
}

// FindDatabase finds the database that the path begins with and, for a path of permissions, the user.
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

// FindContainer finds the container of the path. If the request names the resource id of the container that the client
// means, FindContainer checks that it is the same.
func (c *Call) FindContainer() *wire.Error {
	if c.Container = c.Account.Catalog.Container(c.Route.ID(0), c.Route.ID(1)); c.Container == nil {
		if c.Route.Kind == wire.KindContainer && c.Account.Catalog.Database(c.Route.ID(0)) != nil {
			return wire.NotFound(c.Route.ID(1))
		}
		return wire.OwnerNotFound()
	}
	c.Database = c.Container.Database
	if rid := c.Header("X-Ms-Cosmos-Intended-Collection-Rid"); rid != "" && rid != c.Container.RID {
		return wire.ContainerMismatch()
	}
	return c.resolveItemRID()
}

// resolveItemRID replaces the item's resource id in the path with its id, if the path consists of resource ids of the
// database, the container and the item, as a _self does.
func (c *Call) resolveItemRID() *wire.Error {
	if c.Route.Kind != wire.KindItem || c.Route.Feed || c.Route.ID(0) == c.Database.Name {
		return nil
	}
	rid := c.Route.Last()
	number, ok := c.Container.ParseItemRID(rid)
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
