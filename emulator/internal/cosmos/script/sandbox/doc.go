// Package sandbox runs untrusted JavaScript, in QuickJS compiled to WebAssembly, which wazero runs. It knows nothing of
// Cosmos DB.
//
// Guarantees, whatever a script does:
//
//   - Time. The module is metered before it is compiled (meter.go): loops and calls, including those of built-in
//     functions and regular expressions, call [Host].Tick about every 100 µs, which can end the run. The goroutine can
//     be preempted in a tick, so a script blocks neither the scheduler nor the garbage collector.
//   - Memory. All memory of a script is one linear memory of at most [Limits].Memory bytes. An allocation beyond the
//     limit ends the run with [ErrMemory], which no script can catch. The memory is mapped outside Go's heap, and
//     [VM.Close] unmaps it.
//   - Stack. Too deep recursion in JavaScript throws a RangeError; in C code it traps, and the run ends with [ErrTrap].
//   - Isolation. The only imports of the module that work are a clock and the tick: no files, no network, no
//     environment.
//
// After a run was ended, the VM is unusable and must be closed. A [Template] creates new VMs in a fraction of a
// millisecond, by copying the memory of an engine in which a prelude has already run.
package sandbox
