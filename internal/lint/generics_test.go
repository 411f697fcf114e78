package lint

import (
	"go/ast"
	"slices"
	"testing"
)

// typesBehindInterfaces lists, by folder, types that lead to generic types which the compiler instantiates again for
// each package that reaches them through fields and methods of its imports. names are the types that may be held only
// by fields of an interface type; hidden are the types of the folder that may still name them, because no exported type
// leads there.
func typesBehindInterfaces() map[string]struct{ names, hidden []string } {
	return map[string]struct{ names, hidden []string }{
		"emulator/internal/store": {
			[]string{"pebble.DB", "pebble.Batch", "pebble.Iterator", "pebble.Snapshot", "pebble.Reader", "pebble.Options"},
			[]string{"dbSource", "snapshotSource", "checkedFolder"},
		},
		"emulator/internal/lag": {[]string{"btreemap.BTreeMap"}, []string{"tree"}},
		"backend/observe":       {[]string{"sdkmetric.MeterProvider"}, nil},
	}
}

func TestHeavyGenericTypesAreBehindInterfaces(t *testing.T) {
	t.Parallel()
	for _, s := range allSources(t) {
		rule, ok := typesBehindInterfaces()[s.folder()]
		if !ok || s.isTest() {
			continue
		}
		for _, decl := range s.file.Decls {
			for owner, part := range importedParts(decl) {
				ast.Inspect(part, func(n ast.Node) bool {
					if sel, ok := n.(*ast.SelectorExpr); ok && slices.Contains(rule.names, selector(sel)) &&
						!slices.Contains(rule.hidden, owner) {
						t.Errorf("%s: %s names %s: hold it in a field of an interface type, or make the method a function",
							s.fset.Position(n.Pos()), owner, selector(sel))
					}
					return true
				})
			}
		}
	}
}

// importedParts returns what a package that imports a type reads of it, by the type's name: its definition and the
// signatures of its methods.
func importedParts(decl ast.Decl) map[string]ast.Node {
	found := map[string]ast.Node{}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil {
			found[receiver(d)] = d.Type
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if named, ok := spec.(*ast.TypeSpec); ok {
				found[named.Name.Name] = named.Type
			}
		}
	}
	return found
}

func selector(sel *ast.SelectorExpr) string {
	pkg, ok := sel.X.(*ast.Ident)
	if !ok {
		return ""
	}
	return pkg.Name + "." + sel.Sel.Name
}
