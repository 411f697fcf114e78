package wire

import (
	"fmt"
	"strings"
)

// Constraints collects the constraint violations of single members: step 6 of the order of checks. The service reports
// at most ten in one message.
type Constraints struct{ Violations []string }

const maxViolations = 10

// AddViolation records that a member does not satisfy a constraint. value is as messages show it: quoted, or null.
func (c *Constraints) AddViolation(value, member, constraint string) {
	c.Add("Value " + value + " at '" + member + "' failed to satisfy constraint: " + constraint)
}

// Add records a violation with a message of its own.
func (c *Constraints) Add(message string) {
	if len(c.Violations) < maxViolations {
		c.Violations = append(c.Violations, message)
	}
}

// Err returns one error for all violations, or nil.
func (c *Constraints) Err() error {
	switch n := len(c.Violations); n {
	case 0:
		return nil
	case 1:
		return ValidationError(ValidationPrefix + c.Violations[0])
	default:
		return ValidationError(fmt.Sprintf("%d validation errors detected: %s", n, strings.Join(c.Violations, "; ")))
	}
}

// Quote quotes a value as constraint messages do.
func Quote(s string) string { return "'" + s + "'" }

// Required records a violation if a member is missing.
func (c *Constraints) Required(set bool, member string) {
	if !set {
		c.AddViolation("null", member, "Member must not be null")
	}
}

// OneOf records a violation if a value is not in a set, which is written as the service lists it.
func (c *Constraints) OneOf(s Optional[string], member, values string) {
	if s.Set && !InEnum(s.V, values) {
		c.AddViolation(Quote(s.V), member, "Member must satisfy enum value set: ["+values+"]")
	}
}

// InEnum reports whether a value is in a set, which is written as messages show it: "A, B".
func InEnum(s, values string) bool {
	for len(values) > 0 {
		var value string
		if value, values, _ = strings.Cut(values, ", "); value == s {
			return true
		}
	}
	return false
}

// AtLeast records a violation if a number is set and below least.
func (c *Constraints) AtLeast(n Optional[int64], member string, lowest int64) {
	if n.Set && n.V < lowest {
		c.AddViolation(Quote(fmt.Sprint(n.V)), member, fmt.Sprintf("Member must have value greater than or equal to %d", lowest))
	}
}

// AtMost records a violation if a number is set and above most.
func (c *Constraints) AtMost(n Optional[int64], member string, highest int64) {
	if n.Set && n.V > highest {
		c.AddViolation(Quote(fmt.Sprint(n.V)), member, fmt.Sprintf("Member must have value less than or equal to %d", highest))
	}
}

// MinLength records a violation if a string is shorter than least bytes.
func (c *Constraints) MinLength(s, member string, shortest int) {
	if len(s) < shortest {
		c.AddViolation(Quote(s), member, fmt.Sprintf("Member must have length greater than or equal to %d", shortest))
	}
}

// MaxLength records a violation if a string is longer than most bytes.
func (c *Constraints) MaxLength(s, member string, longest int) {
	if len(s) > longest {
		c.AddViolation(Quote(s), member, fmt.Sprintf("Member must have length less than or equal to %d", longest))
	}
}

// Name checks the name of a table or an index.
func (c *Constraints) Name(s Optional[string], member string, minLength int) {
	if !s.Set {
		c.AddViolation("null", member, "Member must not be null")
		return
	}
	if !IsName(s.V) {
		c.AddViolation(Quote(s.V), member, "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")
	}
	c.MinLength(s.V, member, minLength)
	c.MaxLength(s.V, member, MaxNameLength)
}

// MaxNameLength is the maximum length of the name of a table or an index.
const MaxNameLength = 255

// IsName reports whether a name is not empty and has only the characters allowed in names of tables and indexes.
func IsName(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '.', c == '-':
		default:
			return false
		}
	}
	return s != ""
}

// Enum values that several operations share, as the service lists them.
const (
	CapacityModes        = "INDEXES, TOTAL, NONE"
	MetricsModes         = "SIZE, NONE"
	FailureModes         = "ALL_OLD, NONE"
	ConditionalOperators = "OR, AND"
	ComparisonOperators  = "IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS"
	SelectValues         = "SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES"
)

// EmptyTableName returns the error of the newer operations for an empty table name, which they report before any other.
// (paritysuite, captures of 2026-09-20.)
func EmptyTableName(s Optional[string]) error {
	if s.Set && s.V == "" {
		return ValidationError(ValidationPrefix + "Value at 'TableName' failed to satisfy constraint: Member must have length greater than or equal to 1")
	}
	return nil
}
