package data

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// The legacy parameters, from before expressions. Each is decoded into what package expr parses. The first invalid
// value of each is kept, and reported at its place in the order of checks.

// legacyConditions is KeyConditions, QueryFilter or ScanFilter.
type legacyConditions struct {
	entries []expr.LegacyCondition
	set     bool
	err     error
}

func decodeConditions(d *wire.Decoder, dst *legacyConditions) error {
	dst.set = true
	return d.Mapping(wire.StructureClass("Condition"), func(key []byte) error {
		c := expr.LegacyCondition{Attribute: string(key)}
		err := d.Element("Condition", func(name []byte) error {
			switch string(name) {
			case "ComparisonOperator":
				return decodeOptionalString(d, &c.Operator)
			case "AttributeValueList":
				return decodeValues(d, &c.Values, &dst.err)
			}
			return d.Skip()
		})
		dst.entries = append(dst.entries, c)
		return err
	})
}

// constraints checks the operators of the parameter with the name member.
func (l *legacyConditions) constraints(c *wire.Constraints, member string) {
	for _, e := range l.entries {
		path := member + "." + e.Attribute + ".member.comparisonOperator"
		c.Required(e.Operator != "", path)
		c.Enum(path, wire.Optional[string]{V: e.Operator, Set: e.Operator != ""}, wire.ComparisonOperators)
	}
}

// legacyExpected is Expected.
type legacyExpected struct {
	entries []expr.Expected
	set     bool
	err     error
}

func decodeExpected(d *wire.Decoder, dst *legacyExpected) error {
	dst.set = true
	return d.Mapping(wire.StructureClass("ExpectedAttributeValue"), func(key []byte) error {
		e := expr.Expected{Attribute: string(key)}
		err := d.Element("ExpectedAttributeValue", func(name []byte) error {
			switch string(name) {
			case "Value":
				return decodeValue(d, &e.Value, &dst.err)
			case "Exists":
				var exists wire.Optional[bool]
				err := d.Boolean(&exists)
				e.Exists = &exists.V
				return err
			case "ComparisonOperator":
				return decodeOptionalString(d, &e.Operator)
			case "AttributeValueList":
				e.List = []item.Value{}
				return decodeValues(d, &e.List, &dst.err)
			}
			return d.Skip()
		})
		dst.entries = append(dst.entries, e)
		return err
	})
}

func (l *legacyExpected) constraints(c *wire.Constraints) {
	for _, e := range l.entries {
		c.Enum("expected."+e.Attribute+".member.comparisonOperator", wire.Optional[string]{V: e.Operator,
			Set: e.Operator != ""}, wire.ComparisonOperators)
	}
}

// parse returns the condition that Expected and ConditionalOperator form.
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

func decodeUpdates(d *wire.Decoder, dst *legacyUpdates) error {
	dst.set = true
	return d.Mapping(wire.StructureClass("AttributeValueUpdate"), func(key []byte) error {
		u := expr.AttributeUpdate{Attribute: string(key)}
		err := d.Element("AttributeValueUpdate", func(name []byte) error {
			switch string(name) {
			case "Value":
				return decodeValue(d, &u.Value, &dst.err)
			case "Action":
				return decodeOptionalString(d, &u.Action)
			}
			return d.Skip()
		})
		dst.entries = append(dst.entries, u)
		return err
	})
}

func (l *legacyUpdates) constraints(c *wire.Constraints) {
	for _, u := range l.entries {
		c.Enum("attributeUpdates."+u.Attribute+".member.action", wire.Optional[string]{V: u.Action, Set: u.Action != ""},
			"DELETE, PUT, ADD")
	}
}

func (l *legacyUpdates) parse() (*expr.Update, error) {
	if l.err != nil {
		return nil, l.err
	}
	return expr.ParseAttributeUpdates(l.entries)
}

// decodeOptionalString decodes a string for which absent and empty mean the same.
func decodeOptionalString(d *wire.Decoder, dst *string) error {
	var s wire.Optional[string]
	err := d.Str(&s)
	*dst = s.V
	return err
}

// decodeValue decodes a member that is an attribute value. If the value is invalid and *invalid is nil, it sets
// *invalid.
func decodeValue(d *wire.Decoder, dst *item.Value, invalid *error) error {
	if d.Kind() != '{' {
		return d.Structure("AttributeValue", func([]byte) error { return errors.New("unreachable: it is no object") })
	}
	var v wire.Attributes
	err := d.Attribute(&v)
	if *invalid == nil {
		*invalid = v.Err
	}
	*dst = v.Value
	return err
}

// decodeValues decodes a list of attribute values, in the same way as decodeValue.
func decodeValues(d *wire.Decoder, dst *[]item.Value, invalid *error) error {
	return d.List(func() error {
		var v wire.Attributes
		err := d.Attribute(&v)
		if *invalid == nil {
			*invalid = v.Err
		}
		*dst = append(*dst, v.Value)
		return err
	})
}
