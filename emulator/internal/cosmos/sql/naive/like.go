package naive

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

func like(x, pattern doc.Value, e *ast.Like) doc.Value {
	if x.Kind() != doc.Text || pattern.Kind() != doc.Text {
		return undefined
	}
	escape := rune(-1)
	if e.HasEscape {
		for _, r := range e.Escape {
			escape = r
		}
	}
	return doc.Bool(matches([]rune(x.Str()), []rune(pattern.Str()), escape))
}

// matches compares character by character: % matches any string, _ any character, [a-f] a character of a set, [^a-f]
// one not in the set.
func matches(s, p []rune, escape rune) bool {
	if len(p) == 0 {
		return len(s) == 0
	}
	switch {
	case p[0] == escape && len(p) > 1:
		return len(s) > 0 && s[0] == p[1] && matches(s[1:], p[2:], escape)
	case p[0] == '%':
		return matches(s, p[1:], escape) || len(s) > 0 && matches(s[1:], p, escape)
	case p[0] == '_':
		return len(s) > 0 && matches(s[1:], p[1:], escape)
	case p[0] == '[' && setEnd(p) > 0:
		end := setEnd(p)
		return len(s) > 0 && inSet(s[0], p[1:end]) && matches(s[1:], p[end+1:], escape)
	}
	return len(s) > 0 && s[0] == p[0] && matches(s[1:], p[1:], escape)
}

// setEnd returns the index of the bracket that closes the set at the beginning of the pattern; 0 if there is none.
func setEnd(p []rune) int {
	for i := 2; i < len(p); i++ {
		if p[i] == ']' {
			return i
		}
	}
	return 0
}

func inSet(r rune, set []rune) bool {
	if set[0] == '^' && len(set) > 1 {
		return !inSet(r, set[1:])
	}
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' {
			if set[i] <= r && r <= set[i+2] {
				return true
			}
			i += 2
		} else if set[i] == r {
			return true
		}
	}
	return false
}
