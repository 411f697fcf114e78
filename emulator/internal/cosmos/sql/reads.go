package sql

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"

// reads records the paths that a query reads, or that it reads whole documents.
func (s *shaper) reads(q *ast.Query, b *block) {
	if q.From == nil {
		return
	}
	for i := range q.From.Sources {
		src := &q.From.Sources[i]
		if src.Query != nil {
			s.shape.All = true
			return
		}
		if len(src.Path) > 0 || src.In {
			s.read(s.aliases[aliasOf(src)])
		}
	}
	if q.Select.Star {
		s.read(s.aliases[aliasOf(&q.From.Sources[0])])
	}
	for _, e := range clauses(q) {
		s.readsOf(e)
	}
}

// clauses returns all expressions of a query.
func clauses(q *ast.Query) []ast.Expr {
	all := append([]ast.Expr{q.Select.Value, q.Where}, q.GroupBy...)
	for i := range q.Select.Items {
		all = append(all, q.Select.Items[i].Expr)
	}
	if q.OrderBy != nil {
		for i := range q.OrderBy.Items {
			all = append(all, q.OrderBy.Items[i].Expr)
		}
	}
	return all
}

func (s *shaper) readsOf(e ast.Expr) {
	ast.Walk(e, func(e ast.Expr) bool {
		if _, ok := e.(*ast.Subquery); ok {
			s.shape.All = true
			return false
		}
		if path, ok := s.path(e); ok {
			s.read(path)
			return false
		}
		return !s.shape.All
	})
}

// maxReads is the number of paths beyond which a query counts as one that reads whole documents.
const maxReads = 1000

func (s *shaper) read(path Path) {
	for i, step := range path {
		if step.Kind != Property { // arrays are read as a whole
			path = path[:i]
			break
		}
	}
	if len(path) == 0 || s.computed[path[0].Name] != nil {
		s.shape.All = true
	}
	if s.shape.All {
		s.shape.Reads = nil
		return
	}
	for _, known := range s.shape.Reads {
		if len(known) <= len(path) && samePath(known, path[:len(known)]) {
			return
		}
	}
	if s.shape.Reads = append(s.shape.Reads, path); len(s.shape.Reads) > maxReads {
		s.shape.All, s.shape.Reads = true, nil
	}
}
