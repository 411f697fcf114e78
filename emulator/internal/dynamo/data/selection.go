package data

import (
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// selection is the attributes that a read requests, by ProjectionExpression or AttributesToGet.
type selection struct {
	ProjectionExpression wire.Optional[string]
	AttributesToGet      []string

	projection *expr.Projection // nil: the whole item
}

// decodeMember decodes a member if it belongs to selection.
func (s *selection) decodeMember(d *wire.Decoder, name []byte) (known bool, err error) {
	switch string(name) {
	case "ProjectionExpression":
		return true, d.Str(&s.ProjectionExpression)
	case "AttributesToGet":
		return true, d.Strings(&s.AttributesToGet)
	}
	return false, nil
}

func (s *selection) constraints(c *wire.Constraints) {
	if s.AttributesToGet != nil && len(s.AttributesToGet) == 0 {
		c.Add("attributesToGet", "[]", "Member must have length greater than or equal to 1")
	}
	if len(s.AttributesToGet) > shape.MaxNameLength {
		c.Add("attributesToGet", fmt.Sprint(s.AttributesToGet), "Member must have length less than or equal to 255")
	}
}

// checkSelection checks and parses the selection of a read of single items. keys is the error of the first invalid key,
// if any.
func (s *selection) checkSelection(style wire.ErrorStyle, e *expressions, keyErr error) error {
	exprs := []parameter{{"ProjectionExpression", s.ProjectionExpression.Set}}
	if err := e.checkExpressions(style, exprs, nil,
		[]parameter{{"AttributesToGet", s.AttributesToGet != nil}}); err != nil {
		return err
	}
	if err := style.Convert(keyErr); err != nil {
		return err
	}
	if err := s.parseLegacy(style); err != nil {
		return err
	}
	if err := s.parse(style, e); err != nil {
		return err
	}
	return style.Convert(e.Unused())
}

// parseLegacy parses AttributesToGet.
func (s *selection) parseLegacy(style wire.ErrorStyle) (err error) {
	if s.AttributesToGet != nil {
		s.projection, err = expr.ParseAttributesToGet(s.AttributesToGet)
	}
	return style.Convert(err)
}

// parse parses ProjectionExpression.
func (s *selection) parse(style wire.ErrorStyle, e *expressions) (err error) {
	if s.ProjectionExpression.Set {
		s.projection, err = expr.ParseProjection(s.ProjectionExpression.V, &e.Placeholders)
	}
	return style.Convert(err)
}

// project returns the requested attributes of an item. Its only error is the budget's.
func (s *selection) project(it item.Value, work *budget.Budget) (item.Value, error) {
	var own item.Value
	return s.projectInto(&own, it, work)
}

// projectInto is project with memory for the result, which is overwritten by the next call with it.
func (s *selection) projectInto(memory *item.Value, it item.Value, work *budget.Budget) (item.Value, error) {
	if s.projection == nil {
		return it, nil
	}
	var err error
	*memory, err = s.projection.ApplyInto(*memory, it, work)
	return *memory, err
}
