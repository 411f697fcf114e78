package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// source is one Go file of the project.
type source struct {
	name string // slashed path from the module's root
	fset *token.FileSet
	file *ast.File
}

// folder returns the file's folder, "." for the module's root.
func (s source) folder() string { return path.Dir(s.name) }

func (s source) isTest() bool { return strings.HasSuffix(s.name, "_test.go") }

// importsPath reports whether the file imports a package by its whole path.
func (s source) importsPath(path string) bool {
	for _, imported := range s.file.Imports {
		if imported.Path.Value == strconv.Quote(path) {
			return true
		}
	}
	return false
}

// lines counts the lines from one position to another, both included.
func (s source) lines(from, to token.Pos) int {
	return s.fset.Position(to).Line - s.fset.Position(from).Line + 1
}

// allSources returns the Go files of the module. They are parsed once, for all tests, which must not change them.
func allSources(t *testing.T) []source {
	t.Helper()
	all, err := parseSources()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var parseSources = sync.OnceValues(func() (all []source, err error) {
	root := filepath.Join("..", "..")
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != root && skipped(d.Name()) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		s := source{fset: token.NewFileSet()}
		if s.file, err = parser.ParseFile(s.fset, name, nil, parser.ParseComments); err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		s.name = filepath.ToSlash(rel)
		all = append(all, s)
		return err
	})
	return all, err
})

func skipped(folder string) bool {
	return strings.HasPrefix(folder, ".") || folder == "testdata" || folder == "bin"
}

// parseCode returns a file with the declarations of code.
func parseCode(t *testing.T, code string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+code, 0)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// under reports whether a path is a folder or lies below it.
func under(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}
