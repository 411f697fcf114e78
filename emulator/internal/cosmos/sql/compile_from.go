package sql

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"

func (c *compiler) from(b *block, f *ast.From) {
	for i := range f.Sources {
		s := &f.Sources[i]
		b.sources = append(b.sources, c.source(b, s, i == 0))
		alias := aliasOf(s)
		if alias == "" {
			continue
		}
		if _, twice := c.scope.names[alias]; twice {
			c.fail(faultAliasTwice.at(s.Span, alias))
		}
		c.scope.names[alias] = b.sources[i].slot
		c.container = false
	}
}

// aliasOf returns a source's alias, or the last name of its path if it has none ("FROM clause"); empty: there is none.
func aliasOf(s *ast.Source) string {
	if s.Alias != "" || s.Query != nil {
		return s.Alias
	}
	if len(s.Path) == 0 {
		return s.Root
	}
	if last := s.Path[len(s.Path)-1]; !last.IsIndex {
		return last.Name
	}
	return ""
}

func (c *compiler) source(b *block, s *ast.Source, first bool) source {
	if s.Query != nil {
		return c.subSource(b, s, first)
	}
	base, group, ok := c.scope.lookup(s.Root)
	if ok && group != nil {
		c.fail(faultUngrouped.at(s.Span, s.Root))
	}
	if !ok {
		if base = containerSlot; !first || !c.container {
			c.fail(faultIdentifier.at(s.RootAt, s.Root))
		}
	}
	c.container = false
	compiled := source{slot: c.slot(), base: base, path: s.Path, in: s.In}
	switch {
	case !c.documents[base]:
	case len(s.Path) == 0 && !s.In:
		c.documents[compiled.slot] = true
	case len(s.Path) > 0:
		if value, ok := c.computed(base, s.Path[0].Name); ok {
			compiled.head, compiled.path = value, s.Path[1:]
		}
	}
	return compiled
}

// subSource compiles a subquery in FROM. If it reads the container and needs all documents before its first row, it
// becomes the block's under: its rows are the documents of the query.
func (c *compiler) subSource(b *block, s *ast.Source, first bool) source {
	over := first && c.container
	sub := c.query(s.Query, false)
	if over && readsContainer(sub) && (sub.grouped || sub.distinct || sub.under != nil) {
		b.under = sub
		return source{slot: c.slot(), base: containerSlot, in: s.In}
	}
	return source{slot: c.slot(), in: s.In, sub: sub}
}

// readsContainer reports whether a block reads the container.
func readsContainer(b *block) bool {
	if len(b.sources) == 0 {
		return false
	}
	if b.under != nil {
		return true
	}
	first := b.sources[0]
	return first.sub == nil && first.base == containerSlot || first.sub != nil && readsContainer(first.sub)
}
