// Package constraint collects violated constraints of the members of a request, in the wording that AWS's services
// share.
package constraint

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// NotNull is the constraint of a required member.
const NotNull = "Member must not be null"

// maxViolations is the most violations that the services report in one message.
const maxViolations = 10

// Violations are violated constraints of the members of a request, each worded as the services do: the first ten, which
// is as many as one message has. The zero value has none.
type Violations []string

// AddMessage adds a violation in words of its own.
func (v *Violations) AddMessage(message string) {
	if len(*v) < maxViolations {
		*v = append(*v, message)
	}
}

// Add adds a constraint that a member's value violates.
func (v *Violations) Add(member, value, constraint string) { v.add("'"+value+"'", member, constraint) }

// AddNull adds a constraint that an absent member violates.
func (v *Violations) AddNull(member, constraint string) { v.add("null", member, constraint) }

// AddWithheld adds a violated constraint of a member whose value messages do not repeat.
func (v *Violations) AddWithheld(member, constraint string) {
	v.AddMessage("Value at '" + member + "' failed to satisfy constraint: " + constraint)
}

func (v *Violations) add(value, member, constraint string) {
	v.AddMessage("Value " + value + " at '" + member + "' failed to satisfy constraint: " + constraint)
}

// Required checks that a member is present.
func (v *Violations) Required(set bool, member string) {
	if !set {
		v.AddNull(member, NotNull)
	}
}

// Length checks the length of a text in characters.
func (v *Violations) Length(member, value string, least, most int) {
	if broken := length(utf8.RuneCountInString(value), least, most); broken != "" {
		v.Add(member, value, broken)
	}
}

// WithheldLength checks the length of n bytes that messages do not repeat.
func (v *Violations) WithheldLength(member string, n, least, most int) {
	if broken := length(n, least, most); broken != "" {
		v.AddWithheld(member, broken)
	}
}

func length(n, least, most int) string {
	switch {
	case n < least:
		return "Member must have length greater than or equal to " + strconv.Itoa(least)
	case n > most:
		return "Member must have length less than or equal to " + strconv.Itoa(most)
	}
	return ""
}

// Between checks the range of a number.
func (v *Violations) Between(member string, value, least, most int) {
	switch {
	case value < least:
		v.Add(member, strconv.Itoa(value), "Member must have value greater than or equal to "+strconv.Itoa(least))
	case value > most:
		v.Add(member, strconv.Itoa(value), "Member must have value less than or equal to "+strconv.Itoa(most))
	}
}

// OneOf checks that a value is one of a set.
func (v *Violations) OneOf(member, value string, set ...string) {
	for _, one := range set {
		if one == value {
			return
		}
	}
	v.Add(member, value, "Member must satisfy enum value set: ["+strings.Join(set, ", ")+"]")
}

// matcher is a regular expression, compiled already or on its first use.
type matcher interface{ MatchString(s string) bool }

// Matches checks that a text matches a pattern. Messages have the pattern as the service writes it.
func (v *Violations) Matches(member, value string, pattern matcher, written string) {
	if !pattern.MatchString(value) {
		v.Add(member, value, "Member must satisfy regular expression pattern: "+written)
	}
}

// Message returns one message for all violations, or an empty string if there are none.
func (v Violations) Message() string {
	switch len(v) {
	case 0:
		return ""
	case 1:
		return "1 validation error detected: " + v[0]
	}
	return fmt.Sprintf("%d validation errors detected: %s", len(v), strings.Join(v, "; "))
}
