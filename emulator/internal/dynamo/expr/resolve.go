package expr

// resolver resolves the placeholders of an expression.
type resolver struct {
	*tree
	param        Parameter
	placeholders *Placeholders
}

// resolve resolves an expression, operands before their operator. It returns the first error about an undefined
// placeholder or an operand that does not fit.
func (r resolver) resolve(at ref) error {
	n := &r.nodes[at]
	switch n.op {
	case opPath:
		return r.resolveName(r.path(n.span))
	case opValue:
		return r.resolveValue(n)
	}
	for operand := n.first; operand != 0; operand = r.nodes[operand].next {
		if err := r.resolve(operand); err != nil {
			return err
		}
	}
	return r.checkOperands(n)
}

// resolveName replaces the #names in a path by the attribute names.
func (r resolver) resolveName(p Path) error {
	if len(p) > maxPathDepth {
		return r.param.invalidf("The document path has too many nesting levels; nesting levels: %d", len(p))
	}
	for i := range p {
		if p[i].Name == "" || p[i].Name[0] != '#' {
			continue
		}
		name, ok := r.placeholders.name(p[i].Name)
		if !ok {
			return r.param.invalidf("An expression attribute name used in the document path is not defined; "+
				"attribute name: %s", p[i].Name)
		}
		p[i].Name = name
	}
	return nil
}

func (r resolver) resolveValue(n *node) error {
	v, ok := r.placeholders.value(n.text)
	if !ok {
		return r.param.invalidf("An expression attribute value used in expression is not defined; "+
			"attribute value: %s", n.text)
	}
	n.value = v
	return nil
}

func checkOperators(param Parameter, operators int) error {
	if operators > maxOperators {
		return param.invalidf("The expression contains too many operators; operator count: %d", operators)
	}
	return nil
}
