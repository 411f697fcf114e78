package resources

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/auth"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/query"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// ListChildren lists all scripts of a kind, users, permissions or client encryption keys, or answers a query over them.
func ListChildren(c *operation.Call) *wire.Error {
	s, all, err := allChildren(c)
	if err != nil {
		return err
	}
	return query.ReplyList(c, s.Envelope, s.Owner, all)
}

func allChildren(c *operation.Call) (*engine.ChildSet, []doc.Value, *wire.Error) {
	s, err := childSet(c)
	if err != nil {
		return nil, nil, err
	}
	var all []*engine.ChildResource
	if err := c.Account.Internal(c.Account.Store.View(func(r *store.Reader) (err error) {
		all, err = s.All(r)
		return err
	})); err != nil {
		return nil, nil, err
	}
	resources := make([]doc.Value, len(all))
	for i, one := range all {
		resources[i] = s.Resource(one)
		if s.Kind == wire.KindPermission {
			if resources[i], err = auth.WithToken(c, resources[i]); err != nil {
				return nil, nil, err
			}
		}
	}
	return s, resources, nil
}
