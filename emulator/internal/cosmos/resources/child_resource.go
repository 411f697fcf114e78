package resources

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/auth"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// childSet is the one that the request's path goes to.
func childSet(c *operation.Call) (*engine.ChildSet, *wire.Error) {
	switch c.Route.Kind {
	case wire.KindUser:
		return c.Database.Users(), nil
	case wire.KindPermission:
		return findPermissions(c)
	case wire.KindEncryption:
		return c.Database.EncryptionKeys(), nil
	}
	return c.Container.Scripts(c.Route.Kind), nil
}

// findPermissions finds the permissions of the user in the path.
func findPermissions(c *operation.Call) (*engine.ChildSet, *wire.Error) {
	user, err := c.FindChild(c.Database.Users(), c.Route.ID(1))
	if err != nil {
		return nil, err
	}
	if user == nil {
		return nil, wire.OwnerNotFound()
	}
	return c.Database.Permissions(user), nil
}

// existingChild is the resource of an id, which has to be there and as the request's If-Match wants it.
func existingChild(c *operation.Call, s *engine.ChildSet, r *store.Reader, id string) (*engine.ChildResource, error) {
	one, err := s.Get(r, id)
	if err != nil {
		return nil, err
	}
	if one == nil {
		return nil, wire.NotFound(id)
	}
	if err := c.CheckMatch(one.ETag); err != nil {
		return nil, err
	}
	return one, nil
}

// changeChildren runs fn while nothing else changes the shelf.
func changeChildren(c *operation.Call, s *engine.ChildSet, fn func(tx *store.Tx) error) *wire.Error {
	latches := store.Latch(s.Prefix)
	if c.Container != nil {
		latches = latches.Within(c.Container.Gate)
	}
	return c.Account.Internal(c.Account.Store.UpdateContext(c.Ctx, latches, func(tx *store.Tx) error {
		if c.Container != nil && c.Container.Gone.Load() {
			return wire.OwnerNotFound()
		}
		return fn(tx)
	}))
}

// storeChild writes a resource: its etag and time are given here.
func storeChild(c *operation.Call, tx *store.Tx, s *engine.ChildSet, one *engine.ChildResource) error {
	one.ETag, one.Timestamp = c.Account.Random.GUID().ETag(), c.Account.Now().Unix()
	return tx.Set(s.Key(one.ID), one.Record())
}

// childBody is the request's body, checked.
func childBody(c *operation.Call, s *engine.ChildSet) (doc.Value, *wire.Error) {
	v, err := c.Object()
	if err != nil {
		return v, err
	}
	v = wire.WithoutSystem(v).Without("_token").Without("_permissions").Without("_cts")
	if err := wire.CheckID(v.Field("id")); err != nil {
		return v, err
	}
	return v, checkChild(c, s.Kind, v)
}

// replyChild answers a resource.
func replyChild(c *operation.Call, status int, s *engine.ChildSet, one *engine.ChildResource) *wire.Error {
	v := s.Resource(one)
	if s.Kind == wire.KindPermission {
		var err *wire.Error
		if v, err = auth.WithToken(c, v); err != nil {
			return err
		}
	}
	c.Reply(status, v)
	return nil
}
