package expr

import (
	_ "embed"
	"strings"
)

// reservedText lists the reserved words of the developer guide, one per line, in upper case.
//
//go:embed reserved.txt
var reservedText string

var reservedWords, longestReserved = indexWords(reservedText)

func indexWords(text string) (words map[string]struct{}, longest int) {
	words = make(map[string]struct{})
	for word := range strings.FieldsSeq(text) {
		words[word] = struct{}{}
		longest = max(longest, len(word))
	}
	return words, longest
}

// isReserved reports whether a word is reserved, in any case.
func isReserved(word string) bool {
	var upper [32]byte
	if len(word) > longestReserved {
		return false
	}
	for i := range len(word) {
		upper[i] = word[i]
		if 'a' <= word[i] && word[i] <= 'z' {
			upper[i] -= 'a' - 'A'
		}
	}
	_, reserved := reservedWords[string(upper[:len(word)])]
	return reserved
}
