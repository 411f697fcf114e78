package script

import "time"

// The limits of a script. MaxTime and MaxResponse are from "Azure Cosmos DB service quotas", per-request limits. The
// others are the emulator's own: the service's limits of memory and stack are not documented.
const (
	// MaxTime is the maximum duration of an execution, on the machine's clock. All calls of user-defined functions in
	// one query share it.
	MaxTime = 5 * time.Second
	// MaxResponse is the maximum size of a stored procedure's response in bytes.
	MaxResponse = 4 << 20
	// MaxSource is the maximum size of a script's source in bytes.
	MaxSource = 256 << 10
	// MaxLog is how much output of console.log is kept, in bytes.
	MaxLog = 32 << 10
	// MaxMemory is the maximum memory of an execution in bytes: the engine's own 5 MB, its stack, and everything the
	// script allocates.
	MaxMemory = 128 << 20

	// acceptTenths is the fraction of its time, in tenths, during which a script may queue operations. Later ones are
	// not accepted, as in the service when a script is about to run out of time.
	acceptTenths = 8

	compileMemory = 48 << 20 // bytes, for compiling a source of MaxSource
	maxNodes      = 1 << 20  // values in the result of a script
	maxText       = 16 << 20 // bytes of JSON in the result of a script
	maxScanned    = maxNodes / 8

	// minConcurrency and maxConcurrency bound the number of concurrent executions of an engine, and of as many queries
	// with functions: one per processor, within these bounds. Others wait.
	minConcurrency, maxConcurrency = 4, 16
	// slotTimeout is how long an execution waits for a slot.
	slotTimeout = 10 * time.Second
)
