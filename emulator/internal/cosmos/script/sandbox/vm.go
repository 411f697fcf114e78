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

// Host is the environment of a script. Its methods are called on the goroutine that runs the script.
type Host interface {
	// Now returns the time of Date.
	Now() time.Time
	// Tick is called about every 100 µs while the script runs. If it returns an error, the run ends with that error.
	Tick() error
	// HandleSignal is called when the prelude calls performance.now. mail is the mailbox, which the host shares with the
	// prelude. If Ring returns an error, the run ends with that error.
	HandleSignal(mail []byte) error
}

// Limits are the limits of a VM.
type Limits struct {
	Memory uint64 // bytes, including the engine's own 2 MB
}

// Errors of ended runs, which a script cannot catch.
var (
	// ErrMemory is the error for an allocation beyond Limits.Memory.
	ErrMemory = errors.New("the script exceeded its memory")
	// ErrTrap is the error for a fault of the engine, such as a stack overflow in its C code.
	ErrTrap = errors.New("the script engine trapped")
	// ErrDead is the error for using a VM whose run was ended.
	ErrDead = errors.New("the script engine was stopped")
)

// Thrown is the error for an uncaught exception.
type Thrown struct{ Value Value }

func (Thrown) Error() string { return "the script threw" }

// VM is a JavaScript engine with its own memory. It is not safe for concurrent use. After any error but a Thrown it can
// only be closed.
type VM struct {
	*handles
	ctx     context.Context
	host    Host
	module  api.Module
	exports map[string]api.Function
	words   [maxWords]uint64 // arguments and result of the current call
	memory  *memory
	dead    bool
	endErr  error // the error with which the host ended the run
}

// handles are the addresses and values in a template's memory that its VMs use.
type handles struct {
	runtime, context uint64
	entry            Value  // what the prelude returned
	mail, mailSize   uint32 // the mailbox
	scratch          uint32 // scratchSize bytes for the host
}

const scratchSize = 16 << 10

// maxWords is the maximum number of arguments of the module's functions that the host calls.
const maxWords = 8

// Entry returns the function that the prelude returned.
func (vm *VM) Entry() Value { return vm.entry }

// Mail returns a copy of the mailbox. It works after the end of a run, too.
func (vm *VM) Mail() []byte {
	mail, _ := vm.module.Memory().Read(vm.mail, vm.mailSize)
	return bytes.Clone(mail)
}

// Close releases the VM's memory.
func (vm *VM) Close() {
	vm.dead = true
	_ = vm.module.Close(context.Background())
}

// export calls a function of the module. Errors: one of Host, ErrMemory, ErrTrap, ErrDead.
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

// end ends the run from within a function of the host: wazero unwinds the module's stack and returns an error to the
// caller.
func (vm *VM) end(why error) {
	vm.endErr = why
	panic(why)
}

// ended returns the reason why a call failed.
func (vm *VM) ended(err error) error {
	switch {
	case vm.endErr != nil:
		return vm.endErr
	case vm.memory.exceeded:
		return ErrMemory
	}
	cause, _, _ := strings.Cut(err.Error(), "\n") // the rest is the module's stack, of functions without names
	return fmt.Errorf("%w: %s", ErrTrap, cause)
}
