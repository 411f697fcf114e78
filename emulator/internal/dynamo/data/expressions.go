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
	invalidErr error
	veryDeep   bool // a value is nested so deep that the service validates in its older way
}

// decodeMember decodes a member if it belongs to expressions.
func (e *expressions) decodeMember(d *wire.Decoder, name []byte) (known bool, err error) {
	if string(name) == "ExpressionAttributeValues" {
		return true, e.decodeValues(d)
	}
	return e.decodeNamesOnly(d, name)
}

// decodeNamesOnly is decodeMember for the requests that read items by their keys. In the SDK's model they have no
// ExpressionAttributeValues, so the service ignores these.
func (e *expressions) decodeNamesOnly(d *wire.Decoder, name []byte) (known bool, err error) {
	if string(name) == "ExpressionAttributeNames" {
		return true, e.decodeNames(d)
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
		if v.Err != nil && e.invalidErr == nil {
			e.invalidKey, e.invalidErr = placeholder, v.Err
		}
		e.Values = append(e.Values, expr.Value{Placeholder: placeholder, Value: v.Value})
		e.veryDeep = d.Items.VeryDeep
		return err
	})
}

// parameter is the name of a request's member, and whether it was sent.
type parameter struct {
	name string
	set  bool
}

// sentNames returns the names of the parameters that were sent, separated by commas.
func sentNames(parameters []parameter) string {
	var names []string
	for _, p := range parameters {
		if p.set {
			names = append(names, p.name)
		}
	}
	return strings.Join(names, ", ")
}

// checkExpressions returns an error for expressions combined with legacy parameters, for placeholders without an
// expression, and for invalid placeholders and values. withValues are those expressions of the request that may use
// values.
func (e *expressions) checkExpressions(style wire.ErrorStyle, expressions, withValues, legacy []parameter) error {
	if err := e.checkCombinations(style, expressions, withValues, legacy); err != nil {
		return err
	}
	return e.checkPlaceholdersAndValues(style)
}

// checkCombinations is the part of checkExpressions that depends only on which parameters were sent.
func (e *expressions) checkCombinations(style wire.ErrorStyle, expressions, withValues, legacy []parameter) error {
	sentExpressions, sentLegacy := sentNames(expressions), sentNames(legacy)
	switch {
	case sentExpressions != "" && sentLegacy != "":
		return style.New("Can not use both expression and non-expression parameters in the same request: " +
			"Non-expression parameters: {" + sentLegacy + "} Expression parameters: {" + sentExpressions + "}")
	case e.Names != nil && sentExpressions == "":
		return style.New("ExpressionAttributeNames can only be specified when using expressions")
	case e.Values != nil && sentNames(withValues) == "":
		return style.New("ExpressionAttributeValues can only be specified when using expressions" +
			whichExpressions(style, withValues))
	}
	return nil
}

// checkPlaceholdersAndValues returns an error for invalid placeholders and values.
func (e *expressions) checkPlaceholdersAndValues(style wire.ErrorStyle) error {
	if err := e.Check(); err != nil {
		return style.Convert(err)
	}
	return e.checkValues(style)
}

// whichExpressions names the expressions that could have used values. The newer write operations do not name them.
func whichExpressions(style wire.ErrorStyle, withValues []parameter) string {
	if style.Prefixed || len(withValues) == 0 {
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

func (e *expressions) checkValues(style wire.ErrorStyle) error {
	if e.invalidErr == nil {
		return nil
	}
	if style.Legacy || e.veryDeep {
		return style.New("ExpressionAttributeValues contains invalid value: " + e.invalidErr.Error() +
			" for key " + e.invalidKey)
	}
	return style.Convert(e.invalidErr)
}
