package script

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script/sandbox"
	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// program is a script in the form for the engine: an expression whose value is a function. The name appears in stack
// traces.
type program struct{ name, text string }

// cache holds recently used programs.
type cache struct {
	mu       sync.Mutex
	programs map[string]program // by name and source
}

const maxPrograms = 256

// program returns the program for a source, compiled under the limits of a script.
func (e *Engine) program(ctx context.Context, name, source string) (program, error) {
	key := name + "\x00" + source
	e.programs.mu.Lock()
	p, known := e.programs.programs[key]
	e.programs.mu.Unlock()
	if known {
		return p, nil
	}
	p, err := e.compile(ctx, name, source)
	if err != nil {
		return p, err
	}
	e.programs.mu.Lock()
	defer e.programs.mu.Unlock()
	if len(e.programs.programs) >= maxPrograms || e.programs.programs == nil {
		e.programs.programs = map[string]program{}
	}
	e.programs.programs[key] = p
	return p, nil
}

// compile treats the source as an expression, such as function(a) {…}, or else as statements, whose first function is
// the script.
func (e *Engine) compile(ctx context.Context, name, source string) (program, error) {
	if len(source) > MaxSource {
		return program{}, compileError("the script is too long")
	}
	s, err := e.newSession(ctx, compileMemory)
	if err != nil {
		return program{}, err
	}
	defer s.close()
	p := program{name: name}
	err = s.run(func() (err error) {
		p.text, err = s.expression(name, strings.TrimRight(strings.TrimPrefix(source, "\ufeff"), "; \t\r\n"))
		if errors.Is(err, sandbox.ErrTrap) {
			return compileError("the script is nested too deeply")
		}
		return err
	})
	return p, err
}

// expression returns an expression whose value is the script's function.
func (s *session) expression(name, source string) (string, error) {
	text := "(" + source + "\n)"
	syntaxErr, err := s.syntax(name, text)
	if err != nil {
		return "", err
	}
	if syntaxErr != nil {
		function, err := s.declared(name, source)
		if err != nil {
			return "", err
		}
		if function == "" {
			return "", syntaxErr
		}
		text = source + "\n;" + function
	}
	return text, s.checkBigInts(name, text)
}

// syntax returns the syntax error of a text; nil: none.
func (s *session) syntax(name, text string) (syntaxErr, err error) {
	v, err := s.vm.Compile(name, text)
	var thrown sandbox.Thrown
	if !errors.As(err, &thrown) {
		s.vm.Free(v)
		return nil, err
	}
	described, err := s.callPrelude("problem", "", thrown.Value)
	if err != nil {
		return nil, err
	}
	message, _, _ := strings.Cut(strings.TrimPrefix(described.Field("text").Str(), "SyntaxError: "), "\n")
	if at := errorLine.FindStringSubmatch(described.Field("stack").Str()); at != nil {
		message = name + ": Line " + at[1] + " " + message
	}
	return compileError(clip(message)), nil
}

// errorLine matches the line of a syntax error at the beginning of its stack. The column is not that of the error.
var errorLine = lazyregexp.New(`^\s*at .*:(\d+):\d+\)?\s`)

// declared returns the name of the first function that statements declare. Function declarations are hoisted, and a
// throw before the statements ends the evaluation.
func (s *session) declared(name, source string) (string, error) {
	if syntaxErr, err := s.syntax(name, source); syntaxErr != nil || err != nil {
		return "", err
	}
	var thrown sandbox.Thrown
	if _, err := s.vm.Eval(name, "throw 0;\n"+source); !errors.As(err, &thrown) {
		return "", err
	}
	v, err := s.callPrelude("declared", "")
	if err != nil || v.Kind() != doc.Text {
		return "", err
	}
	return v.Str(), nil
}

// bigInts matches what may be a BigInt literal such as 1n.
var bigInts = lazyregexp.New(`(^|[^0-9A-Za-z_$\x{80}-\x{10FFFF}])[0-9][0-9A-Za-z_]*n\b`)

// checkBigInts rejects BigInt literals such as 1n: scripts have no BigInt. If replacing them makes the source invalid,
// they were code, not part of a string, a comment or a regular expression.
func (s *session) checkBigInts(name, text string) error {
	if !bigInts.MatchString(text) {
		return nil
	}
	syntaxErr, err := s.syntax(name, bigInts.ReplaceAllString(text, "$1@@"))
	if err != nil || syntaxErr == nil {
		return err
	}
	return compileError("BigInt is not supported")
}
