package lint

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	longestFile     = 400 // lines
	longestFunction = 70  // lines, from signature to closing brace, without those of tables
	shortestTable   = 10  // lines of a composite literal that counts as a table
	widestLine      = 120 // columns; a tab is one
	longLiteral     = 40  // columns of a text that may make its line wider
)

func TestFilesAndFunctionsAreShort(t *testing.T) {
	t.Parallel()
	for _, s := range allSources(t) {
		if n := s.lines(s.file.FileStart, s.file.FileEnd); n > longestFile+1 {
			t.Errorf("%s has %d lines; which type is missing? (%d at most)", s.name, n, longestFile)
		}
		for _, f := range functions(s) {
			if n := s.lines(f.Pos(), f.End()) - s.tableLines(f); n > longestFunction {
				t.Errorf("%s: %s has %d lines (%d at most)", s.fset.Position(f.Pos()), f.Name.Name, n, longestFunction)
			}
		}
	}
}

// tableLines counts the lines of a function that are in tables.
func (s source) tableLines(f *ast.FuncDecl) (sum int) {
	ast.Inspect(f, func(n ast.Node) bool {
		table, ok := n.(*ast.CompositeLit)
		if !ok || s.lines(table.Pos(), table.End()) < shortestTable {
			return true
		}
		sum += s.lines(table.Pos(), table.End()) - 1
		return false
	})
	return sum
}

// TestLinesAreNarrow allows wider lines only where a text in them could not be broken: a literal, such as a message of
// the service, a tag of a field, or a comment with a directive.
func TestLinesAreNarrow(t *testing.T) {
	t.Parallel()
	for _, s := range allSources(t) {
		exempt := s.linesOfLongTexts()
		text, err := os.ReadFile(filepath.Join("..", "..", s.name))
		if err != nil {
			t.Fatal(err)
		}
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			line = alignment.ReplaceAllString(strings.TrimSuffix(line, "\n"), " ")
			if n := utf8.RuneCountInString(line); n > widestLine && !exempt[number] {
				t.Errorf("%s:%d has %d columns (%d at most)", s.name, number, n, widestLine)
			}
		}
	}
}

// isExampleOutput reports whether a comment is the expected output of an example.
func isExampleOutput(group *ast.CommentGroup) bool {
	return strings.HasPrefix(group.List[0].Text, "// Output:")
}

// alignment matches the space by which gofmt aligns the values of a table.
var alignment = regexp.MustCompile(` {2,}`)

// linesOfLongTexts returns the numbers of the lines with a long literal, or within a raw one, and those of directives.
func (s source) linesOfLongTexts() map[int]bool {
	lines := map[int]bool{}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if text, ok := n.(*ast.BasicLit); ok && len(text.Value) > longLiteral {
			from := s.fset.Position(text.Pos()).Line
			for i := range s.lines(text.Pos(), text.End()) {
				lines[from+i] = true
			}
		}
		return true
	})
	for _, group := range s.file.Comments {
		for _, c := range group.List {
			if !strings.HasPrefix(c.Text, "// ") || isExampleOutput(group) {
				lines[s.fset.Position(c.Pos()).Line] = true
			}
		}
	}
	return lines
}

func TestNoInitAndNoExitOutsideMain(t *testing.T) {
	t.Parallel()
	for _, s := range allSources(t) {
		for _, f := range functions(s) {
			if f.Name.Name == "init" && f.Recv == nil {
				t.Errorf("%s: init runs at each start of each program that imports the package; call it where it is needed",
					s.fset.Position(f.Pos()))
			}
		}
		// a TestMain that runs as another process exits it
		if filepath.Base(s.name) == "main.go" && s.file.Name.Name == "main" || s.isTest() {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if call, ok := n.(*ast.SelectorExpr); ok && isOsExit(call) {
				t.Errorf("%s: only main.go may end the process; return an error", s.fset.Position(n.Pos()))
			}
			return true
		})
	}
}

func isOsExit(call *ast.SelectorExpr) bool {
	pkg, ok := call.X.(*ast.Ident)
	return ok && pkg.Name == "os" && call.Sel.Name == "Exit"
}

