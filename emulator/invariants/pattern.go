package invariants

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// pattern is a text with attributes in braces, such as STATUS#{status}#{createdAt:10}.
type pattern []part

// part is a piece of a pattern: a literal text, or an attribute and how it is written.
type part struct {
	literal   string
	attribute string
	first     int           // only so many characters; 0: all
	isTime    bool          // epoch seconds, written as RFC 3339 in UTC
	shift     time.Duration // added to a time
}

// asPattern returns the pattern of an attribute's name, or a pattern as it is.
func asPattern(text string) string {
	if strings.Contains(text, "{") {
		return text
	}
	return "{" + text + "}"
}

// parsePattern parses a pattern. After a colon, an attribute has the number of its first characters, or time, with a
// duration that is added or subtracted: {expiresAt:time-720h}.
func parsePattern(text string) (p pattern, err error) {
	for rest := text; rest != ""; {
		literal, after, found := strings.Cut(rest, "{")
		if literal != "" {
			p = append(p, part{literal: literal})
		}
		if !found {
			break
		}
		name, following, closed := strings.Cut(after, "}")
		one, ok := parsePart(name)
		if !closed || !ok {
			return nil, fmt.Errorf(
				"the pattern %q is none: write attributes as {status}, {createdAt:10} or {expiresAt:time-720h}", text)
		}
		p, rest = append(p, one), following
	}
	return p, nil
}

// parsePart parses the text between braces.
func parsePart(text string) (one part, ok bool) {
	name, form, has := strings.Cut(text, ":")
	one.attribute = name
	if !has {
		return one, name != ""
	}
	if shift, is := strings.CutPrefix(form, "time"); is {
		one.isTime = true
		if shift == "" {
			return one, name != ""
		}
		d, err := time.ParseDuration(shift)
		one.shift = d
		return one, name != "" && err == nil && strings.IndexByte("+-", shift[0]) >= 0
	}
	n, err := strconv.Atoi(form)
	one.first = n
	return one, name != "" && err == nil && n > 0
}

// of returns the text of the pattern for an item; ok is false if the item lacks an attribute of it.
func (p pattern) of(each item) (text string, ok bool) {
	var out strings.Builder
	for _, one := range p {
		if one.attribute == "" {
			out.WriteString(one.literal)
			continue
		}
		value, ok := one.of(each[one.attribute])
		if !ok {
			return "", false
		}
		out.WriteString(value)
	}
	return out.String(), true
}

// key returns the value of a pattern that is only an attribute, or the text of another one, as keyText does.
func (p pattern) key(each item) (key string, ok bool) {
	if len(p) == 1 && p[0] == (part{attribute: p[0].attribute}) {
		v, has := each[p[0].attribute]
		if !has {
			return "", false
		}
		return keyText(v), true
	}
	text, ok := p.of(each)
	return strconv.Quote(text), ok
}

// of returns a value as its part writes it; false for one that has no text, or is not a time as the part has it.
func (one part) of(v types.AttributeValue) (string, bool) {
	text, ok := plainText(v)
	switch {
	case !ok:
		return "", false
	case one.isTime:
		seconds, err := strconv.ParseInt(text, 10, 64)
		return time.Unix(seconds, 0).UTC().Add(one.shift).Format(time.RFC3339), err == nil
	case one.first > 0:
		if r := []rune(text); len(r) > one.first {
			return string(r[:one.first]), true
		}
	}
	return text, true
}

// plainText returns a text, number or boolean without quotes.
func plainText(v types.AttributeValue) (string, bool) {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value, true
	case *types.AttributeValueMemberN:
		return keyText(v), true
	case *types.AttributeValueMemberBOOL:
		return strconv.FormatBool(v.Value), true
	}
	return "", false
}
