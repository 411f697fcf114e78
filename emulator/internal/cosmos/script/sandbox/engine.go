package sandbox

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	quickjs "github.com/aperturerobotics/go-quickjs-wasi-reactor"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// engine is the compiled module. It is stateless: each VM has its own memory.
type engine struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
	layout  layout
}

const wasi = "wasi_snapshot_preview1"

// tickImport is the import that metering calls. The engine itself would only call it to sleep, which scripts cannot do.
const tickImport = "poll_oneoff"

// compiled returns the engine. The first call compiles it, which takes about half a second of a core.
var compiled = sync.OnceValues(func() (*engine, error) {
	metered, layout, err := meter(quickjs.QuickJSWASM, tickImport)
	if err != nil {
		return nil, err
	}
	ctx := experimental.WithCompilationWorkers(context.Background(), runtime.GOMAXPROCS(0))
	e := &engine{runtime: wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithDebugInfoEnabled(false)),
		layout: layout}
	if e.module, err = e.runtime.CompileModule(ctx, metered); err != nil {
		return nil, fmt.Errorf("cannot compile the script engine: %w", err)
	}
	return e, e.host(ctx)
})

// host provides the module's imports: a clock, the tick, and functions that fail.
func (e *engine) host(ctx context.Context) error {
	builder := e.runtime.NewHostModuleBuilder(wasi)
	for _, imported := range e.module.ImportedFunctions() {
		from, name, _ := imported.Import()
		if from != wasi {
			return fmt.Errorf("the script engine imports %s.%s, which the sandbox does not have", from, name)
		}
		fn := refuse
		switch name {
		case tickImport:
			fn = tick
		case "clock_time_get":
			fn = clock
		case "environ_sizes_get":
			fn = noEnvironment
		}
		builder.NewFunctionBuilder().WithGoModuleFunction(fn, imported.ParamTypes(), imported.ResultTypes()).Export(name)
	}
	if _, err := builder.Instantiate(ctx); err != nil {
		return fmt.Errorf("cannot set up the script engine: %w", err)
	}
	return nil
}

// The error codes of WASI functions.
const (
	wasiOK           = 0
	wasiBadFile      = 8
	wasiUnsupported  = 52
	wasiMonotonic    = 1 // the id of the monotonic clock
	wasiNoSuchMemory = 21
)

// vmKey is the context key of the VM of a call.
type vmKey struct{}

func vmOf(ctx context.Context) *VM { return ctx.Value(vmKey{}).(*VM) }

// refuse is an import that always fails: there are no files.
var refuse = api.GoModuleFunc(func(_ context.Context, _ api.Module, stack []uint64) {
	if len(stack) > 0 {
		stack[0] = wasiBadFile
	}
})

// tick calls Host.Tick. An error ends the run: wazero unwinds the module's stack.
var tick = api.GoModuleFunc(func(ctx context.Context, _ api.Module, stack []uint64) {
	vm := vmOf(ctx)
	if err := vm.host.Tick(); err != nil {
		vm.end(err)
	}
	stack[0] = wasiUnsupported
})

// clock is the clock of Date. performance.now reads the monotonic clock, which calls Host.HandleSignal instead.
var clock = api.GoModuleFunc(func(ctx context.Context, m api.Module, stack []uint64) {
	vm, at := vmOf(ctx), uint32(stack[2])
	now := uint64(0)
	if uint32(stack[0]) == wasiMonotonic {
		vm.signal(m.Memory())
	} else {
		now = uint64(vm.host.Now().UnixNano())
	}
	stack[0] = wasiOK
	if !m.Memory().WriteUint64Le(at, now) {
		stack[0] = wasiNoSuchMemory
	}
})

var noEnvironment = api.GoModuleFunc(func(_ context.Context, m api.Module, stack []uint64) {
	count, size := uint32(stack[0]), uint32(stack[1])
	stack[0] = wasiOK
	if !m.Memory().WriteUint32Le(count, 0) || !m.Memory().WriteUint32Le(size, 0) {
		stack[0] = wasiNoSuchMemory
	}
})

// signal calls Host.HandleSignal with the mailbox.
func (vm *VM) signal(memory api.Memory) {
	mail, ok := memory.Read(vm.mail, vm.mailSize)
	if vm.mail == 0 || !ok {
		return
	}
	if err := vm.host.HandleSignal(mail); err != nil {
		vm.end(err)
	}
}
