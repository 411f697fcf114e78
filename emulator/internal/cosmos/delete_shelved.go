package cosmos

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// deleteChild deletes a script, a permission, or a user with his permissions.
func deleteChild(c *call) *Error {
	s, err := c.childSet()
	if err != nil {
		return err
	}
	if err := c.changeChildren(s, func(tx *store.Tx) error {
		old, err := c.existingChild(s, &tx.Reader, c.route.last())
		if err != nil {
			return err
		}
		if s.kind == kindUser {
			prefix := c.database.permissionPrefix(old)
			if err := tx.DeleteRange(prefix, store.PrefixEnd(prefix)); err != nil {
				return err
			}
		}
		return tx.Delete(s.key(old.id))
	}); err != nil {
		return err
	}
	c.charge = chargeMetadataWrite
	c.replyNothing(http.StatusNoContent)
	return nil
}
