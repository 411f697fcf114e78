package sandbox

import (
	"errors"
	"math"
)

// Value is a JavaScript value of a VM. Strings and objects are reference-counted: the caller that receives one frees
// it.
type Value uint64

// tag returns the tag that identifies the kind of the value. Numbers other than integers have tags outside the range of
// the others.
func (v Value) tag() int32 { return int32(v >> 32) }

const (
	tagInt       = 0
	tagBool      = 1
	tagUndefined = 3
	tagException = 6
	tagFloat     = 8 // and above; as unsigned numbers, below the negative tags of reference-counted values

	tagLowest   = -9
	floatAddend = uint64(0x7FF80000-tagLowest+1) << 32 // JS_FLOAT64_TAG_ADDEND of quickjs.h
)

// Number returns the value of a number; false for other values.
func (v Value) Number() (float64, bool) {
	switch tag := v.tag(); {
	case tag == tagInt:
		return float64(int32(v)), true
	case tag >= tagFloat || tag < tagLowest:
		return math.Float64frombits(uint64(v) + floatAddend), true
	}
	return 0, false
}

// Bool returns the value of a boolean; ok is false for other values.
func (v Value) Bool() (value, ok bool) { return uint32(v) != 0, v.tag() == tagBool }

// Undefined is the value undefined.
const Undefined Value = tagUndefined << 32

// Int returns a number.
func Int(n int32) Value { return Value(uint32(n)) }

// The flags of JS_Eval.
const evalCompileOnly = 1 << 5

// errLarge is the error for a text that does not fit into the address space of a VM.
var errLarge = errors.New("the text is too large for the script engine")

const maxTransfer = 1 << 30

// Compile compiles a script for [VM.Run]. The error is a Thrown for a syntax error.
func (vm *VM) Compile(name, source string) (Value, error) {
	return vm.eval(name, source, evalCompileOnly)
}

// Run runs a compiled script and frees it. The result is the value of its last statement.
func (vm *VM) Run(script Value) (Value, error) {
	return vm.value(vm.export("JS_EvalFunction", vm.context, uint64(script)))
}

// Eval is Compile and Run.
func (vm *VM) Eval(name, source string) (Value, error) { return vm.eval(name, source, 0) }

func (vm *VM) eval(name, source string, flags uint64) (Value, error) {
	const maxName = 1024
	if len(name) > maxName {
		name = name[:maxName]
	}
	at, err := vm.put(name + "\x00" + source + "\x00")
	if err != nil {
		return Undefined, err
	}
	text := at + uint64(len(name)) + 1
	v, err := vm.value(vm.export("JS_Eval", vm.context, text, uint64(len(source)), at, flags))
	vm.drop(at)
	return v, err
}

// Call calls a function. The caller still has to free the arguments.
func (vm *VM) Call(fn Value, args ...Value) (Value, error) {
	if len(args)*8 > scratchSize {
		return Undefined, errLarge
	}
	memory := vm.module.Memory()
	for i, v := range args {
		if !memory.WriteUint64Le(vm.scratch+uint32(8*i), uint64(v)) {
			return Undefined, ErrDead
		}
	}
	return vm.value(vm.export("JS_Call", vm.context, uint64(fn), uint64(Undefined), uint64(len(args)), uint64(vm.scratch)))
}

// Jobs runs the jobs that promises have queued, until none is left.
func (vm *VM) Jobs() error {
	for {
		// A failed job stores its exception in a promise: there is none to fetch.
		left, err := vm.export("JS_ExecutePendingJob", vm.runtime, uint64(vm.scratch))
		if err != nil || int32(left) == 0 {
			return err
		}
		if err := vm.host.Tick(); err != nil {
			vm.dead = true
			return err
		}
	}
}

// String returns a text as a value.
func (vm *VM) String(text string) (Value, error) {
	at, err := vm.put(text)
	if err != nil {
		return Undefined, err
	}
	v, err := vm.value(vm.export("JS_NewStringLen", vm.context, at, uint64(len(text))))
	vm.drop(at)
	return v, err
}

// Text returns a value as text. For an object it calls the script's own toString.
func (vm *VM) Text(v Value) (string, error) {
	at, err := vm.export("JS_ToCStringLen2", vm.context, uint64(vm.scratch), uint64(v), 0)
	if err != nil {
		return "", err
	}
	if at == 0 {
		return "", vm.exception()
	}
	size, _ := vm.module.Memory().ReadUint32Le(vm.scratch)
	data, _ := vm.module.Memory().Read(uint32(at), size)
	text := string(data)
	_, err = vm.export("JS_FreeCString", vm.context, at)
	return text, err
}

// Free frees a value.
func (vm *VM) Free(v Value) {
	if v.tag() < 0 && v.tag() >= tagLowest && !vm.dead {
		_, _ = vm.export("JS_FreeValue", vm.context, uint64(v))
	}
}

// value returns the result of a call, or the exception that it threw.
func (vm *VM) value(out uint64, err error) (Value, error) {
	if err != nil {
		return Undefined, err
	}
	if v := Value(out); v.tag() != tagException {
		return v, nil
	}
	return Undefined, vm.exception()
}

func (vm *VM) exception() error {
	thrown, err := vm.export("JS_GetException", vm.context)
	if err != nil {
		return err
	}
	return Thrown{Value(thrown)}
}

// put copies a text into the VM's memory: to the scratch area after the arguments of calls or, if it is long, to the
// heap.
func (vm *VM) put(text string) (uint64, error) {
	if vm.dead {
		return 0, ErrDead
	}
	if len(text) > maxTransfer {
		return 0, errLarge
	}
	at := uint64(vm.scratch)
	if len(text) > scratchSize || at == 0 {
		var err error
		if at, err = vm.export("malloc", uint64(len(text))); err != nil {
			return 0, err
		}
	}
	if at == 0 || !vm.module.Memory().WriteString(uint32(at), text) {
		vm.dead = true
		return 0, ErrMemory
	}
	return at, nil
}

func (vm *VM) drop(at uint64) {
	if at != uint64(vm.scratch) && !vm.dead {
		_, _ = vm.export("free", at)
	}
}
