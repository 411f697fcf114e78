package script

import "time"

// Limits of a script. MaxTime and MaxResponse are of "Azure Cosmos DB service quotas", per-request limits; the others
// are the emulator's own: what the service says of memory and stack is not documented.
const (
	// MaxTime is how long one execution may take, all calls of a function within one query together, by the machine's
	// clock.
	MaxTime = 5 * time.Second
	// MaxResponse is the size of a stored procedure's answer in bytes.
	MaxResponse = 4 << 20
	// MaxSource is the size of a script's text in bytes.
	MaxSource = 256 << 10
	// MaxLog is how much of console.log is kept, in bytes.
	MaxLog = 32 << 10
	// MaxMemory is all that one execution may have of memory, in bytes: the engine's own 5 MB, its stack, and whatever
	// the script makes.
	MaxMemory = 128 << 20

	// acceptTenths is the part of its time in which a script may queue further operations; after it they are not
	// accepted, as the service does when a script is about to run out of its time.
	acceptTenths = 8

	compileMemory = 48 << 20 // bytes, to compile a source of MaxSource
	maxNodes      = 1 << 20  // values in what comes out of a script
	maxText       = 16 << 20 // bytes of JSON that comes out of a script
	maxScanned    = maxNodes / 8

	// leastAtOnce and mostAtOnce bound how many executions run at once in an engine, and as many queries with
	// functions: one for each processor between these. The others wait.
	leastAtOnce, mostAtOnce = 4, 16
	// slotFor is how long an execution waits for one of the others to end.
	slotFor = 10 * time.Second
)
