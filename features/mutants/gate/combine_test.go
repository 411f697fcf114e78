package main

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const sampleSource = `package shop

import "fmt"

const vat = 12

type shop struct{ open bool }

func (s *shop) sell(int, _ string, goods ...string) (n int, err error) {
	n, err = fmt.Sscan("1", &n)
	return n, err
}

func (shop) close() { fmt.Println("closed") }

func price(net, tax int) int { return net + tax }

func each[T any](all []T) int { return len(all) }
`

// TestEachMutantHasACopyOfItsFunction checks that a file with several mutants compiles and contains each of them.
func TestEachMutantHasACopyOfItsFunction(t *testing.T) {
	t.Parallel()
	c, err := newCombined(sampleSource)
	if err != nil {
		t.Fatal(err)
	}
	changes := map[string][2]string{
		"tax-left-out":    {"net + tax", "net"},
		"tax-subtracted":  {"net + tax", "net - tax"},
		"stays-open":      {`fmt.Println("closed")`, `fmt.Println("open")`},
		"sells-twice":     {`fmt.Sscan("1", &n)`, `fmt.Sscan("2", &n)`},
		"error-forgotten": {"return n, err", "return n, nil"},
	}
	for name, of := range changes {
		if err := c.add(name, strings.Replace(sampleSource, of[0], of[1], 1)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	text := string(c.text())
	for name, of := range changes {
		if !strings.Contains(text, `case "`+name+`":`) || !strings.Contains(text, of[1]) {
			t.Errorf("%s is not in the file:\n%s", name, text)
		}
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "shop.go", text, 0)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	which, err := parser.ParseFile(files, "which.go", "package shop\n\nvar mutant__ string\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&types.Config{Importer: importer.ForCompiler(files, "gc", exportData)}).Check("shop", files,
		[]*ast.File{file, which}, nil); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestOnlyFunctionBodiesAreCombined checks that a change outside of function bodies needs a program of its own.
func TestOnlyFunctionBodiesAreCombined(t *testing.T) {
	t.Parallel()
	for what, of := range map[string][2]string{
		"a constant":                   {"vat = 12", "vat = 14"},
		"a signature":                  {"net, tax int", "tax, net int"},
		"a function of any type":       {"len(all)", "cap(all)"},
		"an import":                    {`import "fmt"`, `import "log"`},
		"what cannot be parsed at all": {"return net", "return return net"},
	} {
		c, err := newCombined(sampleSource)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.add("m", strings.Replace(sampleSource, of[0], of[1], 1)); err == nil {
			t.Errorf("%s was combined:\n%s", what, c.text())
		}
	}
}

// exportData returns the compiler's export data of a package of the standard library, wherever Go is installed.
func exportData(path string) (io.ReadCloser, error) {
	file, err := exec.Command("go", "list", "-export", "-f", "{{.Export}}", path).Output()
	if err != nil {
		return nil, err
	}
	return os.Open(strings.TrimSpace(string(file)))
}
