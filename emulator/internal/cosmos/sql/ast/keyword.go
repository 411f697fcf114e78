package ast

// reserved are the words that cannot be identifiers, in any case. Keywords added to the language later (ALL, FIRST,
// LAST, LEFT, RANK, RIGHT) are identifiers except where a clause expects them.
var reserved = map[string]string{
	"AND": "AND", "ARRAY": "ARRAY", "AS": "AS", "ASC": "ASC", "BETWEEN": "BETWEEN", "BY": "BY", "DESC": "DESC",
	"DISTINCT": "DISTINCT", "ESCAPE": "ESCAPE", "EXISTS": "EXISTS", "FALSE": "FALSE", "FROM": "FROM", "GROUP": "GROUP",
	"IN": "IN", "JOIN": "JOIN", "LIKE": "LIKE", "LIMIT": "LIMIT", "NOT": "NOT", "NULL": "NULL", "OFFSET": "OFFSET",
	"OR": "OR", "ORDER": "ORDER", "SELECT": "SELECT", "TOP": "TOP", "TRUE": "TRUE", "UDF": "UDF",
	"UNDEFINED": "UNDEFINED", "VALUE": "VALUE", "WHERE": "WHERE",
}

const longestKeyword = len("UNDEFINED")

// Keyword returns a reserved word in upper case, or "" if word is not reserved.
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

// IsIdentifier reports whether a name can be written without quotes: it consists of letters, digits and underscores,
// does not begin with a digit, and is not reserved.
func IsIdentifier(name string) bool {
	for i := range len(name) {
		if !IsNameByte(name[i], i == 0) {
			return false
		}
	}
	return name != "" && Keyword(name) == ""
}

// IsNameByte reports whether a byte may occur in an identifier, or as its first byte.
func IsNameByte(b byte, first bool) bool {
	return b == '_' || b|0x20 >= 'a' && b|0x20 <= 'z' || !first && b >= '0' && b <= '9'
}
