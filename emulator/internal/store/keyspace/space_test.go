package keyspace

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestKeySpaceLettersAreUnique(t *testing.T) {
	t.Parallel()
	paths, names := map[string]string{}, map[string]string{}
	for _, s := range All() {
		if taken, ok := paths[s.Path]; ok {
			t.Errorf("%q is the path of %s and of %s: take a letter that is free", s.Path, taken, s.Name)
		}
		paths[s.Path] = s.Name
		if taken, ok := names[s.Name]; ok {
			t.Errorf("%q and %q are both named %s", s.Path, taken, s.Name)
		}
		names[s.Name] = s.Path
		if s.Name == "" || s.Key == "" || s.Value == "" {
			t.Errorf("%q does not say what it holds: %+v", s.Path, s)
		}
	}
}

// A key has one meaning: if two spaces share a prefix, the letter after it distinguishes them. The counter of KMS is
// the key that ends there.
func TestKeySpacesDoNotOverlap(t *testing.T) {
	t.Parallel()
	for _, a := range All() {
		for _, b := range All() {
			if a.Path != b.Path && strings.HasPrefix(b.Path, a.Path) && a.Path != path(KMS) {
				t.Errorf("%s (%q) lies in %s (%q)", b.Name, b.Path, a.Name, a.Path)
			}
		}
	}
}

// Every declared letter must belong to a described space.
func TestEveryLetterBelongsToAKeySpace(t *testing.T) {
	t.Parallel()
	for _, file := range files(t) {
		listed := listedNames(file)
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && isByte(spec) && !slices.Contains(listed, spec.Names[0].Name) {
				t.Errorf("%s is the letter of no Space", spec.Names[0].Name)
			}
			return true
		})
	}
}

// files returns the files of this package. A space is described in the file that declares its letters.
func files(t *testing.T) (all []*ast.File) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, file)
	}
	return all
}

func isByte(spec *ast.ValueSpec) bool {
	typ, ok := spec.Type.(*ast.Ident)
	return ok && typ.Name == "byte"
}

// listedNames returns the arguments of the calls of path.
func listedNames(file *ast.File) (names []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if fn, ok := call.Fun.(*ast.Ident); ok && fn.Name == "path" {
			for _, arg := range call.Args {
				if letter, ok := arg.(*ast.Ident); ok {
					names = append(names, letter.Name)
				}
			}
		}
		return true
	})
	return names
}

func TestOf(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"i\x00\x00\x00\x01rest":        "items of tables",
		"bm\x00\x00\x00\x01":           "backups",
		"k":                            "counter of KMS",
		"k\x00\x01kid":                 "keys of KMS",
		"kabc\x00\xff\x00\x01aalias/x": "aliases of KMS",
		"zd\x00\x00\x00\x01lxxxxxxxx":  "change feeds",
		"zmc\x00\x00\x00\x01":          "containers",
		"q":                            "",
		"zq":                           "",
		"zd\x00\x00\x01":               "",
	} {
		if s, ok := Of([]byte(key)); s.Name != want || ok != (want != "") {
			t.Errorf("Of(%q) = %q, %v, want %q", key, s.Name, ok, want)
		}
	}
}

// Letters are stored in data folders: for a new space a line is added here, and no line is changed.
func TestLettersAreStored(t *testing.T) {
	t.Parallel()
	stored := []string{
		"aa", "an", "at", "bi", "bm", "c", "e", "i", "jb", "je", "ji", "k", "k*a", "k*k", "l", "n", "p", "r", "s", "t", "uc",
		"us", "v", "wa",
		"wh", "x", "y",
		"zb", "zd#d", "zd#i", "zd#k", "zd#l", "zd#n", "zd#s", "zd#u", "zd#x", "ze", "zmc", "zmd", "zmk", "zmn", "zmo", "zmp",
		"zmh",
		"zmu", "zn",
	}
	slices.Sort(stored)
	var paths []string
	for _, s := range All() {
		paths = append(paths, s.Path)
	}
	slices.Sort(paths)
	if !slices.Equal(paths, stored) {
		t.Errorf("the letters are %q, folders have %q", paths, stored)
	}
}

var update = flag.Bool("update", false, "write README.md anew")

// TestReadme compares the table in README.md with the spaces.
func TestReadme(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# Key spaces\n\nWhat the keys in the store begin with. `#` is a number of four bytes, `*` an escaped string, such as an account.\n" +
		"`go test ./emulator/internal/store/keyspace -update` writes this page.\n\n| prefix | holds | rest of the key | value |\n|---|---|---|---|\n")
	for _, s := range All() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", s.Path, s.Name, s.Key, s.Value)
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile("README.md"); err != nil || string(text) != b.String() {
		t.Errorf("README.md does not have the spaces as they are: go test ./emulator/internal/store/keyspace -update (%v)",
			err)
	}
}
