package script

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// patternSource is the function that gives the text of a regular expression, whatever a script makes of the property.
var patternSource = goja.MustCompile(guardName, `Object.getOwnPropertyDescriptor(RegExp.prototype, "source").get`, true)

// guard replaces what has no bounds in the engine. It runs before any code of a script.
func (s *session) guard() error {
	v, err := s.rt.RunProgram(guardProgram)
	if err != nil {
		return err
	}
	install, _ := goja.AssertFunction(v)
	tools := s.rt.NewObject()
	for name, fn := range map[string]func(goja.FunctionCall) goja.Value{
		"stringify": s.stringify, "parse": s.parse, "join": s.join, "checkText": s.checkText, "checkLength": s.checkLength, "stopped": s.checkStopped,
	} {
		if err := tools.Set(name, fn); err != nil {
			return err
		}
	}
	for name, wrap := range map[string]func(goja.Callable) func(goja.FunctionCall) goja.Value{
		"array": s.guardArray, "mutator": s.guardMutator, "concat": s.guardConcat, "apply": s.guardApply, "step": s.guardStep,
		"text": s.guardText, "textConcat": s.guardJoin, "repeat": s.guardRepeat, "pad": s.guardPad, "replace": s.guardReplace,
	} {
		if err := tools.Set(name, func(call goja.FunctionCall) goja.Value {
			native, _ := goja.AssertFunction(call.Argument(0))
			return s.rt.ToValue(wrap(native))
		}); err != nil {
			return err
		}
	}
	source, err := s.rt.RunProgram(patternSource)
	if err != nil {
		return err
	}
	s.source, _ = goja.AssertFunction(source)
	_, err = install(goja.Undefined(), tools)
	return err
}

// pass calls a built-in function as it was called.
func pass(native goja.Callable, call goja.FunctionCall) goja.Value {
	return must(native(call.This, call.Arguments...))
}

var arrayType = reflect.TypeFor[[]any]()

// isArray says whether an object is an array, and no proxy of one: reading its length runs no code.
func (s *session) isArray(o *goja.Object) bool { return o.ExportType() == arrayType }

// length is the length of an array, within bounds; else it throws.
func (s *session) length(o *goja.Object) int {
	n := o.Get("length").ToInteger()
	if n > maxLength {
		s.rangeError("Invalid array length")
	}
	return int(max(0, n))
}

func (s *session) rangeError(text string) {
	panic(s.must(s.rt.New(s.rangeErrors, s.rt.ToValue(text))))
}

func (s *session) must(o *goja.Object, err error) goja.Value {
	if err != nil {
		panic(err)
	}
	return o
}

// list is an array-like object as an array whose length cannot change under the function that gets it.
func (s *session) list(v goja.Value, most int) *goja.Object {
	o := v.ToObject(s.rt)
	n := s.length(o)
	if n > most {
		s.rangeError("Invalid array length")
	}
	if s.isArray(o) {
		return o
	}
	elements := make([]any, n)
	for i := range elements {
		elements[i] = o.Get(strconv.Itoa(i))
		s.live()
	}
	return s.rt.NewArray(elements...)
}

// live throws where the script was interrupted: what it throws may be caught, but nothing runs after it.
func (s *session) live() {
	if s.dog != nil && s.dog.stopped.Load() {
		panic(s.rt.NewTypeError("interrupted"))
	}
}

func (s *session) checkStopped(goja.FunctionCall) goja.Value {
	s.live()
	return goja.Undefined()
}

// guardArray holds a function that goes through this to arrays of a length within bounds.
func (s *session) guardArray(native goja.Callable) func(goja.FunctionCall) goja.Value {
	return func(call goja.FunctionCall) goja.Value {
		s.live()
		call.This = s.list(call.This, maxLength)
		return pass(native, call)
	}
}

// guardMutator is guardArray of a function that changes this: there is no copy to work on.
func (s *session) guardMutator(native goja.Callable) func(goja.FunctionCall) goja.Value {
	return func(call goja.FunctionCall) goja.Value {
		s.live()
		o := call.This.ToObject(s.rt)
		if !s.isArray(o) {
			panic(s.rt.NewTypeError("the function works on arrays only"))
		}
		s.length(o)
		return pass(native, call)
	}
}

func (s *session) guardConcat(native goja.Callable) func(goja.FunctionCall) goja.Value {
	return func(call goja.FunctionCall) goja.Value {
		s.live()
		call.This = s.list(call.This, maxLength)
		n := s.length(call.This.(*goja.Object))
		for _, arg := range call.Arguments {
			n++
			if o, ok := arg.(*goja.Object); ok {
				if !s.isArray(o) && o.GetSymbol(goja.SymIsConcatSpreadable) != nil {
					panic(s.rt.NewTypeError("concat spreads arrays only"))
				}
				if s.isArray(o) {
					n += s.length(o)
				}
			}
			if n > maxLength {
				s.rangeError("Invalid array length")
			}
		}
		return pass(native, call)
	}
}

// guardApply holds Function.prototype.apply, Reflect.apply and Reflect.construct to a number of arguments: they stand in the
// second argument, or the third.
func (s *session) guardApply(native goja.Callable) func(goja.FunctionCall) goja.Value {
	return func(call goja.FunctionCall) goja.Value {
		for i, arg := range call.Arguments {
			if _, isFunction := goja.AssertFunction(arg); i == 0 || isFunction {
				continue
			}
			if o, ok := arg.(*goja.Object); ok && i == len(call.Arguments)-1 || ok && i == 1 {
				call.Arguments[i] = s.list(o, maxArgs)
			}
		}
		return pass(native, call)
	}
}

