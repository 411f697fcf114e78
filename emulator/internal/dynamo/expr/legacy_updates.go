package expr

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// AttributeUpdate is one entry of AttributeUpdates. Action is PUT, ADD, DELETE or empty, which means PUT. Value is nil
// if it was not sent.
type AttributeUpdate struct {
	Attribute string
	Action    string
	Value     item.Value
}

// ParseAttributeUpdates parses AttributeUpdates.
func ParseAttributeUpdates(updates []AttributeUpdate) (*Update, error) {
	u := new(Update)
	u.init()
	for _, a := range updates {
		if err := checkAttributeName(a.Attribute); err != nil {
			return nil, err
		}
		if err := a.check(); err != nil {
			return nil, err
		}
		u.actions = append(u.actions, a.addTo(&u.tree))
	}
	return u, nil
}

// appendable are the types that ADD accepts in AttributeUpdates. Expressions have list_append for lists.
var appendable = addable | typesOf(item.List)

func (a AttributeUpdate) check() error {
	switch t := a.Value.Type(); {
	case a.Value == nil && a.Action != "DELETE":
		return errorf(parameterValues + "Only DELETE action is allowed when no attribute value is specified")
	case a.Value == nil:
	case a.Action == "DELETE" && !deletable.contains(t):
		return errorf(parameterValues+"DELETE action with value is not supported for the type %s", t)
	case a.Action == "ADD" && !appendable.contains(t):
		return errorf(parameterValues+"ADD action is not supported for the type %s", t)
	}
	return nil
}

func (a AttributeUpdate) addTo(t *tree) action {
	built := action{section: tokenSet, legacy: true}
	switch {
	case a.Action == "ADD":
		built.section = tokenAdd
	case a.Action == "DELETE" && a.Value == nil:
		built.section = tokenRemove
	case a.Action == "DELETE":
		built.section = tokenDelete
	}
	built.target = t.addAttribute(a.Attribute)
	if a.Value != nil {
		built.operand = t.add(node{op: opValue, value: a.Value})
	}
	return built
}

// ParseAttributesToGet parses AttributesToGet, which are attribute names, not paths.
func ParseAttributesToGet(names []string) (*Projection, error) {
	seen := make(map[string]bool, len(names))
	paths := make([]Path, len(names))
	for i, name := range names {
		if err := checkAttributeName(name); err != nil {
			return nil, err
		}
		if seen[name] {
			return nil, errorf(parameterValues+"Duplicate value in attribute name: %s", name)
		}
		seen[name] = true
		paths[i] = Path{{Name: name}}
	}
	return newProjection(paths), nil
}
