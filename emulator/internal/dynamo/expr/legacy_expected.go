package expr

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"

// Expected is one entry of the Expected parameter. Fields that were not sent are empty or nil.
type Expected struct {
	Attribute string
	Exists    *bool
	Value     item.Value
	Operator  string
	List      []item.Value
}

// ParseExpected parses Expected with its ConditionalOperator, "" if that was not sent. Without entries it returns the
// nil *Condition, which matches every item.
func ParseExpected(entries []Expected, conditionalOperator string) (*Condition, error) {
	if err := CheckConditionalOperator(len(entries), conditionalOperator); err != nil {
		return nil, err
	}
	conditions := make([]LegacyCondition, len(entries))
	for i, e := range entries {
		if err := e.check(); err != nil {
			return nil, err
		}
		conditions[i] = e.condition()
		if e.Operator == "" {
			continue
		}
		if err := conditions[i].check(); err != nil {
			return nil, err
		}
	}
	return newLegacyCondition(conditions, conditionalOperator), nil
}

// check returns an error for fields that exclude each other.
func (e Expected) check() error {
	switch {
	case e.List != nil && e.Value != nil:
		return errorf(parameterValues+"Value and AttributeValueList cannot be used together for Attribute: %s", e.Attribute)
	case e.Operator != "" && e.Exists != nil:
		return errorf(parameterValues+"Exists and ComparisonOperator cannot be used together for Attribute: %s", e.Attribute)
	case e.Operator != "":
		if e.List == nil && e.Value == nil && e.Operator != "NULL" && e.Operator != "NOT_NULL" {
			return errorf(parameterValues+
				"Value or AttributeValueList must be used with ComparisonOperator: %s for Attribute: %s",
				e.Operator, e.Attribute)
		}
		return nil
	case e.List != nil:
		return errorf(parameterValues+"AttributeValueList can only be used with a ComparisonOperator for Attribute: %s",
			e.Attribute)
	}
	return e.checkExists()
}

func (e Expected) checkExists() error {
	switch exists := "null"; {
	case e.Exists != nil && !*e.Exists:
		if e.Value != nil {
			return errorf(parameterValues+"Value cannot be used when Exists is false for Attribute: %s", e.Attribute)
		}
	case e.Value == nil:
		if e.Exists != nil {
			exists = "true"
		}
		return errorf(parameterValues+"Value must be provided when Exists is %s for Attribute: %s", exists, e.Attribute)
	}
	return nil
}

// condition converts the entry to a ComparisonOperator with operands.
func (e Expected) condition() LegacyCondition {
	c := LegacyCondition{e.Attribute, e.Operator, e.List}
	if e.Value != nil {
		c.Values = []item.Value{e.Value}
	}
	switch {
	case e.Operator != "":
	case e.Exists != nil && !*e.Exists:
		c.Operator = "NULL"
	default:
		c.Operator = "EQ"
	}
	return c
}
