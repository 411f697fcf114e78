package expr

import (
	_ "embed"
	"strings"
	"sync"
)

// reservedText lists the reserved words of the developer guide, one per line, in upper case.
//
//go:embed reserved.txt
var reservedText string

// reservedWords returns the reserved words, and the length of the longest.
var reservedWords = sync.OnceValues(func() (words map[string]struct{}, longest int) {
	words = make(map[string]struct{})
	for word := range strings.FieldsSeq(reservedText) {
		words[word] = struct{}{}
		longest = max(longest, len(word))
	}
	return words, longest
})

// isReserved reports whether a word is reserved, in any case.
func isReserved(word string) bool {
	var upper [32]byte
	words, longest := reservedWords()
	if len(word) > longest {
		return false
	}
	for i := range len(word) {
		upper[i] = word[i]
		if 'a' <= word[i] && word[i] <= 'z' {
			upper[i] -= 'a' - 'A'
		}
	}
	_, reserved := words[string(upper[:len(word)])]
	return reserved
}
