package keyspace

import "slices"

// Space is a set of keys that begin alike.
type Space struct {
	Path  string // its letters in the order in which keys have them; see Matches for the two that stand for more than themselves
	Name  string // unique
	Key   string // the rest of the key: the parts after the path
	Value string
}

// What stands between two letters of a path.
const (
	number = '#' // four bytes
	name   = '*' // an escaped string, such as an account
)

func path(letters ...byte) string { return string(letters) }

// All returns every key space, service by service.
func All() []Space { return slices.Concat(dynamoDB(), others(), cosmosDB()) }

// Of returns the space that a key lies in, the one with the longest path; ok is false for a key of no declared space.
func Of(key []byte) (found Space, ok bool) {
	for _, s := range All() {
		if len(s.Path) > len(found.Path) && s.Matches(key) {
			found, ok = s, true
		}
	}
	return found, ok
}

// Matches reports whether a key begins with the space's path, in which # is any four bytes and * an escaped string.
func (s Space) Matches(key []byte) bool {
	for _, letter := range []byte(s.Path) {
		var matches bool
		switch letter {
		case number:
			key, matches = skip(key, 4)
		case name:
			key, matches = skip(key, escaped(key))
		default:
			matches = len(key) > 0 && key[0] == letter
			key, _ = skip(key, 1)
		}
		if !matches {
			return false
		}
	}
	return true
}

func skip(key []byte, n int) (rest []byte, ok bool) {
	if n > len(key) {
		return nil, false
	}
	return key[n:], true
}

// escaped is the length of the string at the start of a key that store.AppendEscaped wrote: up to a zero byte and a
// one.
func escaped(key []byte) int {
	for i := range len(key) - 1 {
		if key[i] == 0 && key[i+1] == 1 {
			return i + 2
		}
	}
	return len(key) + 1
}
