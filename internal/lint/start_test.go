package lint

import (
	"go/ast"
	"strings"
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

// TestCommandsHaveNoTemplates checks that no command sets a template of Cobra's. Package text/template keeps the linker
// from leaving out methods that nothing calls, which makes tabletop-emulator 5 MiB larger.
func TestCommandsHaveNoTemplates(t *testing.T) {
	t.Parallel()
	for _, s := range allSources(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && strings.HasPrefix(sel.Sel.Name, "Set") &&
				strings.HasSuffix(sel.Sel.Name, "Template") {
				t.Errorf("%s: write the text with a function in place of %s", s.fset.Position(n.Pos()), sel.Sel.Name)
			}
			return true
		})
	}
}
