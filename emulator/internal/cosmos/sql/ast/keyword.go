package ast

// reserved are the words that are no identifiers, whatever their case. Those that became words of the language later
// (ALL, FIRST, LAST, LEFT, RANK, RIGHT) are still identifiers where no clause expects them.
var reserved = map[string]string{
	"AND": "AND", "ARRAY": "ARRAY", "AS": "AS", "ASC": "ASC", "BETWEEN": "BETWEEN", "BY": "BY", "DESC": "DESC",
	"DISTINCT": "DISTINCT", "ESCAPE": "ESCAPE", "EXISTS": "EXISTS", "FALSE": "FALSE", "FROM": "FROM", "GROUP": "GROUP",
	"IN": "IN", "JOIN": "JOIN", "LIKE": "LIKE", "LIMIT": "LIMIT", "NOT": "NOT", "NULL": "NULL", "OFFSET": "OFFSET",
	"OR": "OR", "ORDER": "ORDER", "SELECT": "SELECT", "TOP": "TOP", "TRUE": "TRUE", "UDF": "UDF",
	"UNDEFINED": "UNDEFINED", "VALUE": "VALUE", "WHERE": "WHERE",
}

const longestKeyword = len("UNDEFINED")

// Keyword is a reserved word in capitals; empty for a word that is not reserved.
func Keyword(word string) string {
	if len(word) > longestKeyword {
		return ""
	}
	var upper [longestKeyword]byte
	for i := range len(word) {
		upper[i] = word[i]
		if word[i] >= 'a' && word[i] <= 'z' {
			upper[i] -= 'a' - 'A'
		}
	}
	return reserved[string(upper[:len(word)])]
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
