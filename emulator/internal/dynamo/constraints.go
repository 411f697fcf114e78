package dynamo

import (
	"fmt"
	"strings"
)

// constraints collects what is wrong with single members: step 6 of the order of checks. The service joins
// ten at most into one message.
type constraints struct{ failures []string }

const maxFailures = 10

// failed notes that a member does not satisfy a constraint. value is as messages show it, quoted, or null.
func (c *constraints) failed(value, member, constraint string) {
	c.add("Value " + value + " at '" + member + "' failed to satisfy constraint: " + constraint)
}

func (c *constraints) add(message string) {
	if len(c.failures) < maxFailures {
		c.failures = append(c.failures, message)
	}
}

// err is the one error for all failures, or nil.
func (c *constraints) err() error {
	switch n := len(c.failures); n {
	case 0:
		return nil
	case 1:
		return validationError(envelope + c.failures[0])
	default:
		return validationError(fmt.Sprintf("%d validation errors detected: %s", n, strings.Join(c.failures, "; ")))
	}
}

func quote(s string) string { return "'" + s + "'" }

// required refuses a member that is absent.
func (c *constraints) required(set bool, member string) {
	if !set {
		c.failed("null", member, "Member must not be null")
	}
}

// oneOf refuses a value that is not one of a set, written as the service lists it.
func (c *constraints) oneOf(s optional[string], member, set string) {
	if s.Set && !inSet(s.V, set) {
		c.failed(quote(s.V), member, "Member must satisfy enum value set: ["+set+"]")
	}
}

func inSet(s, set string) bool {
	for len(set) > 0 {
		var one string
		if one, set, _ = strings.Cut(set, ", "); one == s {
			return true
		}
	}
	return false
}

func (c *constraints) atLeast(n optional[int64], member string, least int64) {
	if n.Set && n.V < least {
		c.failed(quote(fmt.Sprint(n.V)), member, fmt.Sprintf("Member must have value greater than or equal to %d", least))
	}
}

func (c *constraints) atMost(n optional[int64], member string, most int64) {
	if n.Set && n.V > most {
		c.failed(quote(fmt.Sprint(n.V)), member, fmt.Sprintf("Member must have value less than or equal to %d", most))
	}
}

func (c *constraints) minLength(s, member string, least int) {
	if len(s) < least {
		c.failed(quote(s), member, fmt.Sprintf("Member must have length greater than or equal to %d", least))
	}
}

func (c *constraints) maxLength(s, member string, most int) {
	if len(s) > most {
		c.failed(quote(s), member, fmt.Sprintf("Member must have length less than or equal to %d", most))
	}
}

// name checks the name of a table or an index.
func (c *constraints) name(s optional[string], member string, least int) {
	if !s.Set {
		c.failed("null", member, "Member must not be null")
		return
	}
	if !isName(s.V) {
		c.failed(quote(s.V), member, "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")
	}
	c.minLength(s.V, member, least)
	c.maxLength(s.V, member, maxName)
}

// maxName is the length of the longest name of a table or an index.
const maxName = 255

func isName(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '.', c == '-':
		default:
			return false
		}
	}
	return s != ""
}

// The sets of values that several operations know, as the service lists them.
const (
	capacityModes   = "INDEXES, TOTAL, NONE"
	metricsModes    = "SIZE, NONE"
	failureModes    = "ALL_OLD, NONE"
	logicOperators  = "OR, AND"
	comparisonNames = "IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS"
	selections      = "SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES"
)

// emptyTableName is what the newer operations say of an empty name, before they look at anything else.
// (paritysuite, captures of 2026-09-20.)
func emptyTableName(s optional[string]) error {
	if s.Set && s.V == "" {
		return validationError(envelope + "Value at 'TableName' failed to satisfy constraint: Member must have length greater than or equal to 1")
	}
	return nil
}
