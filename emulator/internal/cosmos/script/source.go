package script

import (
	"math/big"
	"reflect"
	"strings"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"
)

// cache is the programs that were compiled last.
type cache struct {
	mu       sync.Mutex
	programs map[string]*goja.Program // by name and source
}

const maxPrograms = 256

// program compiles a script: a function, of which evaluating the program gives the value. The name stands in stack traces.
func (c *cache) program(name, source string) (*goja.Program, error) {
	key := name + "\x00" + source
	c.mu.Lock()
	p := c.programs[key]
	c.mu.Unlock()
	if p != nil {
		return p, nil
	}
	p, err := compile(name, source)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.programs) >= maxPrograms || c.programs == nil {
		c.programs = map[string]*goja.Program{}
	}
	c.programs[key] = p
	return p, nil
}

// compile takes the source for an expression, such as function(a) {…}; else for statements, of which the first function is
// the script.
func compile(name, source string) (*goja.Program, error) {
	if len(source) > MaxSource {
		return nil, unusable("the script is too long")
	}
	if measureSource(source).tooMuch() {
		return nil, unusable("the script is nested too deeply, or an expression in it is too long")
	}
	source = strings.TrimRight(strings.TrimPrefix(source, "\ufeff"), "; \t\r\n")
	p, err := parse(name, "("+source+"\n)")
	if err == nil {
		return p, nil
	}
	tree, problem := parser.ParseFile(nil, name, source, 0, parser.WithDisableSourceMaps)
	if problem != nil {
		return nil, err
	}
	for _, statement := range tree.Body {
		if f, ok := statement.(*ast.FunctionDeclaration); ok {
			return parse(name, source+"\n;"+f.Function.Name.Name.String())
		}
	}
	return nil, err
}

func parse(name, source string) (*goja.Program, error) {
	tree, err := parser.ParseFile(nil, name, source, 0, parser.WithDisableSourceMaps)
	if err != nil {
		return nil, unusable(firstLine(err.Error()))
	}
	if hasBigInt(tree) {
		return nil, unusable("BigInt is not supported")
	}
	p, err := goja.CompileAST(tree, false)
	if err != nil {
		return nil, unusable(firstLine(err.Error()))
	}
	return p, nil
}

func firstLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	text = strings.TrimPrefix(text, "SyntaxError: ")
	return clip(text)
}

// measure is what of a source the parser needs its stack for, or time by the square. It is taken of the text, strings and
// comments included, and so is never less than it is.
type measure struct {
	nesting   int // of brackets in each other
	operators int // in one expression
	colons    int // in one, as of labels
}

func (m measure) tooMuch() bool {
	return m.nesting > maxNesting || m.operators > maxOperators || m.colons > maxColons
}

func measureSource(source string) measure {
	var most, now measure
	for i := range len(source) {
		switch source[i] {
		case '(', '[', '{':
			now = measure{nesting: now.nesting + 1}
		case ')', ']', '}':
			now = measure{nesting: max(0, now.nesting-1)}
		case ';', ',':
			now = measure{nesting: now.nesting}
		case '?':
			now.operators++
			now.colons = 0
		case ':':
			now.colons++
		case '+', '-', '*', '/', '%', '=', '<', '>', '!', '&', '|', '^', '~', '.':
			now.operators++
		}
		most = measure{max(most.nesting, now.nesting), max(most.operators, now.operators), max(most.colons, now.colons)}
	}
	return most
}

// hasBigInt looks for literals such as 1n: a number without a bound, of which one operator can take any time.
func hasBigInt(tree *ast.Program) bool {
	seen := map[uintptr]bool{}
	todo := []reflect.Value{reflect.ValueOf(tree.Body)}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch v.Kind() {
		case reflect.Interface:
			if v.Type() == anyType && !v.IsNil() {
				if _, big := v.Interface().(*big.Int); big {
					return true
				}
				continue
			}
			todo = append(todo, v.Elem())
		case reflect.Pointer:
			if !v.IsNil() && v.Type().Elem().Kind() == reflect.Struct && !seen[v.Pointer()] {
				seen[v.Pointer()] = true
				todo = append(todo, v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				todo = append(todo, v.Index(i))
			}
		case reflect.Struct:
			if strings.HasSuffix(v.Type().PkgPath(), "goja/ast") {
				for i := range v.NumField() {
					todo = append(todo, v.Field(i))
				}
			}
		}
	}
	return false
}

var anyType = reflect.TypeFor[any]()
