package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/features/mutants"
)

// mutantVariable is the environment variable that selects the mutant in a combined program.
const mutantVariable = "TABLETOP_MUTANT"

// combinedName is the name of the combined program.
const combinedName = "combined"

// errNotInFunctions is the error of a mutant that changes more than function bodies. It needs a program of its own.
var errNotInFunctions = errors.New("it changes more than the bodies of functions")

// combine writes one program with many mutants, so that a list of hundreds is compiled only once. Each function that a
// mutant changes is there in its original form and once per mutant, and the environment variable selects which one
// runs. combine returns the overlay's replacements, and the mutants that cannot be part of the program.
func (g *gate) combine(all []mutants.Mutant) (replace map[string]string, separate []mutants.Mutant, err error) {
	replace = map[string]string{}
	files := map[string][]mutants.Mutant{}
	for _, m := range all {
		files[m.File] = append(files[m.File], m)
	}
	for name, of := range files {
		c, rest, err := g.combineFile(name, of)
		if err != nil {
			return nil, nil, err
		}
		separate = append(separate, rest...)
		if c == nil || len(c.order) == 0 {
			continue
		}
		if err := g.addReplacement(replace, combinedName, name, c.text()); err != nil {
			return nil, nil, err
		}
		which := filepath.ToSlash(filepath.Join(filepath.Dir(name), "zz_mutant.go"))
		if err := g.addReplacement(replace, combinedName, which,
			fmt.Appendf(nil, "package %s\n\nimport \"os\"\n\nvar mutant__ = os.Getenv(%q)\n", c.of.Name.Name,
				mutantVariable)); err != nil {
			return nil, nil, err
		}
	}
	return replace, separate, nil
}

func (g *gate) combineFile(name string, of []mutants.Mutant) (c *combined, separate []mutants.Mutant, err error) {
	if filepath.Ext(name) != ".go" {
		return nil, of, nil
	}
	source, err := os.ReadFile(filepath.Join(g.root, filepath.FromSlash(name)))
	if err != nil {
		return nil, nil, err
	}
	if c, err = newCombined(string(source)); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, m := range of {
		text, err := m.Apply(g.root)
		if err == nil {
			err = c.add(m.ID, text)
		}
		if err != nil { // its error is reported when it is built alone
			separate = append(separate, m)
		}
	}
	return c, separate, nil
}

// combined is a source file in which some functions have variants.
type combined struct {
	source
	variants map[string][]variant // by function
	order    []string             // the functions that have variants
}

// variant is a function as changed by a mutant.
type variant struct{ mutant, text string }

// source is a file's text, its syntax, and its functions by receiver and name.
type source struct {
	code  string
	files *token.FileSet
	of    *ast.File
	funcs map[string]*ast.FuncDecl
}

func newCombined(code string) (*combined, error) {
	s, err := parse(code)
	if err != nil {
		return nil, err
	}
	return &combined{source: s, variants: map[string][]variant{}}, nil
}

func parse(code string) (source, error) {
	s := source{code: code, files: token.NewFileSet(), funcs: map[string]*ast.FuncDecl{}}
	var err error
	if s.of, err = parser.ParseFile(s.files, "", code, parser.SkipObjectResolution); err != nil {
		return s, err
	}
	for _, d := range s.of.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			s.funcs[s.name(f)] = f
		}
	}
	return s, nil
}

// between returns the code between two positions.
func (s source) between(from, to token.Pos) string {
	return s.code[s.files.Position(from).Offset:s.files.Position(to).Offset]
}

func (s source) textOf(n ast.Node) string { return s.between(n.Pos(), n.End()) }

// name returns a name that is unique among the functions of the file.
func (s source) name(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	return s.textOf(f.Recv.List[0].Type) + "." + f.Name.Name
}

