// Package metamorphic runs one random history of requests, from a seed, against emulators of different configurations:
// in memory and on disk, closed and reopened, with snapshots restored in between, on a clock that stands still and one
// that moves, with lag, with isolation, on many connections, with observers and with tables under a customer's key. The
// answers agree, or differ as the configuration says. At the end of each run, what the services keep in several forms
// has to agree: tables with their indexes, streams, change feeds, counts and backups.
//
// It has tests only. They speak HTTP to the emulator's ports, as any client does. A failure names the seed and prints
// the operations that are left when all that do not matter to it are taken away.
package metamorphic
