package dynamo

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
)

// expressions are the members of a request that its expressions share: ExpressionAttributeNames and
// ExpressionAttributeValues.
type expressions struct {
	expr.Placeholders
	invalidKey string // the first placeholder whose value is wrong
	invalid    error
}

// member decodes a member if it is one of these.
func (e *expressions) member(d *decoder, name []byte) (known bool, err error) {
	switch string(name) {
	case "ExpressionAttributeNames":
		return true, e.decodeNames(d)
	case "ExpressionAttributeValues":
		return true, e.decodeValues(d)
	}
	return false, nil
}

func (e *expressions) decodeNames(d *decoder) error {
	e.Names = []expr.Name{}
	return d.mapping("java.lang.String", func(key []byte) error {
		placeholder := string(key)
		name, err := d.text()
		e.Names = append(e.Names, expr.Name{Placeholder: placeholder, Attribute: name})
		return err
	})
}

func (e *expressions) decodeValues(d *decoder) error {
	e.Values = []expr.Value{}
	return d.mapping(structureClass("AttributeValue"), func(key []byte) error {
		placeholder := string(key)
		var v attributes
		err := d.attribute(&v)
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
func (e *expressions) check(f family, expressions, withValues, legacy []parameter) error {
	if err := e.checkUse(f, expressions, withValues, legacy); err != nil {
		return err
	}
	return e.checkContents(f)
}

// checkUse is the part of check that looks at which parameters were sent, and not into them.
func (e *expressions) checkUse(f family, expressions, withValues, legacy []parameter) error {
	exprs, old := sent(expressions), sent(legacy)
	switch {
	case exprs != "" && old != "":
		return f.refuseMessage("Can not use both expression and non-expression parameters in the same request: " +
			"Non-expression parameters: {" + old + "} Expression parameters: {" + exprs + "}")
	case e.Names != nil && exprs == "":
		return f.refuseMessage("ExpressionAttributeNames can only be specified when using expressions")
	case e.Values != nil && sent(withValues) == "":
		return f.refuseMessage("ExpressionAttributeValues can only be specified when using expressions" + f.whichExpressions(withValues))
	}
	return nil
}

// checkContents refuses placeholders and values that are wrong in themselves.
func (e *expressions) checkContents(f family) error {
	if err := e.Check(); err != nil {
		return f.refuse(err)
	}
	return e.checkValues(f)
}

// whichExpressions names the expressions that would have had values, which the newer writes do not.
func (f family) whichExpressions(withValues []parameter) string {
	if f.envelope || len(withValues) == 0 {
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

func (e *expressions) checkValues(f family) error {
	if e.invalid == nil {
		return nil
	}
	if f.older {
		return f.refuseMessage("ExpressionAttributeValues contains invalid value: " + e.invalid.Error() + " for key " + e.invalidKey)
	}
	return f.refuse(e.invalid)
}
