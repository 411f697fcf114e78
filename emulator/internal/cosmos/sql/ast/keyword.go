package ast

import "strings"

// reserved are the words that are no identifiers, whatever their case. Those that became words of the language later
// (ALL, FIRST, LAST, LEFT, RANK, RIGHT) are still identifiers where no clause expects them.
var reserved = map[string]bool{
	"AND": true, "ARRAY": true, "AS": true, "ASC": true, "BETWEEN": true, "BY": true, "DESC": true, "DISTINCT": true,
	"ESCAPE": true, "EXISTS": true, "FALSE": true, "FROM": true, "GROUP": true, "IN": true, "JOIN": true, "LIKE": true,
	"LIMIT": true, "NOT": true, "NULL": true, "OFFSET": true, "OR": true, "ORDER": true, "SELECT": true, "TOP": true,
	"TRUE": true, "UDF": true, "UNDEFINED": true, "VALUE": true, "WHERE": true,
}

const longestKeyword = len("UNDEFINED")

// Keyword is a reserved word in capitals; empty for a word that is not reserved.
func Keyword(word string) string {
	if len(word) > longestKeyword {
		return ""
	}
	if upper := strings.ToUpper(word); reserved[upper] {
		return upper
	}
	return ""
}

// IsIdentifier says that a name can be written without quotes: letters, digits and underscores, no digit first, and not
// a reserved word.
func IsIdentifier(name string) bool {
	for i := range len(name) {
		if !IsNameByte(name[i], i == 0) {
			return false
		}
	}
	return name != "" && Keyword(name) == ""
}

// IsNameByte says that a byte may stand in an identifier.
func IsNameByte(b byte, first bool) bool {
	return b == '_' || b|0x20 >= 'a' && b|0x20 <= 'z' || !first && b >= '0' && b <= '9'
}
