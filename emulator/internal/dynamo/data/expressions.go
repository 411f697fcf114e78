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

// member decodes a member if it belongs to expressions.
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

// parameter is the name of a request's member, and whether it was sent.
type parameter struct {
	name string
	set  bool
}

// sent returns the names of the parameters that were sent, separated by commas.
func sent(parameters []parameter) string {
	var names []string
	for _, p := range parameters {
		if p.set {
			names = append(names, p.name)
		}
	}
	return strings.Join(names, ", ")
}

// check returns an error for expressions combined with legacy parameters, for placeholders without an expression, and
// for invalid placeholders and values. withValues are those expressions of the request that may use values.
func (e *expressions) check(f wire.ErrorStyle, expressions, withValues, legacy []parameter) error {
	if err := e.checkUse(f, expressions, withValues, legacy); err != nil {
		return err
	}
	return e.checkContents(f)
}

// checkUse is the part of check that depends only on which parameters were sent.
func (e *expressions) checkUse(f wire.ErrorStyle, expressions, withValues, legacy []parameter) error {
	exprs, old := sent(expressions), sent(legacy)
	switch {
	case exprs != "" && old != "":
		return f.New("Can not use both expression and non-expression parameters in the same request: " +
			"Non-expression parameters: {" + old + "} Expression parameters: {" + exprs + "}")
	case e.Names != nil && exprs == "":
		return f.New("ExpressionAttributeNames can only be specified when using expressions")
	case e.Values != nil && sent(withValues) == "":
		return f.New("ExpressionAttributeValues can only be specified when using expressions" + whichExpressions(f, withValues))
	}
	return nil
}

// checkContents returns an error for invalid placeholders and values.
func (e *expressions) checkContents(f wire.ErrorStyle) error {
	if err := e.Check(); err != nil {
		return f.Convert(err)
	}
	return e.checkValues(f)
}

// whichExpressions names the expressions that could have used values. The newer write operations do not name them.
func whichExpressions(f wire.ErrorStyle, withValues []parameter) string {
	if f.Prefixed || len(withValues) == 0 {
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

func (e *expressions) checkValues(f wire.ErrorStyle) error {
	if e.invalid == nil {
		return nil
	}
	if f.Legacy {
		return f.New("ExpressionAttributeValues contains invalid value: " + e.invalid.Error() + " for key " + e.invalidKey)
	}
	return f.Convert(e.invalid)
}
