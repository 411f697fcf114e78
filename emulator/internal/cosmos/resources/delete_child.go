package resources

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// DeleteChild deletes a script, a permission, or a user with his permissions.
func DeleteChild(c *operation.Call) *wire.Error {
	s, err := childSet(c)
	if err != nil {
		return err
	}
	if err := changeChildren(c, s, func(tx *store.Tx) error {
		old, err := existingChild(c, s, &tx.Reader, c.Route.Last())
		if err != nil {
			return err
		}
		if s.Kind == wire.KindUser {
			prefix := c.Database.PermissionPrefix(old)
			if err := tx.DeleteRange(prefix, store.PrefixEnd(prefix)); err != nil {
				return err
			}
		}
		return tx.Delete(s.Key(old.ID))
	}); err != nil {
		return err
	}
	c.Charge = throughput.ChargeMetadataWrite
	c.ReplyNothing(http.StatusNoContent)
	return nil
}
