package lint

import (
	"go/ast"
	"testing"
)

// TestPoolsArePoisonPools checks that memory shared by the emulator's requests goes through package poison, so that
// tests detect its use after release.
func TestPoolsArePoisonPools(t *testing.T) {
	t.Parallel()
	for _, s := range allSources(t) {
		if s.isTest() || !under(s.folder(), "emulator") || under(s.folder(), "emulator/internal/poison") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			used, ok := n.(*ast.SelectorExpr)
			if ok && used.Sel.Name == "Pool" {
				if from, ok := used.X.(*ast.Ident); ok && from.Name == "sync" {
					t.Errorf("%s uses sync.Pool: poison.Pool is the same, and can be tested", s.fset.Position(used.Pos()))
				}
			}
			return true
		})
	}
}
