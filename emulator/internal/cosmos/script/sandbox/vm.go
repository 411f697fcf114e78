package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tetratelabs/wazero/api"
)

// Host is what a script may reach. Its methods are called on the goroutine that runs the script.
type Host interface {
	// Now is the time that Date shows.
	Now() time.Time
	// Tick is called about every 100 µs while the script runs. An error ends the run, which returns it.
	Tick() error
	// Ring is called when the prelude calls performance.now, with the mailbox, which it shares with the prelude. An
	// error ends the run, which returns it.
	Ring(mail []byte) error
}

// Limits bound a VM.
type Limits struct {
	Memory uint64 // bytes, the engine's own 2 MB among them
}

// The ends of a run that a script cannot catch.
var (
	// ErrMemory is an allocation beyond Limits.Memory.
	ErrMemory = errors.New("the script exceeded its memory")
	// ErrTrap is a fault of the engine, such as a stack that overflowed in its C code.
	ErrTrap = errors.New("the script engine trapped")
	// ErrDead is the use of a VM after its run was ended.
	ErrDead = errors.New("the script engine was ended")
)

// Thrown is an exception that nothing caught.
type Thrown struct{ Value Value }

func (Thrown) Error() string { return "the script threw" }

// VM is a JavaScript engine with a memory of its own. It is for one goroutine at a time. After any error but a Thrown
// it is unusable and only to be closed.
type VM struct {
	*handles
	ctx     context.Context
	host    Host
	module  api.Module
	exports map[string]api.Function
	words   [maxWords]uint64 // arguments and result of the call under way
	memory  *memory
	dead    bool
	why     error // the host ended the run
}

// handles are where a template's memory has what its VMs use.
type handles struct {
	runtime, context uint64
	entry            Value  // what the prelude gave
	mail, mailSize   uint32 // the mailbox
	scratch          uint32 // scratchSize bytes for the host
}

const scratchSize = 16 << 10

// maxWords is how many arguments a function of the module that the host calls has at most.
const maxWords = 8

// Entry is the function that the prelude gave.
func (vm *VM) Entry() Value { return vm.entry }

// Mail is a copy of the mailbox, which is there after the end of a run too.
func (vm *VM) Mail() []byte {
	mail, _ := vm.module.Memory().Read(vm.mail, vm.mailSize)
	return bytes.Clone(mail)
}

// Close gives back the VM's memory.
func (vm *VM) Close() {
	vm.dead = true
	_ = vm.module.Close(context.Background())
}

// export calls a function of the module. Errors are one of Host, ErrMemory, ErrTrap or ErrDead.
func (vm *VM) export(name string, args ...uint64) (uint64, error) {
	if vm.dead {
		return 0, ErrDead
	}
	fn := vm.exports[name]
	if fn == nil {
		fn = vm.module.ExportedFunction(name)
		if fn == nil {
			return 0, fmt.Errorf("the script engine has no function %s", name)
		}
		vm.exports[name] = fn
	}
	vm.words = [maxWords]uint64{}
	copy(vm.words[:], args)
	if err := fn.CallWithStack(vm.ctx, vm.words[:]); err != nil {
		vm.dead = true
		return 0, vm.ended(err)
	}
	return vm.words[0], nil
}

// end ends the run from within a function of the host: wazero unwinds the module's stack and gives an error to the
// caller.
func (vm *VM) end(why error) {
	vm.why = why
	panic(why)
}

// ended is why a call failed.
func (vm *VM) ended(err error) error {
	switch {
	case vm.why != nil:
		return vm.why
	case vm.memory.exceeded:
		return ErrMemory
	}
	cause, _, _ := strings.Cut(err.Error(), "\n") // behind it is the module's stack, of functions without names
	return fmt.Errorf("%w: %s", ErrTrap, cause)
}
