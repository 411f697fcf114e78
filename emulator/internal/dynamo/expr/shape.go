package expr

// position is where a function stands in an expression.
type position byte

const (
	placeTest     position = iota // a condition
	placeOperand                  // an operand of an operator or a function
	placeAssigned                 // the right side of SET's equals sign
)

// checkShape returns the first error, in the order of the text, that does not depend on placeholders: unknown or
// misplaced functions, reserved words, and list indices out of range.
func (t *tree) checkShape(param Parameter, r ref, at position) error {
	n := &t.nodes[r]
	if n.op == opPath {
		return checkPathWords(param, t.path(n.span))
	}
	if n.op >= opExists && n.op != opPlus && n.op != opMinus {
		if err := checkFunction(param, n, at); err != nil {
			return err
		}
	}
	within := placeOperand
	if n.op == opAnd || n.op == opOr || n.op == opNot {
		within = placeTest
	}
	for r := n.first; r != 0; r = t.nodes[r].next {
		if err := t.checkShape(param, r, within); err != nil {
			return err
		}
	}
	return nil
}

func checkFunction(param Parameter, n *node, at position) error {
	f := functionNamed(n.text)
	if f == nil {
		return param.invalidf("Invalid function name; function: %s", n.text)
	}
	if update := param == UpdateExpression; f.update != update {
		language := "a condition"
		if update {
			language = "an update"
		}
		return param.invalidf("The function is not allowed in %s expression; function: %s", language, n.text)
	}
	if f.test != (at == placeTest) || f.op == opListAppend && at != placeAssigned {
		return param.invalidf("The function is not allowed to be used this way in an expression; function: %s", n.text)
	}
	return nil
}

// checkPathWords returns an error for reserved words in a path. A #name avoids it.
func checkPathWords(param Parameter, p Path) error {
	for _, s := range p {
		if s.Index < 0 {
			return param.invalidf("List index is not within the allowable range; index: %s", s.Name)
		}
		if isReserved(s.Name) {
			return param.invalidf("Attribute name is a reserved keyword; reserved keyword: %s", s.Name)
		}
	}
	return nil
}
