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

// CreateChild makes a script, a user, a permission or a client encryption key; as an upsert, it replaces one that is there.
func CreateChild(c *operation.Call) *wire.Error {
	s, err := childSet(c)
	if err != nil {
		return err
	}
	v, err := childBody(c, s)
	if err != nil {
		return err
	}
	one := &engine.ChildResource{ID: v.Field("id").Str(), Body: v}
	status := http.StatusCreated
	if err := changeChildren(c, s, func(tx *store.Tx) error {
		all, err := s.All(&tx.Reader)
		if err != nil {
			return err
		}
		one.Number, one.Created = c.Account.Random.Next()>>24&(1<<31-1), c.Account.Now().Unix()
		for _, other := range all {
			switch {
			case other.ID == one.ID && !c.Flag("X-Ms-Documentdb-Is-Upsert"):
				return wire.Conflict()
			case other.ID == one.ID:
				one.Number, one.Created, status = other.Number, other.Created, http.StatusOK
				if err := c.CheckMatch(other.ETag); err != nil {
					return err
				}
			case s.Kind == wire.KindPermission && auth.SameGrant(other.Body, v):
				return wire.Conflict()
			}
		}
		if s.Limit > 0 && len(all) >= s.Limit && status == http.StatusCreated {
			return wire.Forbidden("The container has as many resources of the kind %s as it may have: %d.", s.Kind, s.Limit)
		}
		return storeChild(c, tx, s, one)
	}); err != nil {
		return err
	}
	c.Charge = throughput.ChargeMetadataWrite
	return replyChild(c, status, s, one)
}