// rest returns the code without function bodies.
func (s source) rest() string {
	var b strings.Builder
	at := s.of.FileStart
	for _, d := range s.of.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			b.WriteString(s.between(at, f.Body.Pos()))
			at = f.Body.End()
		}
	}
	b.WriteString(s.between(at, s.of.FileEnd))
	return b.String()
}

// add adds the functions that a mutant changes. Errors: errNotInFunctions, or the mutant's code cannot be parsed.
func (c *combined) add(mutant, code string) error {
	changed, err := parse(code)
	if err != nil {
		return err
	}
	if changed.rest() != c.rest() {
		return errNotInFunctions
	}
	var names []string
	for name, f := range changed.funcs {
		was := c.funcs[name]
		if changed.textOf(f.Body) == c.textOf(was.Body) {
			continue
		}
		if f.Type.TypeParams != nil || f.Recv == nil && (name == "init" || name == "main") {
			return errNotInFunctions
		}
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if c.variants[name] == nil {
			c.order = append(c.order, name)
		}
		f := changed.funcs[name]
		text := "func " + changed.receiver(f) + fmt.Sprintf("%s__%d", f.Name.Name, len(c.variants[name])+1) +
			changed.between(f.Name.End(), f.End())
		c.variants[name] = append(c.variants[name], variant{mutant, text})
	}
	return nil
}

func (s source) receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	return s.textOf(f.Recv) + " "
}

// text returns the file. Functions with variants are renamed, and a function under the original name chooses the
// variant.
func (c *combined) text() []byte {
	var b bytes.Buffer
	at := c.of.FileStart
	for _, d := range c.of.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || c.variants[c.name(f)] == nil {
			continue
		}
		b.WriteString(c.between(at, f.Name.End()) + "__0")
		at = f.Name.End()
	}
	b.WriteString(c.between(at, c.of.FileEnd))
	for _, name := range c.order {
		b.WriteString(c.choice(c.funcs[name], c.variants[name]))
		for _, v := range c.variants[name] {
			b.WriteString("\n" + v.text + "\n")
		}
	}
	return b.Bytes()
}

// choice returns a function that calls the variant that the environment variable selects.
func (c *combined) choice(f *ast.FuncDecl, variants []variant) string {
	var b strings.Builder
	self := ""
	b.WriteString("\nfunc ")
	if f.Recv != nil {
		fmt.Fprintf(&b, "(self__ %s) ", c.textOf(f.Recv.List[0].Type))
		self = "self__."
	}
	parameters, arguments := c.parameters(f.Type.Params)
	fmt.Fprintf(&b, "%s(%s)%s {\n\tswitch mutant__ {\n", f.Name.Name, parameters,
		c.between(f.Type.Params.End(), f.Type.End()))
	call := func(n int) string { return fmt.Sprintf("%s%s__%d(%s)", self, f.Name.Name, n, arguments) }
	for i, v := range variants {
		fmt.Fprintf(&b, "\tcase %q:\n\t\t", v.mutant)
		if f.Type.Results == nil {
			fmt.Fprintf(&b, "%s\n\t\treturn\n", call(i+1))
		} else {
			fmt.Fprintf(&b, "return %s\n", call(i+1))
		}
	}
	b.WriteString("\t}\n\t")
	if f.Type.Results != nil {
		b.WriteString("return ")
	}
	fmt.Fprintf(&b, "%s\n}\n", call(0))
	return b.String()
}

// parameters returns the parameter list of a function, with every parameter named, and the arguments that pass them on.
func (c *combined) parameters(list *ast.FieldList) (parameters, arguments string) {
	var declared, passed []string
	for _, field := range list.List {
		for range max(1, len(field.Names)) {
			name := fmt.Sprintf("p%d__", len(declared))
			declared = append(declared, name+" "+c.textOf(field.Type))
			if _, many := field.Type.(*ast.Ellipsis); many {
				name += "..."
			}
			passed = append(passed, name)
		}
	}
	return strings.Join(declared, ", "), strings.Join(passed, ", ")
}
