package expr

import (
	"iter"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// Update is a parsed UpdateExpression or AttributeUpdates. It is safe for concurrent use.
type Update struct {
	tree
	actions []action

	firstActions [4]action
}

// action is the change of one path of the item.
type action struct {
	section tokenKind // SET, REMOVE, ADD or DELETE
	target  ref
	operand ref // 0 for REMOVE
	legacy  bool
}

// ParseUpdate parses an UpdateExpression.
func ParseUpdate(src string, placeholders *Placeholders) (*Update, error) {
	u := new(Update)
	u.actions = u.firstActions[:0]
	p := newParser(&u.tree, UpdateExpression, src)
	repeated := u.sections(&p)
	if err := p.finish(); err != nil {
		return nil, err
	}
	if err := u.checkShapes(repeated); err != nil {
		return nil, err
	}
	if err := u.resolve(resolver{&u.tree, UpdateExpression, placeholders}); err != nil {
		return nil, err
	}
	if err := checkOperators(UpdateExpression, p.operators); err != nil {
		return nil, err
	}
	return u, nil
}

// sections = section { section } . It returns the first repeated section, if any.
func (u *Update) sections(p *parser) (repeated tokenKind) {
	var seen [tokenDelete + 1]bool
	for first := true; first || p.tok.kind >= tokenSet; first = false {
		section := p.tok.kind
		if section < tokenSet {
			p.fail()
			return tokenEOF
		}
		if seen[section] && repeated == tokenEOF {
			repeated = section
		}
		seen[section] = true
		p.advance()
		u.section(p, section)
	}
	return repeated
}

// section = action { "," action } .
func (u *Update) section(p *parser, section tokenKind) {
	for more := true; more && p.err == nil; more = p.accept(tokenComma) {
		a := action{section: section, target: p.add(node{op: opPath, span: p.documentPath()})}
		switch section {
		case tokenSet:
			p.expect(tokenEqual)
			a.operand = p.assigned()
		case tokenAdd, tokenDelete:
			a.operand = p.add(node{op: opValue, text: p.text(p.expect(tokenValue))})
		}
		u.actions = append(u.actions, a)
	}
}

// assigned = operand [ ( "+" | "-" ) operand ] | "(" assigned ")" .
func (p *parser) assigned() ref {
	var left ref
	if p.tok.kind == tokenOpen {
		o := p.open()
		left = p.assigned()
		p.close(o)
	} else {
		left = p.operand()
	}
	n := node{op: opPlus, text: p.text(p.tok)}
	switch p.tok.kind {
	case tokenMinus:
		n.op = opMinus
	case tokenPlus:
	default:
		return left
	}
	if !p.nodes[left].isOperand() {
		return left // a sum has two terms, even with parentheses
	}
	p.advance()
	p.operators++
	return p.join(n, left, p.operand())
}

// Paths returns the document paths in the update, of targets and operands.
func (u *Update) Paths() iter.Seq[Path] { return u.paths }

// target returns the path that the action changes.
func (u *Update) target(a action) Path { return u.path(u.nodes[a.target].span) }

// targets appends the paths of the actions, in order.
func (u *Update) targets(paths []Path) []Path {
	for _, a := range u.actions {
		paths = append(paths, u.target(a))
	}
	return paths
}

// Empty reports whether the update has no actions: AttributeUpdates may be empty, an expression may not.
func (u *Update) Empty() bool { return len(u.actions) == 0 }

// TargetProjection returns the projection of the paths that the update changes, for UPDATED_OLD and UPDATED_NEW.
func (u *Update) TargetProjection() *Projection { return newProjection(u.targets(nil)) }

// AssignedType returns the type that the update assigns to an attribute, 0 if it assigns none or the item decides the
// type.
func (u *Update) AssignedType(attribute string) item.Type {
	for _, a := range u.actions {
		assigns := a.section == tokenSet || a.section == tokenAdd
		if target := u.target(a); assigns && len(target) == 1 && target[0].Name == attribute {
			return typeOf(&u.nodes[a.operand])
		}
	}
	return 0
}

// OnlyRemoves reports whether the update has actions, and all of them are REMOVE or DELETE.
func (u *Update) OnlyRemoves() bool {
	for i := range u.actions {
		if s := u.actions[i].section; s != tokenRemove && s != tokenDelete {
			return false
		}
	}
	return len(u.actions) > 0
}

// CheckKey returns an error for an update of one of the attributes of its table's key.
func (u *Update) CheckKey(key ...string) error {
	for _, attribute := range key {
		for _, a := range u.actions {
			if u.target(a).Attribute() == attribute {
				return errorf(parameterValues+"Cannot update attribute %s. This attribute is part of the key", attribute)
			}
		}
	}
	return nil
}
