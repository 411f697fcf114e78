package resources

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/auth"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// childSet returns the set of child resources that the path addresses.
func childSet(r *operation.Run, k wire.Kind) *engine.ChildSet {
	switch k {
	case wire.KindUser:
		return r.Database.Users()
	case wire.KindPermission:
		return r.Database.Permissions(r.User)
	case wire.KindClientEncryptionKey:
		return r.Database.EncryptionKeys()
	}
	return r.Container.Scripts(k)
}

// childInput is the input of a request on a child resource.
type childInput struct {
	kind          wire.Kind
	id            string    // the last one in the path; for a create, that of the parent
	body          doc.Value // of a write, without the properties that the service sets
	conditions    engine.Conditions
	upsert        bool
	tokenLifetime int64 // of a permission's token, in seconds
}

// readChildPath reads a request on an existing child resource.
func readChildPath(r *operation.Request, _ *engine.Container) (childInput, *wire.Error) {
	in := childInput{kind: r.Route.Kind, id: r.Route.Last(), conditions: r.Conditions()}
	var err *wire.Error
	if in.kind == wire.KindPermission {
		in.tokenLifetime, err = auth.ParseTokenLifetime(r.Header("X-Ms-Documentdb-Expiry-Seconds"))
	}
	return in, err
}

// readChildBody reads a request that writes a child resource.
func readChildBody(r *operation.Request, container *engine.Container) (in childInput, err *wire.Error) {
	if in, err = readChildPath(r, container); err != nil {
		return in, err
	}
	in.upsert = r.Flag("X-Ms-Documentdb-Is-Upsert")
	if in.body, err = r.Object(); err != nil {
		return in, err
	}
	in.body = wire.WithoutSystemProperties(in.body).Without("_token").Without("_permissions").Without("_cts")
	return in, wire.CheckID(in.body.Field("id"))
}

// existing returns the resource in the path, which must exist and match the request's If-Match.
func (in *childInput) existing(s *engine.ChildSet, r *store.Reader) (*engine.ChildResource, error) {
	child, err := s.Get(r, in.id)
	if err != nil {
		return nil, err
	}
	if child == nil {
		return nil, wire.NotFound(in.id)
	}
	if err := in.conditions.CheckMatch(child.ETag); err != nil {
		return nil, err
	}
	return child, nil
}

// changeChildren runs fn in a transaction that excludes other changes to the set, and the deletion of its parent.
func changeChildren(r *operation.Run, s *engine.ChildSet, fn func(tx *store.Tx) error) *wire.Error {
	latches := store.Latch(r.Database.Key())
	if r.Container != nil {
		latches = store.Latch(s.Prefix).Within(r.Container.Gate)
	}
	return r.Account.Internal(r.Account.Store.UpdateContext(r.Ctx, latches, func(tx *store.Tx) error {
		if ok, err := parentExists(r, &tx.Reader); !ok {
			return wire.FirstError(err, wire.OwnerNotFound())
		}
		return fn(tx)
	}))
}

// parentExists reports whether the container, the database or the user that the request has found still exists.
func parentExists(r *operation.Run, reader *store.Reader) (bool, error) {
	if r.Container != nil {
		return !r.Container.Deleted.Load(), nil
	}
	return r.Database.Exists(reader, r.User)
}

// storeChild stores a resource with a new ETag and timestamp.
func storeChild(r *operation.Run, tx *store.Tx, s *engine.ChildSet, child *engine.ChildResource) error {
	child.ETag, child.Timestamp = r.Account.Random.GUID().ETag(), r.Account.Now().Unix()
	return tx.Set(s.Key(child.ID), child.Record())
}

// reply replies with a resource.
func (in *childInput) reply(r *operation.Run, status int, s *engine.ChildSet, child *engine.ChildResource) *wire.Error {
	v := s.Resource(child)
	if s.Kind == wire.KindPermission {
		var err *wire.Error
		if v, err = auth.WithToken(r.Account, v, in.tokenLifetime); err != nil {
			return err
		}
	}
	r.Reply(status, v)
	return nil
}
