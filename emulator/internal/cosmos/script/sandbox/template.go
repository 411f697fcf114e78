package sandbox

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// Template is the memory of an engine in which a prelude has run. It is safe for concurrent use.
type Template struct {
	engine    *engine
	handles   handles
	low, high []byte // the memory below the stack, and above it
}

// stackReserve is the part of the stack that JavaScript may not use: the guard, and a reserve for C code that does not
// check.
const stackReserve = guardBytes + 128<<10

// templateMemory is the maximum memory of a prelude in bytes.
const templateMemory = 64 << 20

// NewTemplate returns a template. The prelude is an expression, a function. Its argument is the mailbox, a Uint8Array
// of mailSize bytes; its result is the function that [VM.Entry] returns.
func NewTemplate(name, prelude string, mailSize uint32) (*Template, error) {
	e, err := compiled()
	if err != nil {
		return nil, err
	}
	t := &Template{engine: e}
	vm, err := t.instantiate(context.Background(), preludeHost{}, Limits{Memory: templateMemory})
	if err != nil {
		return nil, err
	}
	defer vm.Close()
	vm.mailSize = mailSize
	if err := vm.prepare(e.layout, name, prelude); err != nil {
		return nil, fmt.Errorf("cannot prepare the script engine: %w", err)
	}
	t.handles = *vm.handles
	all, _ := vm.module.Memory().Read(0, vm.module.Memory().Size())
	t.low, t.high = bytes.Clone(all[:e.layout.stackLow]), bytes.Clone(all[e.layout.stackTop:])
	return t, nil
}

// preludeHost is the host of a prelude.
type preludeHost struct{}

func (preludeHost) Now() time.Time            { return time.Unix(0, 0) }
func (preludeHost) Tick() error               { return nil }
func (preludeHost) HandleSignal([]byte) error { return nil }

// New returns a VM. The context only carries values: to end a run, Host.Tick returns an error.
func (t *Template) New(ctx context.Context, host Host, limits Limits) (*VM, error) {
	vm, err := t.instantiate(ctx, host, limits)
	if err != nil {
		return nil, err
	}
	*vm.handles = t.handles
	memory := vm.module.Memory()
	size := t.engine.layout.stackTop + uint32(len(t.high))
	if uint64(size) > limits.Memory {
		vm.Close()
		return nil, ErrMemory
	}
	if _, ok := memory.Grow((size - memory.Size()) / pageSize); !ok || !memory.Write(0, t.low) ||
		!memory.Write(t.engine.layout.stackTop, t.high) {
		vm.Close()
		return nil, ErrMemory
	}
	return vm, nil
}

// instantiate returns a VM whose memory is as the linker left it.
func (t *Template) instantiate(ctx context.Context, host Host, limits Limits) (*VM, error) {
	if limits.Memory < uint64(t.engine.layout.stackTop) {
		return nil, ErrMemory
	}
	linear, err := newMemory(limits.Memory)
	if err != nil {
		return nil, err
	}
	vm := &VM{handles: &handles{}, host: host, memory: linear, exports: map[string]api.Function{}}
	vm.ctx = context.WithValue(context.WithoutCancel(ctx), vmKey{}, vm)
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions()
	vm.module, err = t.engine.runtime.InstantiateModule(experimental.WithMemoryAllocator(vm.ctx, linear),
		t.engine.module, config)
	if err != nil {
		linear.Free()
		return nil, fmt.Errorf("cannot start the script engine: %w", err)
	}
	return vm, nil
}

// prepare initializes the engine and runs the prelude.
func (vm *VM) prepare(l layout, name, prelude string) error {
	s := callChain{vm: vm}
	s.call("_initialize")
	vm.runtime = s.call("JS_NewRuntime")
	s.limitStack(l)
	vm.context = s.call("JS_NewContext", vm.runtime)
	vm.mail = uint32(s.call("calloc", 1, uint64(vm.mailSize)))
	vm.scratch = uint32(s.call("malloc", scratchSize))
	mailbox := s.call("JS_NewUint8Array", vm.context, uint64(vm.mail), uint64(vm.mailSize), 0, 0, 0)
	if s.err != nil {
		return s.err
	}
	setup, err := vm.Eval(name, prelude)
	if err != nil {
		return err
	}
	vm.entry, err = vm.Call(setup, Value(mailbox))
	return err
}

// callChain are calls of which each depends on the previous one.
type callChain struct {
	vm  *VM
	err error
}

func (s *callChain) call(name string, args ...uint64) uint64 {
	if s.err != nil {
		return 0
	}
	var out uint64
	out, s.err = s.vm.export(name, args...)
	return out
}

// limitStack makes the engine throw before its stack ends. When built for WASI, JS_SetMaxStackSize does not set the
// limit, although the engine checks it. So limitStack finds the three fields of the stack (size, top, limit) by the
// size that JS_SetMaxStackSize writes, and sets the limit itself.
func (s *callChain) limitStack(l layout) {
	const mark, most = 0x7AB1E70B, 4096
	s.call("JS_SetMaxStackSize", s.vm.runtime, mark)
	if s.err != nil {
		return
	}
	memory := s.vm.module.Memory()
	fields, _ := memory.Read(uint32(s.vm.runtime), most)
	at := bytes.Index(fields, binary.LittleEndian.AppendUint32(nil, mark))
	if at < 0 || at+12 > len(fields) {
		s.err = errors.New("cannot find the stack limit of the script engine")
		return
	}
	top := binary.LittleEndian.Uint32(fields[at+4:])
	if top <= l.stackLow || top > l.stackTop || !memory.WriteUint32Le(uint32(s.vm.runtime)+uint32(at)+8,
		l.stackLow+stackReserve) {
		s.err = errors.New("the script engine keeps its stack where the sandbox does not expect it")
	}
}
