// Package sandbox runs JavaScript in QuickJS compiled to WebAssembly, which wazero runs: code that nobody vouches for,
// in a process that has other things to do. It knows nothing of Cosmos DB.
//
// What holds, whatever a script does:
//
//   - Time. The module is metered before it is compiled (meter.go): loops and calls of the engine's own code, built-in
//     functions and regular expressions among them, call [Host].Tick about every 100 µs, which may end the run. In a tick the
//     goroutine can be preempted, so a script holds up neither the scheduler nor the garbage collector.
//   - Memory. All of a script's memory is one linear memory of at most [Limits].Memory bytes. An allocation beyond ends the
//     run with [ErrMemory], which no script can catch. It is mapped apart from Go's heap and unmapped by [VM.Close].
//   - Stack. JavaScript that recurses gets a RangeError; C code that does traps, and the run ends with [ErrTrap].
//   - Reach. The module imports a clock, the tick, and nothing else that works: no files, no network, no environment.
//
// A run that was ended leaves the VM unusable: it is closed and its memory is gone. A [Template] makes a new one by
// copying the memory of an engine in which a prelude has already run, in a fraction of a millisecond.
package sandbox
