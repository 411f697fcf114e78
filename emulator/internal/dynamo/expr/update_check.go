package expr

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"

// checkShapes returns the first error of an update that does not depend on placeholders: in the order of the text, and
// then a repeated section.
func (u *Update) checkShapes(repeated tokenKind) error {
	for _, a := range u.actions {
		if err := checkPathWords(UpdateExpression, u.target(a)); err != nil {
			return err
		}
		if a.operand == 0 {
			continue
		}
		if err := u.checkShape(UpdateExpression, a.operand, placeAssigned); err != nil {
			return err
		}
	}
	if repeated != tokenEOF {
		return UpdateExpression.invalidf(`The "%s" section can only be used once in an update expression;`,
			sectionNames[repeated-tokenSet])
	}
	return nil
}

var sectionNames = [...]string{"SET", "REMOVE", "ADD", "DELETE"}

// resolve resolves the placeholders in the service's order: all targets before all operands, both from the last to the
// first.
func (u *Update) resolve(r resolver) error {
	var buf [4]Path
	if err := r.resolveTargets(u.targets(buf[:0])); err != nil {
		return err
	}
	for i := len(u.actions) - 1; i >= 0; i-- {
		a := &u.actions[i]
		if a.operand == 0 {
			continue
		}
		if err := r.resolve(a.operand); err != nil {
			return err
		}
		if err := checkSection(a.section, u.nodes[a.operand].value.Type()); err != nil {
			return err
		}
	}
	return nil
}

// The types that ADD and DELETE accept, and the words for types in messages.
var (
	addable          = typesOf(item.Number, item.StringSet, item.NumberSet, item.BinarySet)
	deletable        = typesOf(item.StringSet, item.NumberSet, item.BinarySet)
	typeMessageNames = [...]string{
		item.String: "STRING", item.Number: "NUMBER", item.Binary: "BINARY", item.List: "LIST",
		item.Map: "MAP", item.Bool: "BOOLEAN", item.Null: "NULL",
	}
)

// checkSection checks the type of the value in ADD or DELETE.
func checkSection(section tokenKind, t item.Type) error {
	if section != tokenAdd && section != tokenDelete {
		return nil
	}
	allowed := addable
	if section == tokenDelete {
		allowed = deletable
	}
	if allowed.contains(t) {
		return nil
	}
	name := sectionNames[section-tokenSet]
	return UpdateExpression.invalidf("Incorrect operand type for operator or function; operator: %s, "+
		"operand type: %s, typeSet: ALLOWED_FOR_%s_OPERAND", name, typeMessageNames[t], name)
}