func TestEveryPackageAndExportedNameIsDocumented(t *testing.T) {
	t.Parallel()
	documented, documentedMethods := map[string]bool{}, interfaceMethods(allSources(t))
	for _, s := range allSources(t) {
		documented[s.folder()] = documented[s.folder()] || s.file.Doc != nil
		if s.isTest() {
			continue
		}
		for _, name := range undocumented(s, func(method string) bool {
			return documentedMethods[s.folder()][method] || slices.ContainsFunc(s.file.Imports, func(i *ast.ImportSpec) bool {
				return documentedMethods[folderOf(i)][method]
			})
		}) {
			t.Errorf("%s: exported %s has no comment", s.name, name)
		}
	}
	for folder, ok := range documented {
		if !ok {
			t.Errorf("package in %s has no doc comment", folder)
		}
	}
}

// interfaceMethods returns the methods with a comment in each package's interfaces, by the package's folder: such a
// method is documented once, and not in each type that implements it.
func interfaceMethods(all []source) map[string]map[string]bool {
	methods := map[string]map[string]bool{}
	for _, s := range all {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if i, ok := n.(*ast.InterfaceType); ok && !s.isTest() {
				for _, m := range i.Methods.List {
					if len(m.Names) == 1 && (m.Doc != nil || m.Comment != nil) {
						if methods[s.folder()] == nil {
							methods[s.folder()] = map[string]bool{}
						}
						methods[s.folder()][m.Names[0].Name] = true
					}
				}
			}
			return true
		})
	}
	return methods
}

// folderOf returns the folder of an imported package of this module, as source.folder does.
func folderOf(i *ast.ImportSpec) string {
	return strings.TrimPrefix(strings.Trim(i.Path.Value, `"`), module+"/")
}

// undocumented returns the exported names without a comment, except for methods that an interface documents.
func undocumented(s source, isDocumented func(method string) bool) []string {
	var names []string
	for _, decl := range s.file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) && !isWellKnownMethod(d) &&
				(d.Recv == nil || !isDocumented(d.Name.Name)) {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if ts, ok := spec.(*ast.TypeSpec); ok && ts.Name.IsExported() && ts.Doc == nil && d.Doc == nil {
					names = append(names, ts.Name.Name)
				}
			}
		}
	}
	return names
}

// isWellKnownMethod reports whether a method is of a well-known interface.
func isWellKnownMethod(f *ast.FuncDecl) bool {
	switch f.Name.Name {
	case "Error", "String", "Unwrap", "Is", "Close", "ServeHTTP", "Len", "Less", "Swap":
		return f.Recv != nil
	}
	return false
}

func exportedReceiver(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	exported := false
	ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			exported = exported || id.IsExported()
		}
		return true
	})
	return exported
}

func TestNoTODOComments(t *testing.T) {
	t.Parallel()
	note := regexp.MustCompile(`\b(TODO|FIXME|XXX)\b`)
	for _, s := range allSources(t) {
		for _, group := range s.file.Comments {
			if note.MatchString(group.Text()) {
				t.Errorf("%s: a note to oneself: do it or drop it", s.fset.Position(group.Pos()))
			}
		}
	}
}

// TestEachImportIsNamedOnce checks that no file imports a package under two names.
func TestEachImportIsNamedOnce(t *testing.T) {
	t.Parallel()
	for _, s := range allSources(t) {
		seen := map[string]bool{}
		for _, imported := range s.file.Imports {
			if seen[imported.Path.Value] {
				t.Errorf("%s: %s is imported twice", s.fset.Position(imported.Pos()), imported.Path.Value)
			}
			seen[imported.Path.Value] = true
		}
	}
}

// TestTestsDoNotSleep checks that tests wait for a condition or move the clock.
func TestTestsDoNotSleep(t *testing.T) {
	t.Parallel()
	for _, s := range allSources(t) {
		if !s.isTest() {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if !ok || call.Sel.Name != "Sleep" {
				return true
			}
			if pkg, ok := call.X.(*ast.Ident); ok && strings.EqualFold(pkg.Name, "time") {
				t.Errorf("%s: wait for a condition or move the clock in place of time.Sleep", s.fset.Position(n.Pos()))
			}
			return true
		})
	}
}

func functions(s source) []*ast.FuncDecl {
	var all []*ast.FuncDecl
	for _, decl := range s.file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok {
			all = append(all, f)
		}
	}
	return all
}
