package lint

import (
	"go/ast"
	"strings"
	"testing"
)

// TestOperationsDoNotUseHTTP checks that Cosmos DB's operations, and the packages below them, do not use HTTP
// requests and responses: of net/http they may use the names of statuses and methods.
func TestOperationsDoNotUseHTTP(t *testing.T) {
	t.Parallel()
	for _, s := range allSources(t) {
		if s.isTest() || !isOperation(s.folder()) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			of, ok := selector.X.(*ast.Ident)
			name := selector.Sel.Name
			if ok && of.Name == "http" && !strings.HasPrefix(name, "Status") && !strings.HasPrefix(name, "Method") {
				t.Errorf("%s: http.%s: an operation sees nothing of HTTP", s.fset.Position(n.Pos()), name)
			}
			return true
		})
	}
}

func isOperation(folder string) bool {
	for _, name := range []string{"engine", "operation", "query", "scripts", "items", "resources"} {
		if under(folder, "emulator/internal/cosmos/"+name) {
			return true
		}
	}
	return false
}
