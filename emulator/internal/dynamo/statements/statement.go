package statements

import (
	"strings"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/partiql"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// statement is a statement in a request, with its members.
type statement struct {
	Statement                           wire.Optional[string]
	ConsistentRead                      wire.Optional[bool]
	ReturnValuesOnConditionCheckFailure wire.Optional[string]

	parameters    []item.Value
	hasParameters bool
	invalid       error // the first invalid parameter

	compiled *partiql.Compiled // nil if prepare failed
}

// maxStatementLength is the maximum length of a statement, in characters.
const maxStatementLength = 8192

// decodeMember decodes a member if it belongs to statement.
func (s *statement) decodeMember(d *wire.Decoder, name []byte) (known bool, err error) {
	switch string(name) {
	case "Statement":
		return true, d.Str(&s.Statement)
	case "Parameters":
		s.hasParameters = true
		return true, d.List(func() error { return s.decodeParameter(d) })
	case "ConsistentRead":
		return true, d.Boolean(&s.ConsistentRead)
	case "ReturnValuesOnConditionCheckFailure":
		return true, d.Str(&s.ReturnValuesOnConditionCheckFailure)
	}
	return false, nil
}

// decodeParameter decodes one parameter. Its value is checked before the statement is parsed.
func (s *statement) decodeParameter(d *wire.Decoder) error {
	var v wire.Attributes
	err := d.Attribute(&v)
	if v.Err != nil && s.invalid == nil {
		s.invalid = wire.ValidationError(v.Err.Error())
	}
	s.parameters = append(s.parameters, v.Value)
	return err
}

// useParameterRules selects the service's rules and messages for the values of parameters.
func useParameterRules(d *wire.Decoder) {
	d.Items.LegacyErrors, d.Items.CheckNumber = true, partiql.CheckNumber
	d.Items.ExtraDepth = 1 // the write refuses it later (nubo-db/dynoxide, captures of 2026-10)
}

// constraints checks single members. path is the path of the statement's structure, with a trailing dot; empty for
// ExecuteStatement.
func (s *statement) constraints(c *wire.Constraints, path string) {
	c.Enum(path+"returnValuesOnConditionCheckFailure", s.ReturnValuesOnConditionCheckFailure, wire.FailureModes)
	text := s.Statement.V
	switch n := utf8.RuneCountInString(text); {
	case !s.Statement.Set:
		c.Required(false, path+"statement")
	case n == 0:
		c.Add(path+"statement", text, "Member must have length greater than or equal to 1")
	case n > maxStatementLength:
		c.Add(path+"statement", text, "Member must have length less than or equal to 8192")
	}
	if s.hasParameters && len(s.parameters) == 0 {
		c.Add(path+"parameters", "[]", "Member must have length greater than or equal to 1")
	}
}

// dump formats the statement as the service prints the elements of a list that is too long, without its end.
func (s *statement) dump(class string) string {
	parameters := "null"
	if s.hasParameters {
		texts := make([]string, len(s.parameters))
		for i, p := range s.parameters {
			texts[i] = wire.DumpValue(p)
		}
		parameters = "[" + strings.Join(texts, ", ") + "]"
	}
	return class + "(statement=" + s.Statement.V + ", parameters=" + parameters
}

func (s *statement) dumpFailureMode() string {
	if s.ReturnValuesOnConditionCheckFailure.Set {
		return s.ReturnValuesOnConditionCheckFailure.V
	}
	return "null"
}

// prepare checks the parameters, and parses and compiles the statement.
func (s *statement) prepare() error {
	if s.invalid != nil {
		return s.invalid
	}
	return s.compile()
}

func (s *statement) compile() error {
	parsed, err := partiql.Parse(s.Statement.V)
	if err != nil {
		return wire.ValidationError(err.Error())
	}
	compiled, err := partiql.Compile(parsed, s.parameters)
	if err != nil {
		return wire.ValidationError(err.Error())
	}
	if compiled.NewItem != nil {
		if err := engine.CheckItemSize(compiled.NewItem); err != nil {
			return err
		}
	}
	s.compiled = compiled
	return nil
}

// isRead reports whether the statement is a SELECT.
func (s *statement) isRead() bool { return s.compiled.Kind == partiql.Select }

// actions are the IAM actions of the kinds of statements. EXISTS reads ("IAM security policies with PartiQL").
var actions = map[partiql.Kind]string{partiql.Select: "PartiQLSelect", partiql.Exists: "PartiQLSelect",
	partiql.Insert: "PartiQLInsert", partiql.Update: "PartiQLUpdate", partiql.Delete: "PartiQLDelete"}

// resourceRef returns the resource that policies and fault rules match.
func (s *statement) resourceRef() engine.ResourceRef {
	c := s.compiled
	ref := engine.ResourceRef{Action: actions[c.Kind], Table: c.TableName, Index: c.IndexName, Item: c.NewItem}
	if c.NewItem != nil {
		return ref
	}
	var entries []item.Entry
	for name, values := range c.Keys.Equalities() {
		entries = append(entries, item.Entry{Name: name, Value: values[0]})
	}
	if entries != nil {
		ref.Item = item.NewMap(entries...)
	}
	return ref
}

// policyValues adds the values of condition keys.
func (s *statement) policyValues(v *engine.PolicyValues) {
	c := s.compiled
	v.Attributes.AddCondition(c.Condition)
	v.Attributes.AddUpdate(c.Update)
	v.Attributes.AddProjection(c.Projection)
	switch c.Kind {
	case partiql.Select:
		v.Select = engine.DefaultSelect(c.Projection)
	case partiql.Update, partiql.Delete:
		v.ReturnValues = c.Returning.ReturnValues()
	}
}

// table returns the statement's table, and its index, nil without one.
func (s *statement) table(req *engine.Request) (*engine.Table, *engine.Index, error) {
	t, err := req.Account.Table(s.compiled.TableName)
	if err != nil || s.compiled.IndexName == "" {
		return t, nil, err
	}
	x, ok := t.Index(s.compiled.IndexName)
	if !ok {
		return nil, nil, wire.ValidationError("The table does not have the specified index")
	}
	if s.compiled.Kind != partiql.Select {
		return nil, nil, wire.ValidationError("This operation is not supported on an index")
	}
	return t, x, nil
}
