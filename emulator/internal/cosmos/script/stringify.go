package script

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// exporter makes documents of the engine's values, by the rules of JSON.stringify. It runs code of the script, such as
// toJSON, and throws within it.
type exporter struct {
	s        *session
	room     int // values that may still be made
	text     int // bytes of strings that may still be copied
	open     []*goja.Object
	replacer goja.Callable
	names    map[string]bool // an array as replacer: what is let through
}

func (s *session) exporter() *exporter {
	return &exporter{s: s, room: maxNodes, text: 2 * maxText}
}

// document is a value as JSON; undefined where JSON has none, as of functions. It is called within the script.
func (s *session) document(v goja.Value) doc.Value {
	return s.exporter().value(nil, "", v)
}

// value converts holder[name], which is v.
func (x *exporter) value(holder *goja.Object, name string, v goja.Value) doc.Value {
	if x.room--; x.room < 0 || x.s.dog.stopped.Load() {
		x.s.throw(codeTooLarge, "The value is too large.")
	}
	v = x.prepared(holder, name, v)
	switch v := v.(type) {
	case nil:
		return doc.Value{}
	case goja.String:
		return x.string(v)
	case *goja.Object:
		return x.object(v)
	}
	switch {
	case goja.IsUndefined(v):
		return doc.Value{}
	case goja.IsNull(v):
		return doc.NullValue()
	case goja.IsNumber(v):
		return number(v.ToFloat())
	}
	if b, ok := v.Export().(bool); ok {
		return doc.Bool(b)
	}
	return doc.Value{} // a symbol
}

// prepared is what toJSON and a replacer make of a value.
func (x *exporter) prepared(holder *goja.Object, name string, v goja.Value) goja.Value {
	if o, ok := v.(*goja.Object); ok {
		if fn, ok := goja.AssertFunction(o.Get("toJSON")); ok {
			v = must(fn(o, x.s.rt.ToValue(name)))
		}
	}
	if x.replacer != nil {
		if holder == nil {
			holder = x.s.rt.NewObject()
			_ = holder.Set(name, v)
		}
		v = must(x.replacer(holder, x.s.rt.ToValue(name), v))
	}
	return v
}

// must throws on what a called function threw.
func must(v goja.Value, err error) goja.Value {
	if err != nil {
		panic(err)
	}
	return v
}

func number(n float64) doc.Value {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return doc.NullValue()
	}
	return doc.Number(n)
}

func (x *exporter) string(v goja.String) doc.Value {
	text := v.String()
	if x.text -= len(text); x.text < 0 {
		x.s.throw(codeTooLarge, "The value is too large.")
	}
	return doc.String(text)
}

func (x *exporter) object(o *goja.Object) doc.Value {
	if _, callable := goja.AssertFunction(o); callable {
		return doc.Value{}
	}
	switch o.ClassName() { // boxes
	case "Number":
		return number(o.ToFloat())
	case "String":
		return x.string(o.ToString().(goja.String))
	case "Boolean":
		b, _ := o.Export().(bool)
		return doc.Bool(b)
	}
	for _, outer := range x.open {
		if outer == o {
			panic(x.s.rt.NewTypeError("Converting circular structure to JSON"))
		}
	}
	if len(x.open) >= maxDepth {
		panic(x.s.rt.NewTypeError("The value is nested too deeply for JSON"))
	}
	x.open = append(x.open, o)
	defer func() { x.open = x.open[:len(x.open)-1] }()
	if x.s.isArray(o) {
		return x.array(o)
	}
	members := []doc.Member{}
	for _, name := range o.Keys() {
		if x.names != nil && !x.names[name] {
			continue
		}
		if x.text -= len(name); x.text < 0 {
			x.s.throw(codeTooLarge, "The value is too large.")
		}
		if v := x.value(o, name, o.Get(name)); v.Defined() {
			members = append(members, doc.Member{Name: strings.ToValidUTF8(name, "\ufffd"), Value: v})
		}
	}
	return doc.Object(members...)
}

func (x *exporter) array(o *goja.Object) doc.Value {
	n := x.s.length(o)
	if n > x.room {
		x.s.throw(codeTooLarge, "The value is too large.")
	}
	elements := make([]doc.Value, n)
	for i := range elements {
		name := strconv.Itoa(i)
		if elements[i] = x.value(o, name, o.Get(name)); !elements[i].Defined() {
			elements[i] = doc.NullValue()
		}
	}
	return doc.Array(elements...)
}

// stringify is JSON.stringify.
func (s *session) stringify(call goja.FunctionCall) goja.Value {
	x := s.exporter()
	if replacer, ok := call.Argument(1).(*goja.Object); ok {
		if fn, callable := goja.AssertFunction(replacer); callable {
			x.replacer = fn
		} else if s.isArray(replacer) {
			x.names = map[string]bool{}
			for i := range min(s.length(replacer), maxArgs) {
				x.names[replacer.Get(strconv.Itoa(i)).String()] = true
			}
		}
	}
	v := x.value(nil, "", call.Argument(0))
	if !v.Defined() {
		return goja.Undefined()
	}
	if gap := gapOf(call.Argument(2)); gap != "" {
		p := printer{gap: gap, room: 2 * maxText}
		p.value(v, "\n")
		if p.room < 0 {
			s.throw(codeTooLarge, "The text is too long.")
		}
		return s.rt.ToValue(string(p.out))
	}
	return s.rt.ToValue(v.JSON())
}

// gapOf is the indentation that the third argument of JSON.stringify asks for: ten characters at most.
func gapOf(v goja.Value) string {
	const longest = 10
	if goja.IsNumber(v) {
		return strings.Repeat(" ", int(min(longest, max(0, v.ToInteger()))))
	}
	if goja.IsString(v) {
		if text := v.String(); len(text) > longest {
			return text[:longest]
		}
		return v.String()
	}
	return ""
}

// printer writes JSON with indentation.
type printer struct {
	gap  string
	out  []byte
	room int
}

func (p *printer) value(v doc.Value, indent string) {
	if p.room < 0 {
		return
	}
	before := len(p.out)
	inner := indent + p.gap
	switch {
	case v.Len() == 0:
		p.out = doc.Append(p.out, v)
	case v.Kind() == doc.List:
		for i, e := range v.Elements() {
			p.sep(i, '[', inner)
			p.value(e, inner)
		}
		p.out = append(append(p.out, indent...), ']')
	default:
		for i, m := range v.Members() {
			p.sep(i, '{', inner)
			p.out = append(doc.AppendString(p.out, m.Name), ": "...)
			p.value(m.Value, inner)
		}
		p.out = append(append(p.out, indent...), '}')
	}
	p.room -= len(p.out) - before
}

func (p *printer) sep(i int, open byte, indent string) {
	if i > 0 {
		open = ','
	}
	p.out = append(append(p.out, open), indent...)
}

// parse is JSON.parse without its second argument, which guard.js does.
func (s *session) parse(call goja.FunctionCall) goja.Value {
	text := s.text(call.Argument(0))
	v, err := doc.Parse([]byte(text))
	if err != nil {
		problem := "Unexpected token in JSON"
		if errors.Is(err, doc.ErrDepth) {
			problem = err.Error()
		}
		panic(s.must(s.rt.New(s.rt.Get("SyntaxError"), s.rt.ToValue(problem))))
	}
	in := s.importer()
	out := in.value(v)
	if in.err != nil {
		s.throw(codeTooLarge, "%s", in.err)
	}
	return out
}
