package resources

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// DeleteDatabase deletes a database with all its containers.
func DeleteDatabase(c *operation.Call) *wire.Error {
	return operation.Do(c, readConditions, runDeleteDatabase)
}

func runDeleteDatabase(r *operation.Run, want engine.Conditions) *wire.Error {
	d, all := r.Database, &r.Account.Catalog
	if err := want.CheckMatch(d.ETag); err != nil {
		return err
	}
	if problem := all.Changing.Close(r.Ctx); problem != nil {
		return r.Internal(problem)
	}
	defer all.Changing.Open()
	if all.ByRID[d.RID] != d {
		return wire.NotFound(d.Name)
	}
	var gates []*store.Gate
	for _, one := range d.Containers {
		gates = append(gates, one.Gate)
	}
	err := r.Account.Store.UpdateContext(r.Ctx, store.Latch(engine.Numbered(engine.MetaDatabase, d.Number)).Alone(gates...), func(tx *store.Tx) error {
		for _, one := range d.Containers {
			if err := one.Drop(tx); err != nil {
				return err
			}
		}
		if o := all.Offers[d.RID]; o != nil {
			if err := tx.Delete(engine.Numbered(engine.MetaOffer, o.Number)); err != nil {
				return err
			}
		}
		if err := d.DropChildren(tx); err != nil {
			return err
		}
		return tx.Delete(engine.Numbered(engine.MetaDatabase, d.Number))
	})
	if err != nil {
		return r.Internal(err)
	}
	all.ForgetDatabase(d)
	r.Charge = throughput.ChargeMetadataWrite
	r.ReplyNothing(http.StatusNoContent)
	return nil
}
