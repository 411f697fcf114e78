package lint

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// keyspacePackage is the package that declares the prefix letters of the store's keys.
const keyspacePackage = "emulator/internal/store/keyspace"

// TestKeyPrefixesAreDeclaredInOnePackage finds letters in the packages that write to the store: constants, or bytes of
// a key. Two packages that choose their own letters may choose the same.
func TestKeyPrefixesAreDeclaredInOnePackage(t *testing.T) {
	t.Parallel()
	all := allSources(t)
	writers := map[string]bool{}
	for _, s := range all {
		if s.importsPath(module+"/emulator/internal/store") && !s.isTest() {
			writers[s.folder()] = true
		}
	}
	if len(writers) < 5 {
		t.Fatalf("only %v write to the store: this test does not look where they are", writers)
	}
	for _, s := range all {
		if writers[s.folder()] && !s.isTest() {
			for _, at := range letters(s.file) {
				t.Errorf("%s: a letter of a key is declared in %s", s.fset.Position(at), keyspacePackage)
			}
		}
	}
}

// letters returns the places where a file has a letter as a constant, or among the bytes of a composite literal.
func letters(file *ast.File) (found []token.Pos) {
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
			for _, spec := range g.Specs {
				found = append(found, letterLiterals(spec.(*ast.ValueSpec).Values)...)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok && isBytes(lit.Type) {
			found = append(found, letterLiterals(lit.Elts)...)
		}
		if call, ok := n.(*ast.CallExpr); ok && isBytes(call.Fun) && isShortText(call.Args[0]) {
			found = append(found, call.Pos())
		}
		return true
	})
	return found
}

func letterLiterals(all []ast.Expr) (found []token.Pos) {
	for _, e := range all {
		ast.Inspect(e, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.CHAR && isLetter(lit.Value) {
				found = append(found, lit.Pos())
			}
			return true
		})
	}
	return found
}

// isLetter reports whether a literal is a quoted letter or digit.
func isLetter(quoted string) bool {
	c := strings.ToLower(strings.Trim(quoted, "'\"`"))
	return len(c) == 1 && (c[0] >= 'a' && c[0] <= 'z' || c[0] >= '0' && c[0] <= '9')
}

// isShortText reports whether an expression is a text of one letter, such as "k".
func isShortText(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.STRING && isLetter(lit.Value)
}

func isBytes(e ast.Expr) bool {
	array, ok := e.(*ast.ArrayType)
	if !ok || array.Len != nil {
		return false
	}
	elem, ok := array.Elt.(*ast.Ident)
	return ok && elem.Name == "byte"
}

func TestLetterLiteralsAreFound(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]int{
		"const space = 'l'":                           1,
		"const (a = 'x'; b byte = '7')":               2,
		"const end = '}'":                             0,
		"var k = []byte{space, 'h' + 1}":              1,
		"var k = []byte(\"k\")":                       1,
		"var k = []byte(\"text\")":                    0,
		"func f() []byte { return []byte{'a', 'b'} }": 2,
		"func f() byte { return 'a' }":                0,
	} {
		if found := letters(parseCode(t, code)); len(found) != want {
			t.Errorf("%s: %d letters, want %d", code, len(found), want)
		}
	}
}
