package resources

import (
	"net/http"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/auth"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// CreateChild creates a script, a user, a permission or a client encryption key; as an upsert, it replaces an existing
// one.
func CreateChild(c *operation.Call) *wire.Error {
	return operation.Do(c, readChildBody, runCreateChild)
}

func runCreateChild(r *operation.Run, in childInput) *wire.Error {
	s := childSet(r, in.kind)
	if err := checkChild(r.Account, s.Kind, in.body); err != nil {
		return err
	}
	child := &engine.ChildResource{ID: in.body.Field("id").Str(), Body: in.body}
	status := http.StatusCreated
	if err := changeChildren(r, s, func(tx *store.Tx) error {
		all, err := s.All(&tx.Reader)
		if err != nil {
			return err
		}
		child.Number, child.Created = newNumber(r, all), r.Account.Now().Unix()
		old, err := in.replaced(s, all, child)
		if err != nil {
			return err
		}
		if old != nil {
			child.Number, child.Created, status = old.Number, old.Created, http.StatusOK
		} else if s.Limit > 0 && len(all) >= s.Limit {
			return wire.Forbidden("The container already has the maximum number of resources of the kind %s: %d.",
				s.Kind, s.Limit)
		}
		return storeChild(r, tx, s, child)
	}); err != nil {
		return err
	}
	r.Charge = throughput.ChargeMetadataWrite
	return in.reply(r, status, s, child)
}

// newNumber returns a random number that no other resource of the set has: the number of a user is part of the keys of
// the user's permissions.
func newNumber(r *operation.Run, all []*engine.ChildResource) (n uint64) {
	for taken := true; taken; {
		n = r.Account.Random.Next() >> 24 & (1<<31 - 1)
		taken = slices.ContainsFunc(all, func(other *engine.ChildResource) bool { return other.Number == n })
	}
	return n
}

// replaced returns the resource that an upsert replaces, or nil. It returns an error if the new resource conflicts with
// another one.
func (in *childInput) replaced(s *engine.ChildSet, all []*engine.ChildResource,
	child *engine.ChildResource) (old *engine.ChildResource, err error) {
	for _, other := range all {
		switch {
		case other.ID == child.ID && !in.upsert:
			return nil, wire.Conflict()
		case other.ID == child.ID:
			old = other
			if err := in.conditions.CheckMatch(other.ETag); err != nil {
				return nil, err
			}
		case s.Kind == wire.KindPermission && auth.SameGrant(other.Body, in.body):
			return nil, wire.Conflict()
		}
	}
	return old, nil
}
