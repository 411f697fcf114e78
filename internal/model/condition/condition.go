// Package condition translates conditions of DynamoDB as people write them, with names and values in place, into
// expressions with placeholders.
package condition

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Expressions collects the placeholders of a request's expressions.
type Expressions struct {
	Names  map[string]string
	Values map[string]types.AttributeValue
}

// Condition translates a condition, or the names of a projection, as people write them, into an expression: names and
// values become placeholders, so that no name is a reserved word. "" is no expression, nil.
//
//	status = "open" and size(lines) > 3 and sk begins_with "2026-"
//
// A value is a number, true, false, null, or a text in single or double quotes, in which a backslash precedes a quote.
// A name with other characters than letters, digits, _ and - is in backquotes.
func (e *Expressions) Condition(text string) (*string, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	tokens, err := tokenize(text)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	for i := 0; i < len(tokens); i++ {
		if t := tokens[i]; t.kind == wordToken && strings.EqualFold(t.text, "begins_with") && i > 0 && i+1 < len(tokens) &&
			tokens[i+1].text != "(" {
			rest := out.String()
			operand := rest[lastOperand(rest):]
			out.Reset()
			fmt.Fprintf(&out, "%sbegins_with(%s, %s) ", rest[:len(rest)-len(operand)], strings.TrimSpace(operand),
				e.token(tokens, i+1))
			i++
			continue
		}
		out.WriteString(e.token(tokens, i))
		if !joins(tokens, i) {
			out.WriteByte(' ')
		}
	}
	expression := strings.TrimSpace(out.String())
	return &expression, nil
}

// lastOperand returns where the last operand of an expression begins.
func lastOperand(text string) int {
	return strings.LastIndexByte(strings.TrimRight(text, " "), ' ') + 1
}

// joins reports whether a token is part of a path or a call, which are written without spaces.
func joins(tokens []token, i int) bool {
	if i+1 == len(tokens) {
		return true
	}
	next := tokens[i+1].text
	return tokens[i].text == "." || tokens[i].text == "[" || next == "." || next == "[" || next == "]" ||
		next == "(" && isFunction(tokens[i].text)
}

// token returns a token of an expression: a keyword, a function, a symbol, or a placeholder.
func (e *Expressions) token(tokens []token, i int) string {
	t := tokens[i]
	isIndex := i > 0 && tokens[i-1].text == "[" && i+1 < len(tokens) && tokens[i+1].text == "]"
	switch {
	case t.kind == symbolToken || isIndex:
		return t.text
	case t.kind == textToken:
		return e.value(&types.AttributeValueMemberS{Value: t.text})
	case t.kind == numberToken:
		return e.value(&types.AttributeValueMemberN{Value: t.text})
	case t.kind == nameToken:
		return e.name(t.text)
	case i+1 < len(tokens) && tokens[i+1].text == "(" && isFunction(t.text):
		return strings.ToLower(t.text)
	}
	switch strings.ToLower(t.text) {
	case "and", "or", "not", "between", "in":
		return strings.ToUpper(t.text)
	case "true", "false":
		return e.value(&types.AttributeValueMemberBOOL{Value: strings.EqualFold(t.text, "true")})
	case "null":
		return e.value(&types.AttributeValueMemberNULL{Value: true})
	}
	return e.name(t.text)
}

func isFunction(word string) bool {
	switch strings.ToLower(word) {
	case "attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains", "size":
		return true
	}
	return false
}

// name returns the placeholder of an attribute's name.
func (e *Expressions) name(name string) string {
	for placeholder, known := range e.Names {
		if known == name {
			return placeholder
		}
	}
	if e.Names == nil {
		e.Names = map[string]string{}
	}
	placeholder := fmt.Sprintf("#n%d", len(e.Names))
	e.Names[placeholder] = name
	return placeholder
}

// value returns the placeholder of a value.
func (e *Expressions) value(v types.AttributeValue) string {
	if e.Values == nil {
		e.Values = map[string]types.AttributeValue{}
	}
	placeholder := fmt.Sprintf(":v%d", len(e.Values))
	e.Values[placeholder] = v
	return placeholder
}
