package data

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// expressions are the members of a request that its expressions share: ExpressionAttributeNames and
// ExpressionAttributeValues.
type expressions struct {
	expr.Placeholders
	invalidKey string // the first placeholder whose value is wrong
	invalid    error
}

// member decodes a member if it is one of these.
func (e *expressions) member(d *wire.Decoder, name []byte) (known bool, err error) {
	switch string(name) {
	case "ExpressionAttributeNames":
		return true, e.decodeNames(d)
	case "ExpressionAttributeValues":
		return true, e.decodeValues(d)
	}
	return false, nil
}

func (e *expressions) decodeNames(d *wire.Decoder) error {
	e.Names = []expr.Name{}
	return d.Mapping("java.lang.String", func(key []byte) error {
		placeholder := string(key)
		name, err := d.Text()
		e.Names = append(e.Names, expr.Name{Placeholder: placeholder, Attribute: name})
		return err
	})
}

func (e *expressions) decodeValues(d *wire.Decoder) error {
	e.Values = []expr.Value{}
	return d.Mapping(wire.StructureClass("AttributeValue"), func(key []byte) error {
		placeholder := string(key)
		var v wire.Attributes
		err := d.Attribute(&v)
		if v.Err != nil && e.invalid == nil {
			e.invalidKey, e.invalid = placeholder, v.Err
		}
		e.Values = append(e.Values, expr.Value{Placeholder: placeholder, Value: v.Value})
		return err
	})
}

// parameter is a member of a request that was sent or not, by its name.
type parameter struct {
	name string
	set  bool
}

// sent joins the names of the parameters that were sent.
func sent(parameters []parameter) string {
	var names []string
	for _, p := range parameters {
		if p.set {
			names = append(names, p.name)
		}
	}
	return strings.Join(names, ", ")
}

// check refuses expressions beside legacy parameters, placeholders without an expression, and placeholders
// and values that are wrong in themselves. withValues are those of the request's expressions that may
// have values.
func (e *expressions) check(f wire.Family, expressions, withValues, legacy []parameter) error {
	if err := e.checkUse(f, expressions, withValues, legacy); err != nil {
		return err
	}
	return e.checkContents(f)
}

// checkUse is the part of check that looks at which parameters were sent, and not into them.
func (e *expressions) checkUse(f wire.Family, expressions, withValues, legacy []parameter) error {
	exprs, old := sent(expressions), sent(legacy)
	switch {
	case exprs != "" && old != "":
		return f.RefuseMessage("Can not use both expression and non-expression parameters in the same request: " +
			"Non-expression parameters: {" + old + "} Expression parameters: {" + exprs + "}")
	case e.Names != nil && exprs == "":
		return f.RefuseMessage("ExpressionAttributeNames can only be specified when using expressions")
	case e.Values != nil && sent(withValues) == "":
		return f.RefuseMessage("ExpressionAttributeValues can only be specified when using expressions" + whichExpressions(f, withValues))
	}
	return nil
}

// checkContents refuses placeholders and values that are wrong in themselves.
func (e *expressions) checkContents(f wire.Family) error {
	if err := e.Check(); err != nil {
		return f.Refuse(err)
	}
	return e.checkValues(f)
}

// whichExpressions names the expressions that would have had values, which the newer writes do not.
func whichExpressions(f wire.Family, withValues []parameter) string {
	if f.Envelope || len(withValues) == 0 {
		return ""
	}
	var names []string
	for _, p := range withValues {
		names = append(names, p.name)
	}
	verb := " is null"
	if len(names) > 1 {
		verb = " are null"
	}
	return ": " + strings.Join(names, " and ") + verb
}

func (e *expressions) checkValues(f wire.Family) error {
	if e.invalid == nil {
		return nil
	}
	if f.Older {
		return f.RefuseMessage("ExpressionAttributeValues contains invalid value: " + e.invalid.Error() + " for key " + e.invalidKey)
	}
	return f.Refuse(e.invalid)
}
