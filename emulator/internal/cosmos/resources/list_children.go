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

// ListChildren lists the scripts of a kind, the users, the permissions or the client encryption keys, or runs a query
// over them.
func ListChildren(c *operation.Call) *wire.Error {
	return operation.Do(c, readChildren, runListChildren)
}

type childrenInput struct {
	query.List
	childInput
}

func readChildren(r *operation.Request, container *engine.Container) (in childrenInput, err *wire.Error) {
	if in.childInput, err = readChildPath(r, container); err != nil {
		return in, err
	}
	in.List, err = query.ReadList(r, container)
	return in, err
}

func runListChildren(r *operation.Run, in childrenInput) *wire.Error {
	s := childSet(r, in.kind)
	all, err := in.all(r, s)
	if err != nil {
		return err
	}
	return in.Reply(r, s.ListName, s.ParentRID, all)
}

// all returns the resources of a set as the service returns them.
func (in *childInput) all(r *operation.Run, s *engine.ChildSet) ([]doc.Value, *wire.Error) {
	var all []*engine.ChildResource
	err := r.Account.Internal(r.Account.Store.View(func(reader *store.Reader) (err error) {
		all, err = s.All(reader)
		return err
	}))
	resources := make([]doc.Value, len(all))
	for i, child := range all {
		resources[i] = s.Resource(child)
		if s.Kind == wire.KindPermission && err == nil {
			resources[i], err = auth.WithToken(r.Account, resources[i], in.tokenLifetime)
		}
	}
	return resources, err
}
