package keyspace

import "slices"

// Space is a set of keys with a common prefix.
type Space struct {
	Path  string // the letters of the prefix, in the order of the key; see Matches for # and *
	Name  string // unique
	Key   string // the rest of the key: the parts after the path
	Value string
}

// Placeholders between the letters of a path.
const (
	number = '#' // four bytes
	name   = '*' // an escaped string, such as an account
)

func path(letters ...byte) string { return string(letters) }

// All returns every key space, in the order of the services.
func All() []Space { return slices.Concat(dynamoDB(), others(), cosmosDB()) }

// Of returns the space of a key, the one with the longest path. ok is false if the key is in no declared space.
func Of(key []byte) (found Space, ok bool) {
	for _, s := range All() {
		if len(s.Path) > len(found.Path) && s.Matches(key) {
			found, ok = s, true
		}
	}
	return found, ok
}

// Matches reports whether a key begins with the space's path, in which # matches any four bytes and * an escaped
// string.
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

// escaped returns the length of the string at the start of a key that store.AppendEscaped encoded: up to a zero byte
// and a one.
func escaped(key []byte) int {
	for i := range len(key) - 1 {
		if key[i] == 0 && key[i+1] == 1 {
			return i + 2
		}
	}
	return len(key) + 1
}
