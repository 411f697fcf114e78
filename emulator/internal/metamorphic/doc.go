// Package metamorphic tests that one random history of requests, from a seed, has the same results on emulators of
// different configurations: in memory and on disk, closed and reopened, with snapshots restored in between, on a
// stopped clock and a running one, with lag, with isolation, on many connections, with observers and with tables under
// a customer managed key. The responses are equal, or differ as the configuration says. At the end of each run, the
// services' redundant data must agree: tables with their indexes, streams, change feeds, counts and backups.
//
// Exports, imports and bulk puts are checked within the history: an import equals the same puts, a table that is
// exported and imported equals its source, and after a kill in the middle nothing is half done.
//
// The package has only tests. They send HTTP to the emulator's ports, as any client does. A failure states the seed and
// prints the operations that remain after those that do not matter to it are removed.
package metamorphic
