package script

import (
	"errors"
	"math"

	"github.com/dop251/goja"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// errNodes is a value that is too large for a script.
var errNodes = errors.New("the value is too large for a script")

// importer makes values of the engine of documents.
type importer struct {
	rt   *goja.Runtime
	room int // values that may still be made
	err  error
}

func (s *session) importer() *importer { return &importer{rt: s.rt, room: maxNodes} }

// exact is the largest magnitude up to which the engine's integers are doubles.
const exact = 1 << 53

func (in *importer) value(v doc.Value) goja.Value {
	if in.room--; in.room < 0 {
		in.err = errNodes
		return goja.Undefined()
	}
	switch v.Kind() {
	case doc.Null:
		return goja.Null()
	case doc.Boolean:
		return in.rt.ToValue(v.Bool())
	case doc.Numeric:
		if n := v.Float(); n == math.Trunc(n) && math.Abs(n) < exact {
			return in.rt.ToValue(int64(n))
		}
		return in.rt.ToValue(v.Float())
	case doc.Text:
		return in.rt.ToValue(v.Str())
	case doc.List:
		elements := make([]any, v.Len())
		for i, e := range v.Elements() {
			elements[i] = in.value(e)
		}
		return in.rt.NewArray(elements...)
	case doc.Map:
		return in.object(v.Members())
	}
	return goja.Undefined()
}

func (in *importer) object(members []doc.Member) goja.Value {
	o := in.rt.NewObject()
	for i := range members {
		name, v := members[i].Name, in.value(members[i].Value)
		if name == "__proto__" { // a property like others, not the prototype
			in.note(o.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
			continue
		}
		in.note(o.Set(name, v))
	}
	return o
}

func (in *importer) note(err error) {
	if err != nil && in.err == nil {
		in.err = err
	}
}
