package iam

import "strings"

// PartiQLAction is the action that a PartiQL statement is to policies of DynamoDB: dynamodb:PartiQLSelect, PartiQLInsert,
// PartiQLUpdate or PartiQLDelete, by its first word. A check of existence in a transaction counts as a select, which is
// not confirmed. ok is false for another statement.
func PartiQLAction(statement string) (action string, ok bool) {
	word := strings.TrimLeft(statement, " \t\r\n")
	if end := strings.IndexFunc(word, func(r rune) bool { return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') }); end >= 0 {
		word = word[:end]
	}
	switch strings.ToUpper(word) {
	case "SELECT", "EXISTS":
		return "dynamodb:PartiQLSelect", true
	case "INSERT":
		return "dynamodb:PartiQLInsert", true
	case "UPDATE":
		return "dynamodb:PartiQLUpdate", true
	case "DELETE":
		return "dynamodb:PartiQLDelete", true
	}
	return "", false
}
