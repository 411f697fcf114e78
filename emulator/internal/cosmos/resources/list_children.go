package resources

import (
	"context"

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
	return r.Internal(r.Account.Store.View(func(reader *store.Reader) error {
		source := &childSource{run: r, set: s, reader: reader, tokenLifetime: in.tokenLifetime}
		source.Skip(nil)
		defer func() { source.it.Close() }()
		if err := in.ReplyFrom(r, s.ListName, s.ParentRID, source); err != nil {
			return err
		}
		return nil
	}))
}

// childSource is a source of child resources for a query, as the service returns them. The position of a resource is
// its id.
type childSource struct {
	run           *operation.Run
	set           *engine.ChildSet
	reader        *store.Reader
	it            *engine.ChildIter
	tokenLifetime int64 // of permissions
}

// Next implements [query.Source].
func (s *childSource) Next(context.Context) (doc.Value, []byte, bool, error) {
	child, err := s.it.Next()
	if child == nil || err != nil {
		return doc.Value{}, nil, false, err
	}
	v := s.set.Resource(child)
	if s.set.Kind == wire.KindPermission {
		var err *wire.Error
		if v, err = auth.WithToken(s.run.Account, v, s.tokenLifetime); err != nil {
			return doc.Value{}, nil, false, err
		}
	}
	return v, []byte(child.ID), true, nil
}

// Skip implements [query.Source].
func (s *childSource) Skip(position []byte) {
	if s.it != nil {
		s.it.Close()
	}
	s.it = s.set.Iter(s.reader, string(position))
}
