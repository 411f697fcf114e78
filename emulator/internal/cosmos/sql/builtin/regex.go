package builtin

import (
	"io"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// maxPattern is the maximum length in bytes of a pattern for REGEXMATCH. The service documents no limit.
const maxPattern = 16 << 10

// regexMatch is REGEXMATCH. The service uses PCRE; this uses RE2, which runs in linear time. RE2 lacks some features of
// PCRE, such as lookaround (?=…) and backreferences \1. For these the result is undefined, as it is for invalid
// patterns in the service.
func regexMatch(env *Env, args []doc.Value) doc.Value {
	if !all(doc.Text, args...) || len(args[1].Str()) > maxPattern {
		return undefined
	}
	pattern, flags := args[1].Str(), ""
	if len(args) == 3 {
		flags = args[2].Str()
	}
	if strings.Trim(flags, "msix") != "" {
		return undefined
	}
	if strings.Contains(flags, "x") {
		pattern = withoutSpace(pattern)
	}
	if flags = strings.ReplaceAll(flags, "x", ""); flags != "" {
		pattern = "(?" + flags + ")" + pattern
	}
	compiled := env.pattern(pattern)
	if compiled == nil {
		return undefined
	}
	return compiled.match(env, args[0].Str())
}

// compiledPattern is a compiled pattern and its approximate number of instructions, which determines the time of a
// match.
type compiledPattern struct {
	*regexp.Regexp
	size int
}

// maxMatchSteps is the number of steps up to which a match is one piece of work: up to 10 ms.
const maxMatchSteps = 64 << 10

// match reports whether a text matches. A long match counts its work in portions, between which the query can end and
// other requests get their turn; that takes up to twice as long.
func (p *compiledPattern) match(env *Env, text string) doc.Value {
	if steps := product(len(text), p.size) / 4; steps <= maxMatchSteps {
		if !env.step(steps) {
			return undefined
		}
		return doc.Bool(p.MatchString(text))
	}
	r := &meteredText{env: env, rest: strings.NewReader(text), size: p.size}
	matches := p.MatchReader(r)
	if !r.count() {
		return undefined
	}
	return doc.Bool(matches)
}

// meteredText is a text that counts the work of matching it while it is read. It ends early if the query may not
// continue.
type meteredText struct {
	env     *Env
	rest    *strings.Reader
	size    int // of the pattern
	pending int // work that is not counted yet, in quarters of a step
}

// ReadRune implements [io.RuneReader].
func (m *meteredText) ReadRune() (r rune, bytes int, err error) {
	if m.pending >= maxMatchSteps && !m.count() {
		return 0, 0, io.EOF
	}
	r, bytes, err = m.rest.ReadRune()
	m.pending += bytes * m.size
	return r, bytes, err
}

// count counts the pending work and reports whether the query may continue.
func (m *meteredText) count() bool {
	steps := m.pending / 4
	m.pending %= 4
	return m.env.step(steps)
}

// maxProgram is the maximum number of instructions of a pattern: nested repetitions yield millions. The service
// documents no limit.
const maxProgram = 64 << 10

// pattern compiles a pattern; nil if it is invalid or too large. It caches the last one, which usually is the same for
// all rows.
func (e *Env) pattern(text string) *compiledPattern {
	if e.lastPattern == text && e.compiled != nil {
		return e.compiled
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil
	}
	size := programSize(parsed)
	if size > maxProgram || !e.step(20*(len(text)+size)) {
		return nil
	}
	compiled, err := regexp.Compile(text)
	if err != nil {
		return nil
	}
	e.lastPattern, e.compiled = text, &compiledPattern{compiled, size}
	return e.compiled
}

// programSize returns the approximate number of instructions of a compiled pattern.
func programSize(re *syntax.Regexp) int {
	size := 1 + len(re.Rune)/4
	for _, sub := range re.Sub {
		size += programSize(sub)
	}
	if re.Op == syntax.OpRepeat {
		size = product(size, max(re.Min, re.Max, 1))
	}
	return size
}

// withoutSpace removes the white space and comments of a pattern in PCRE's extended syntax: outside character classes,
// white space is ignored unless escaped, and a comment goes from # to the end of the line.
func withoutSpace(pattern string) string {
	var out strings.Builder
	class, comment := false, false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case comment:
			comment = c != '\n'
			continue
		case c == '\\' && i+1 < len(pattern):
			out.WriteByte(c)
			i++
			c = pattern[i]
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '#':
			comment = true
			continue
		case strings.IndexByte(" \t\n\v\f\r", c) >= 0:
			continue
		}
		out.WriteByte(c)
	}
	return out.String()
}
