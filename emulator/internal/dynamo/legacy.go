package dynamo

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// The parameters that came before expressions. Each decodes into what package expr parses; the first wrong
// value in one is kept beside it, to be told at its place in the order of checks.

// legacyConditions is KeyConditions, QueryFilter or ScanFilter.
type legacyConditions struct {
	entries []expr.LegacyCondition
	set     bool
	err     error
}

func (d *decoder) conditions(dst *legacyConditions) error {
	dst.set = true
	return d.mapping(structureClass("Condition"), func(key []byte) error {
		c := expr.LegacyCondition{Attribute: string(key)}
		err := d.element("Condition", func(name []byte) error {
			switch string(name) {
			case "ComparisonOperator":
				return d.name(&c.Operator)
			case "AttributeValueList":
				return d.values(&c.Values, &dst.err)
			}
			return d.Skip()
		})
		dst.entries = append(dst.entries, c)
		return err
	})
}

// constraints checks the operators of the parameter called member.
func (l *legacyConditions) constraints(c *constraints, member string) {
	for _, e := range l.entries {
		path := member + "." + e.Attribute + ".member.comparisonOperator"
		c.required(e.Operator != "", path)
		c.oneOf(optional[string]{e.Operator, e.Operator != ""}, path, comparisonNames)
	}
}

// legacyExpected is Expected.
type legacyExpected struct {
	entries []expr.Expected
	set     bool
	err     error
}

func (d *decoder) expected(dst *legacyExpected) error {
	dst.set = true
	return d.mapping(structureClass("ExpectedAttributeValue"), func(key []byte) error {
		e := expr.Expected{Attribute: string(key)}
		err := d.element("ExpectedAttributeValue", func(name []byte) error {
			switch string(name) {
			case "Value":
				return d.value(&e.Value, &dst.err)
			case "Exists":
				var exists optional[bool]
				err := d.boolean(&exists)
				e.Exists = &exists.V
				return err
			case "ComparisonOperator":
				return d.name(&e.Operator)
			case "AttributeValueList":
				e.List = []item.Value{}
				return d.values(&e.List, &dst.err)
			}
			return d.Skip()
		})
		dst.entries = append(dst.entries, e)
		return err
	})
}

func (l *legacyExpected) constraints(c *constraints) {
	for _, e := range l.entries {
		c.oneOf(optional[string]{e.Operator, e.Operator != ""}, "expected."+e.Attribute+".member.comparisonOperator", comparisonNames)
	}
}

// parse is the condition that Expected and ConditionalOperator make.
func (l *legacyExpected) parse(conditionalOperator string) (*expr.Condition, error) {
	if l.err != nil {
		return nil, l.err
	}
	return expr.ParseExpected(l.entries, conditionalOperator)
}

// legacyUpdates is AttributeUpdates.
type legacyUpdates struct {
	entries []expr.AttributeUpdate
	set     bool
	err     error
}

func (d *decoder) updates(dst *legacyUpdates) error {
	dst.set = true
	return d.mapping(structureClass("AttributeValueUpdate"), func(key []byte) error {
		u := expr.AttributeUpdate{Attribute: string(key)}
		err := d.element("AttributeValueUpdate", func(name []byte) error {
			switch string(name) {
			case "Value":
				return d.value(&u.Value, &dst.err)
			case "Action":
				return d.name(&u.Action)
			}
			return d.Skip()
		})
		dst.entries = append(dst.entries, u)
		return err
	})
}

func (l *legacyUpdates) constraints(c *constraints) {
	for _, u := range l.entries {
		c.oneOf(optional[string]{u.Action, u.Action != ""}, "attributeUpdates."+u.Attribute+".member.action", "DELETE, PUT, ADD")
	}
}

func (l *legacyUpdates) parse() (*expr.Update, error) {
	if l.err != nil {
		return nil, l.err
	}
	return expr.ParseAttributeUpdates(l.entries)
}

// name reads a string for which absent and empty are the same.
func (d *decoder) name(dst *string) error {
	var s optional[string]
	err := d.str(&s)
	*dst = s.V
	return err
}

// value reads an attribute value that is a member; what is wrong with it is joined to wrong if it is the
// first.
func (d *decoder) value(dst *item.Value, wrong *error) error {
	if d.Kind() != '{' {
		return d.structure("AttributeValue", func([]byte) error { return errors.New("unreachable: it is no object") })
	}
	var v attributes
	err := d.attribute(&v)
	if *wrong == nil {
		*wrong = v.Err
	}
	*dst = v.Value
	return err
}

// values reads a list of attribute values, as value does.
func (d *decoder) values(dst *[]item.Value, wrong *error) error {
	return d.list(func() error {
		var v attributes
		err := d.attribute(&v)
		if *wrong == nil {
			*wrong = v.Err
		}
		*dst = append(*dst, v.Value)
		return err
	})
}
