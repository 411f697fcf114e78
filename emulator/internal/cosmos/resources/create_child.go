package resources

import (
	"net/http"

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
		old, err := in.replaced(s, &tx.Reader, child)
		if err != nil {
			return err
		}
		if old != nil {
			child.Number, child.Created, status = old.Number, old.Created, http.StatusOK
		} else if err := begin(r, tx, s, child); err != nil {
			return err
		}
		return storeChild(r, tx, s, child)
	}); err != nil {
		return err
	}
	r.Charge = throughput.ChargeMetadataWrite
	return in.reply(r, status, s, child)
}

// begin gives a new resource its number and creation time, if the set is not full.
func begin(r *operation.Run, tx *store.Tx, s *engine.ChildSet, child *engine.ChildResource) (err error) {
	if full, err := s.IsFull(&tx.Reader); full || err != nil {
		return wire.FirstError(err, wire.Forbidden(
			"The container already has the maximum number of resources of the kind %s: %d.", s.Kind, s.Limit))
	}
	child.Created = r.Account.Now().Unix()
	child.Number, err = s.NewNumber(tx)
	return err
}

// replaced returns the resource that an upsert replaces, or nil. It returns an error if the new resource conflicts with
// another one.
func (in *childInput) replaced(s *engine.ChildSet, r *store.Reader, child *engine.ChildResource) (*engine.ChildResource,
	error) {
	old, err := s.ByID(r, child.ID)
	if err != nil {
		return nil, err
	}
	if old != nil && !in.upsert {
		return nil, wire.Conflict()
	}
	if old != nil {
		if err := in.conditions.CheckMatch(old.ETag); err != nil {
			return nil, err
		}
	}
	if s.Kind != wire.KindPermission {
		return old, nil
	}
	same, err := s.Find(r, func(other *engine.ChildResource) bool {
		return other.ID != child.ID && auth.SameGrant(other.Body, in.body)
	})
	if same != nil {
		return nil, wire.Conflict()
	}
	return old, err
}
