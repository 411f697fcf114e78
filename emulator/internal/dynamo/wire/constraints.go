package wire

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/constraint"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
)

// Constraints collects the constraints that single members of a request violate: step 6 of the order of checks.
type Constraints struct{ constraint.Violations }

// Err returns one error for all violations, or nil.
func (c *Constraints) Err() error {
	if message := c.Message(); message != "" {
		return ValidationError(message)
	}
	return nil
}

// Enum checks that a value, if there is one, is in a set, which is written as the service lists it.
func (c *Constraints) Enum(member string, value Optional[string], set string) {
	if value.Set && !InEnum(value.V, set) {
		c.Add(member, value.V, "Member must satisfy enum value set: ["+set+"]")
	}
}

// Range checks the range of an Integer, if there is one.
func (c *Constraints) Range(member string, n Optional[int64], least, most int) {
	if n.Set {
		c.Between(member, int(n.V), least, most)
	}
}

// Name checks the required name of a table or an index.
func (c *Constraints) Name(member string, name Optional[string], minLength int) {
	if c.Required(name.Set, member); !name.Set {
		return
	}
	c.namePattern(member, name.V)
	c.Length(member, name.V, minLength, shape.MaxNameLength)
}

// minTableName is the length in characters of the shortest table name.
const minTableName = 3

// TableName checks the name of a table that was sent, as the newer operations do: one that is too short or too long is
// not checked further. (nubo-db/dynoxide, captures of seven regions on 2026-10-09.)
func (c *Constraints) TableName(member, name string) {
	before := len(c.Violations)
	if c.Length(member, name, minTableName, shape.MaxNameLength); len(c.Violations) == before {
		c.namePattern(member, name)
	}
}

// AnyTableName checks the required name of a table as the older validation does, in which it may be short. An empty one
// violates only its length. (paritysuite/dynamodb-conformance, eu-west-2 and us-east-1, 2026-10-09.)
func (c *Constraints) AnyTableName(member string, name TableName) {
	if name.Set && name.V == "" {
		c.Length(member, "", 1, shape.MaxNameLength)
		return
	}
	c.Name(member, name.Optional, 1)
}

// EveryTableName is TableName for operations that report every constraint that a name violates, the pattern first.
func (c *Constraints) EveryTableName(member, name string) {
	c.namePattern(member, name)
	c.Length(member, name, minTableName, shape.MaxNameLength)
}

// LaterTableName is EveryTableName for transactions, which report the length first. (nubo-db/dynoxide, 2026-10-09.)
func (c *Constraints) LaterTableName(member, name string) {
	c.Length(member, name, minTableName, shape.MaxNameLength)
	c.namePattern(member, name)
}

// IsTableName reports whether a name violates no constraint of a table's name.
func IsTableName(name string) bool {
	return len(name) >= minTableName && len(name) <= shape.MaxNameLength && shape.IsName(name)
}

func (c *Constraints) namePattern(member, name string) {
	if !shape.IsName(name) {
		c.Add(member, name, "Member must satisfy regular expression pattern: "+shape.NamePattern)
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
func EmptyTableName(s TableName) error {
	if s.Set && s.V == "" {
		return ValidationError(ValidationPrefix +
			"Value at 'TableName' failed to satisfy constraint: Member must have length greater than or equal to 1")
	}
	return nil
}