// guardStep looks, at each step of an iterator, whether the script was interrupted.
func (s *session) guardStep(native goja.Callable) func(goja.FunctionCall) goja.Value {
	return func(call goja.FunctionCall) goja.Value {
		s.live()
		return pass(native, call)
	}
}

// text is a value as a string within bounds.
func (s *session) text(v goja.Value) string {
	t := v.ToString()
	s.short(t)
	return t.String()
}

func (s *session) checkText(call goja.FunctionCall) goja.Value {
	if s.short(call.Argument(0).ToString()) > int(call.Argument(1).ToInteger()) {
		s.rangeError("Invalid string length")
	}
	return goja.Undefined()
}

func (s *session) checkLength(call goja.FunctionCall) goja.Value {
	return s.list(call.Argument(0), maxLength)
}

// guardText holds a function of strings to a length of this and of its first argument.
func (s *session) guardText(native goja.Callable) func(goja.FunctionCall) goja.Value {
	return func(call goja.FunctionCall) goja.Value {
		s.live()
		s.short(call.This)
		for _, arg := range call.Arguments {
			s.short(arg)
		}
		return pass(native, call)
	}
}

// guardJoin is guardText of String.prototype.concat: all its strings together have the bounds.
func (s *session) guardJoin(native goja.Callable) func(goja.FunctionCall) goja.Value {
	return func(call goja.FunctionCall) goja.Value {
		n := s.short(call.This)
		args := make([]goja.Value, len(call.Arguments))
		for i, arg := range call.Arguments {
			s.live()
			args[i] = arg.ToString()
			if n += s.short(args[i]); n > maxText {
				s.rangeError("Invalid string length")
			}
		}
		return must(native(call.This, args...))
	}
}

// short is the length of a string, within bounds; 0 of anything else.
func (s *session) short(v goja.Value) int {
	t, ok := v.(goja.String)
	if !ok {
		return 0
	}
	if t.Length() > maxText {
		s.rangeError("Invalid string length")
	}
	return t.Length()
}

func (s *session) guardRepeat(native goja.Callable) func(goja.FunctionCall) goja.Value {
	return func(call goja.FunctionCall) goja.Value {
		this := call.This.ToString()
		n := call.Argument(0).ToFloat()
		if n*float64(max(1, s.short(this))) > maxText {
			s.rangeError("Invalid string length")
		}
		return must(native(this, s.rt.ToValue(n)))
	}
}

func (s *session) guardPad(native goja.Callable) func(goja.FunctionCall) goja.Value {
	return func(call goja.FunctionCall) goja.Value {
		n := call.Argument(0).ToFloat()
		if n > maxText {
			s.rangeError("Invalid string length")
		}
		s.short(call.This)
		args := append([]goja.Value{s.rt.ToValue(n)}, call.Arguments[min(1, len(call.Arguments)):]...)
		return must(native(call.This, args...))
	}
}

// maxReplaced is how long the result of a replacement may become, by an estimate from above.
const maxReplaced = 16 * maxText

// guardReplace refuses a replacement that would make much of little. It is called with the text, what is replaced, and by
// what; where a function makes the replacement, that is interrupted as other code is.
func (s *session) guardReplace(native goja.Callable) func(goja.FunctionCall) goja.Value {
	return func(call goja.FunctionCall) goja.Value {
		s.live()
		text, pattern, by := call.This, call.Argument(0), call.Argument(1)
		if o, ok := call.This.(*goja.Object); ok && o.ClassName() == "RegExp" { // RegExp.prototype[Symbol.replace]
			text, pattern = call.Argument(0), o
		}
		n := s.short(text)
		if _, isFunction := goja.AssertFunction(by); !isFunction {
			s.checkReplacement(n, pattern, by)
		}
		return pass(native, call)
	}
}

func (s *session) checkReplacement(n int, pattern, by goja.Value) {
	if o, ok := by.(*goja.Object); ok && o != nil {
		panic(s.rt.NewTypeError("the replacement must be a string or a function"))
	}
	replacement := s.text(by)
	references := strings.Count(replacement, "$")
	quadratic := strings.Contains(replacement, "$`") || strings.Contains(replacement, "$'")
	if o, ok := pattern.(*goja.Object); ok && references > 0 {
		quadratic = quadratic || o.ClassName() != "RegExp" || strings.Contains(must(s.source(o)).String(), "(?")
	}
	size := float64(n+1)*float64(len(replacement)) + float64(references)*float64(n)
	if quadratic {
		size += float64(references) * float64(n) * float64(n)
	}
	if size > maxReplaced {
		s.rangeError("Invalid string length")
	}
}

// join is Array.prototype.join, toString and toLocaleString.
func (s *session) join(call goja.FunctionCall) goja.Value {
	this := call.This.ToObject(s.rt)
	for _, outer := range s.open {
		if outer == this {
			return s.rt.ToValue("")
		}
	}
	if len(s.open) >= maxDepth {
		s.rangeError("Maximum call stack size exceeded")
	}
	s.open = append(s.open, this)
	defer func() { s.open = s.open[:len(s.open)-1] }()
	separator := ","
	if arg := call.Argument(0); !goja.IsUndefined(arg) {
		separator = s.text(arg)
	}
	list := s.list(this, maxLength)
	var b strings.Builder
	for i := range s.length(list) {
		s.live()
		if i > 0 {
			b.WriteString(separator)
		}
		if v := list.Get(strconv.Itoa(i)); v != nil && !goja.IsUndefined(v) && !goja.IsNull(v) {
			b.WriteString(s.text(v))
		}
		if b.Len() > 2*maxText {
			s.rangeError("Invalid string length")
		}
	}
	return s.rt.ToValue(b.String())
}
