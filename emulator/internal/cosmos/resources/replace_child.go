package resources

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// ReplaceChild replaces a script, a user, a permission or a client encryption key. A different id in the body renames
// the resource, except a client encryption key.
func ReplaceChild(c *operation.Call) *wire.Error {
	return operation.Do(c, readChildBody, runReplaceChild)
}

func runReplaceChild(r *operation.Run, in childInput) *wire.Error {
	s := childSet(r, in.kind)
	if err := checkChild(r.Account, s.Kind, in.body); err != nil {
		return err
	}
	child := &engine.ChildResource{ID: in.body.Field("id").Str(), Body: in.body}
	if err := changeChildren(r, s, func(tx *store.Tx) error {
		old, err := in.existing(s, &tx.Reader)
		if err != nil {
			return err
		}
		if child.ID != old.ID && s.ImmutableID {
			return wire.InvalidInput("The id of a resource of the kind %s cannot be changed.", s.Kind)
		}
		if child.ID != old.ID {
			if _, taken, err := tx.Get(s.Key(child.ID)); err != nil || taken {
				return wire.FirstError(err, wire.Conflict())
			}
			if err := tx.Delete(s.Key(old.ID)); err != nil {
				return err
			}
		}
		child.Number, child.Created = old.Number, old.Created
		return storeChild(r, tx, s, child)
	}); err != nil {
		return err
	}
	r.Charge = throughput.ChargeMetadataWrite
	return in.reply(r, http.StatusOK, s, child)
}
