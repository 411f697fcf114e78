package sql

import (
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// like is undefined if an operand is not a string, or if the escape is not a single character.
func (c *compiler) like(e *ast.Like) test {
	x, pattern, not := c.expr(e.X), c.expr(e.Pattern), e.Not
	escape := rune(-1)
	if e.HasEscape {
		if utf8.RuneCountInString(e.Escape) != 1 {
			return func(*frame) truth { return unknown }
		}
		escape, _ = utf8.DecodeRuneInString(e.Escape)
	}
	if text, ok := c.constantOf(e.Pattern); ok {
		if err := c.params.Budget.Grow(likeItemBytes * len(text.Str())); err != nil {
			return func(f *frame) truth { f.end(err); return unknown }
		}
		known := parseLike(text.Str(), escape)
		pattern = func(*frame) doc.Value { return text }
		return likeTest(x, pattern, not, func(*frame, string) likePattern { return known })
	}
	return likeTest(x, pattern, not, func(f *frame, text string) likePattern {
		if !f.step(len(text)) || !f.grow(likeItemBytes*len(text)) {
			return nil
		}
		return parseLike(text, escape)
	})
}

func likeTest(x, pattern eval, not bool, parsed func(*frame, string) likePattern) test {
	return func(f *frame) truth {
		v, p := x(f), pattern(f)
		if v.Kind() != doc.Text || p.Kind() != doc.Text {
			return unknown
		}
		return truthOf(parsed(f, p.Str()).matches(v.Str(), f.step)).notIf(not)
	}
}

// likeSteps is the number of character comparisons that are counted together.
const likeSteps = 16

// likePattern is a parsed LIKE pattern.
type likePattern []likeItem

// likeItem is an item of a pattern: a character, any character, a character of a set, or any text.
type likeItem struct {
	kind   likeKind
	char   rune
	ranges []likeRange // of likeSet
	not    bool        // of likeSet: [^…]
}

// likeItemBytes is the memory of an item, in bytes.
const likeItemBytes = 40

type likeKind uint8

const (
	likeChar likeKind = iota
	likeAny
	likeSet
	likeText
)

type likeRange struct{ low, high rune }

// parseLike parses %, _, [a-f], [^a-f] and the escape. An unclosed bracket is an ordinary character ("LIKE").
func parseLike(text string, escape rune) likePattern {
	rest, unclosed := []rune(text), false
	p := make(likePattern, 0, len(rest))
	for len(rest) > 0 {
		item, size := likeItem{char: rest[0]}, 1
		switch {
		case rest[0] == escape && len(rest) > 1:
			item.char, size = rest[1], 2
		case rest[0] == '%':
			item.kind = likeText
		case rest[0] == '_':
			item.kind = likeAny
		case rest[0] == '[' && !unclosed: // what does not close this bracket closes no later one
			set, n := parseLikeSet(rest, escape)
			if unclosed = n == 0; !unclosed {
				item, size = set, n
			}
		}
		rest = rest[size:]
		p = append(p, item)
	}
	return p
}

// parseLikeSet parses [abc], [a-f] and [^…]; size is 0 if no bracket closes it. The first character is in the set,
// even if it is a closing bracket.
func parseLikeSet(text []rune, escape rune) (set likeItem, size int) {
	set.kind = likeSet
	i := 1
	if i < len(text) && text[i] == '^' {
		set.not = true
		i++
	}
	for first := true; i < len(text); first = false {
		if text[i] == ']' && !first {
			return set, i + 1
		}
		if text[i] == escape && i+1 < len(text) {
			i++
		}
		r := likeRange{text[i], text[i]}
		i++
		if i+1 < len(text) && text[i] == '-' && text[i+1] != ']' {
			r.high = text[i+1]
			i += 2
		}
		set.ranges = append(set.ranges, r)
	}
	return likeItem{}, 0
}

func (i *likeItem) matches(r rune) bool {
	switch i.kind {
	case likeChar:
		return r == i.char
	case likeAny:
		return true
	}
	for _, known := range i.ranges {
		if r >= known.low && r <= known.high {
			return !i.not
		}
	}
	return i.not
}

// matches compares from the left. On a mismatch after a %, it extends the text that the % matches by one character. The
// time is bounded by the product of both lengths, and by proceed, which it calls now and then with the number of
// comparisons since the previous call.
func (p likePattern) matches(s string, proceed func(steps int) bool) bool {
	item, back, backAt := 0, -1, 0
	steps := 0
	for at := 0; at < len(s); {
		if steps++; item < len(p) {
			steps += len(p[item].ranges)
		}
		if steps >= likeSteps {
			if !proceed(steps) {
				return false
			}
			steps = 0
		}
		r, size := utf8.DecodeRuneInString(s[at:])
		switch {
		case item < len(p) && p[item].kind == likeText:
			back, backAt = item, at
			item++
		case item < len(p) && p[item].matches(r):
			item++
			at += size
		case back >= 0:
			_, size = utf8.DecodeRuneInString(s[backAt:])
			backAt += size
			at = backAt
			item = back + 1
		default:
			return false
		}
	}
	for item < len(p) && p[item].kind == likeText {
		item++
	}
	return item == len(p)
}
