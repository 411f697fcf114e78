package resources

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// ReplaceChild replaces a script, a user, a permission or a client encryption key. Another id in the body is the resource's new one.
func ReplaceChild(c *operation.Call) *wire.Error {
	s, err := childSet(c)
	if err != nil {
		return err
	}
	v, err := childBody(c, s)
	if err != nil {
		return err
	}
	one := &engine.ChildResource{ID: v.Field("id").Str(), Body: v}
	if err := changeChildren(c, s, func(tx *store.Tx) error {
		old, err := existingChild(c, s, &tx.Reader, c.Route.Last())
		if err != nil {
			return err
		}
		if one.ID != old.ID && s.FixedID {
			return wire.InvalidInput("The id of a resource of the kind %s cannot be changed.", s.Kind)
		}
		if one.ID != old.ID {
			if _, taken, err := tx.Get(s.Key(one.ID)); err != nil || taken {
				return wire.FirstError(err, wire.Conflict())
			}
			if err := tx.Delete(s.Key(old.ID)); err != nil {
				return err
			}
		}
		one.Number, one.Created = old.Number, old.Created
		return storeChild(c, tx, s, one)
	}); err != nil {
		return err
	}
	c.Charge = throughput.ChargeMetadataWrite
	return replyChild(c, http.StatusOK, s, one)
}
