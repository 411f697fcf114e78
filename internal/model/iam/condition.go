package iam

import (
	"fmt"
	"slices"
	"strings"
)

// quantifier is how the values of a multivalued key are combined.
type quantifier int

const (
	plain   quantifier = iota // each value has to match, and there has to be one
	forAll                    // each value has to match
	forAny                    // at least one value has to match
	forNull                   // tests whether there is a value
)

// condition is one key of a statement's conditions, with the values that it may have.
type condition struct {
	operatorText string // the operator as it is in the policy
	keyText      string
	key          string // in lower case
	values       []string

	quantifier quantifier
	operator   operator
	ifExists   bool
	operands   []operand
	literals   map[string]bool // literal values, which are looked up instead of compared as operands
	absent     []bool          // of Null: whether the key has to be absent
}

// compileCondition parses the name of an operator: a quantifier, a name, perhaps IfExists.
func compileCondition(written string, all map[string]operator) (condition, error) {
	c := condition{operatorText: written}
	name := written
	if before, after, ok := strings.Cut(written, ":"); ok {
		switch before {
		case "ForAllValues":
			c.quantifier = forAll
		case "ForAnyValue":
			c.quantifier = forAny
		default:
			return c, fmt.Errorf("%q is not a set operator: write ForAllValues or ForAnyValue", before)
		}
		name = after
	}
	if name == "Null" && c.quantifier == plain {
		c.quantifier = forNull
		return c, nil
	}
	name, c.ifExists = strings.CutSuffix(name, "IfExists")
	op, ok := all[name]
	if !ok {
		return c, fmt.Errorf("%q is not a condition operator%s", written, suggestName(name, operatorNames(all)))
	}
	c.operator = op
	return c, nil
}

// suggestName returns a suggestion of the name that was probably meant, as the end of a sentence.
func suggestName(name string, names []string) string {
	for _, known := range names {
		if strings.EqualFold(known, name) {
			return ": write " + known
		}
	}
	return ", such as StringEquals, NumericLessThan or ArnLike"
}

// add adds one value.
func (c *condition) add(text string) error {
	c.values = append(c.values, text)
	if c.quantifier == forNull {
		absent, ok := readBool(text)
		if !ok {
			return fmt.Errorf("%q is not a boolean: use true if the key must be absent, false if it must be present", text)
		}
		c.absent = append(c.absent, absent)
		return nil
	}
	o, err := c.operator.compile(text)
	if err != nil {
		return err
	}
	if p, ok := o.(*pattern); ok && p.isLiteral() {
		if c.literals == nil {
			c.literals = map[string]bool{}
		}
		c.literals[text] = true
		return nil
	}
	c.operands = append(c.operands, o)
	return nil
}

// holds reports whether a request meets the condition. Once its work is used up, it returns false.
func (c *condition) holds(r *Request) bool {
	var values []string
	if r.Context != nil {
		values = r.Context.Values(c.key)
	}
	if c.quantifier == forNull {
		return slices.Contains(c.absent, len(values) == 0)
	}
	if len(values) == 0 {
		return c.ifExists || c.quantifier == forAll || c.operator.negated && c.quantifier == plain
	}
	for _, value := range values {
		if !r.step(1 + len(c.operands)) {
			return false
		}
		if fits := c.matchesValue(value, r); fits == (c.quantifier == forAny) {
			return fits
		}
	}
	return c.quantifier != forAny
}

// matchesValue reports whether one value matches.
func (c *condition) matchesValue(value string, r *Request) bool {
	if c.literals[value] {
		return !c.operator.negated
	}
	for _, o := range c.operands {
		if o.matches(value, r) {
			return !c.operator.negated
		}
	}
	return c.operator.negated
}
