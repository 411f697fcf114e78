package expr

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"

// LegacyCondition is one entry of KeyConditions, QueryFilter or ScanFilter. Entries of Expected are converted to it.
type LegacyCondition struct {
	Attribute string
	Operator  string // a ComparisonOperator
	Values    []item.Value
}

// operator describes a ComparisonOperator.
type operator struct {
	op          op
	minOperands int
	maxOperands int
	types       typeSet // 0 for all
	indexable   bool
}

// unlimitedOperands is the maximum number of operands of an operator that takes any number.
const unlimitedOperands = 1 << 30

// operators are the ComparisonOperators by name.
var operators = map[string]operator{
	"EQ":           {opEqual, 1, 1, 0, true},
	"NE":           {opNotEqual, 1, 1, 0, false},
	"LE":           {opLessEqual, 1, 1, ordered, true},
	"LT":           {opLess, 1, 1, ordered, true},
	"GE":           {opGreaterEqual, 1, 1, ordered, true},
	"GT":           {opGreater, 1, 1, ordered, true},
	"NOT_NULL":     {opExists, 0, 0, 0, false},
	"NULL":         {opNotExists, 0, 0, 0, false},
	"CONTAINS":     {opContains, 1, 1, containable, false},
	"NOT_CONTAINS": {opNotContains, 1, 1, containable, false},
	"BEGINS_WITH":  {opBeginsWith, 1, 1, prefixed, true},
	"IN":           {opIn, 1, unlimitedOperands, ordered, false},
	"BETWEEN":      {opBetween, 2, 2, ordered, true},
}

// containable are the types that CONTAINS accepts.
var containable = ordered | typesOf(item.Bool, item.Null)

// check returns the service's error about one condition.
func (c LegacyCondition) check() error {
	o, ok := operators[c.Operator]
	if !ok {
		return errorf("Comparison type does not exist in DynamoDB")
	}
	if len(c.Values) < o.minOperands || len(c.Values) > o.maxOperands {
		return errorf(parameterValues+"Invalid number of argument(s) for the %s ComparisonOperator", c.Operator)
	}
	for _, v := range c.Values {
		if v.Type() != c.Values[0].Type() {
			return errorf(parameterValues + "AttributeValues inside AttributeValueList must be of same type")
		}
	}
	for _, v := range c.Values {
		if o.types != 0 && !o.types.contains(v.Type()) {
			return errorf(parameterValues+"ComparisonOperator %s is not valid for %s AttributeValue type",
				c.Operator, v.Type())
		}
	}
	if o.op == opBetween && item.Compare(c.Values[0], c.Values[1]) > 0 {
		return errorf("The BETWEEN condition was provided a range where the lower bound is greater than the upper bound")
	}
	return nil
}

// ParseLegacyFilter parses a QueryFilter or ScanFilter with its ConditionalOperator, "" if that was not sent. Without
// conditions it returns the nil *Condition, which matches every item.
func ParseLegacyFilter(conditions []LegacyCondition, conditionalOperator string) (*Condition, error) {
	if err := CheckConditionalOperator(len(conditions), conditionalOperator); err != nil {
		return nil, err
	}
	for _, c := range conditions {
		if err := c.check(); err != nil {
			return nil, err
		}
	}
	return newLegacyCondition(conditions, conditionalOperator), nil
}

// CheckConditionalOperator returns an error for a ConditionalOperator that does not join two conditions or more.
func CheckConditionalOperator(conditions int, conditionalOperator string) error {
	switch {
	case conditionalOperator == "":
		return nil
	case conditions == 0:
		return errorf("ConditionalOperator cannot be used without Filter or Expected")
	case conditions == 1:
		return errorf("ConditionalOperator can only be used when Filter or Expected has two or more elements")
	case conditionalOperator != "AND" && conditionalOperator != "OR":
		return errorf("Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]")
	}
	return nil
}

// newLegacyCondition joins conditions by the conditional operator; the default is AND.
func newLegacyCondition(conditions []LegacyCondition, conditionalOperator string) *Condition {
	if len(conditions) == 0 {
		return nil
	}
	c := new(Condition)
	c.init()
	refs := make([]ref, len(conditions))
	for i, l := range conditions {
		refs[i] = l.addTo(&c.tree)
	}
	join := opAnd
	if conditionalOperator == "OR" {
		join = opOr
	}
	c.root = c.join(node{op: join}, refs...)
	return c
}

func (c LegacyCondition) addTo(t *tree) ref {
	operands := make([]ref, 1, 1+len(c.Values))
	operands[0] = t.addAttribute(c.Attribute)
	for _, v := range c.Values {
		operands = append(operands, t.add(node{op: opValue, value: v}))
	}
	return t.join(node{op: operators[c.Operator].op}, operands...)
}

// clause converts the condition to one on a key. For operators that are not indexable, the operands do not matter.
func (c LegacyCondition) clause(o op) clause {
	k := clause{attribute: c.Attribute, op: o}
	copy(k.operands[:], c.Values)
	return k
}

// ParseKeyConditions parses KeyConditions and checks what does not depend on the table.
func ParseKeyConditions(conditions []LegacyCondition) (*KeyExpression, error) {
	k := new(KeyExpression)
	for _, c := range conditions {
		if err := c.check(); err != nil {
			return nil, err
		}
		o := operators[c.Operator]
		if !o.indexable {
			o.op = opNone
		}
		k.clauses = append(k.clauses, c.clause(o.op))
	}
	// Three conditions or more are possible since keys can have several attributes (moto, verified on AWS, 2026); for
	// other keys Resolve counts them, as it does the conditions of an expression.
	if len(k.clauses) == 0 {
		return nil, errorf("Conditions can be of length 1 or 2 only")
	}
	return k, nil
}
