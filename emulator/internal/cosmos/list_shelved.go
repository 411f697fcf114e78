package cosmos

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// listChildren lists all scripts of a kind, users, permissions or client encryption keys, or answers a query over them.
func listChildren(c *call) *Error {
	s, all, err := c.allChildren()
	if err != nil {
		return err
	}
	return c.replyList(s.envelope, s.owner, all)
}

func (c *call) allChildren() (*ChildSet, []doc.Value, *Error) {
	s, err := c.childSet()
	if err != nil {
		return nil, nil, err
	}
	var all []*ChildResource
	if err := c.account.internal(c.account.store.View(func(r *store.Reader) (err error) {
		all, err = s.all(r)
		return err
	})); err != nil {
		return nil, nil, err
	}
	resources := make([]doc.Value, len(all))
	for i, one := range all {
		resources[i] = s.resource(one)
		if s.kind == kindPermission {
			if resources[i], err = c.withToken(resources[i]); err != nil {
				return nil, nil, err
			}
		}
	}
	return s, resources, nil
}
