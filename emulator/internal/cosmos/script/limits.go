package script

import "time"

// Limits of a script. MaxTime and MaxResponse are of "Azure Cosmos DB service quotas", per-request limits; the others are
// the emulator's own.
const (
	// MaxTime is how long one execution may take, all calls of a function within one query together, by the machine's clock.
	MaxTime = 5 * time.Second
	// MaxResponse is the size of a stored procedure's answer in bytes.
	MaxResponse = 4 << 20
	// MaxSource is the size of a script's text in bytes.
	MaxSource = 256 << 10
	// MaxLog is how much of console.log is kept, in bytes.
	MaxLog = 32 << 10
	// MaxCalls is how deep functions may call each other.
	MaxCalls = 4000
	// MaxGrowth is by how many bytes the live heap may grow while a script runs.
	MaxGrowth = 256 << 20

	// acceptTenths is the part of its time in which a script may queue further operations; after it they are not accepted, as
	// the service does when a script is about to run out of its time.
	acceptTenths = 8

	maxNesting   = 500  // of brackets in a source
	maxOperators = 5000 // in one expression of a source
	maxColons    = 100

	maxText    = 8 << 20 // characters of a string that a built-in function may make, or work on
	maxLength  = 4 << 20 // elements of an array that a built-in function may go through
	maxArgs    = 64 << 10
	maxNodes   = 1 << 20 // values in what goes into or out of a script
	maxDepth   = 1000    // of JSON within a script
	maxPattern = 32 << 10
)
