package resources

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// DeleteChild deletes a script, a permission, or a user with all permissions.
func DeleteChild(c *operation.Call) *wire.Error {
	return operation.Do(c, readChildPath, runDeleteChild)
}

func runDeleteChild(r *operation.Run, in childInput) *wire.Error {
	s := childSet(r, in.kind)
	if err := changeChildren(r, s, func(tx *store.Tx) error {
		old, err := in.existing(s, &tx.Reader)
		if err != nil {
			return err
		}
		if s.Kind == wire.KindUser {
			if err := r.Database.Permissions(old).Drop(tx); err != nil {
				return err
			}
		}
		return tx.Delete(s.Key(old.ID))
	}); err != nil {
		return err
	}
	r.Charge = throughput.ChargeMetadataWrite
	r.ReplyNothing(http.StatusNoContent)
	return nil
}
