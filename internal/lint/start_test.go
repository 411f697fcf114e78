package lint

import (
	"go/ast"
	"testing"
)

// TestStartCompilesNoRegularExpressions checks that packages of the programs declare lazyregexp.New, because a variable
// of a package is initialized at the start of every program that links it, whatever its command.
func TestStartCompilesNoRegularExpressions(t *testing.T) {
	t.Parallel()
	for _, s := range allSources(t) {
		if s.isTest() || under(s.folder(), "tools") || under(s.folder(), "examples") || s.file.Name.Name == "main" {
			continue
		}
		for _, decl := range s.file.Decls {
			if _, ok := decl.(*ast.GenDecl); !ok {
				continue
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				if _, ok := n.(*ast.FuncLit); ok {
					return false // runs later
				}
				if sel, ok := n.(*ast.SelectorExpr); ok && selector(sel) == "regexp.MustCompile" {
					t.Errorf("%s: use lazyregexp.New, which compiles on first use", s.fset.Position(n.Pos()))
				}
				return true
			})
		}
	}
}
