package store

// LockRank is the place of a lock in the lock order: running, then definitions, then latches, then mutexes. A goroutine
// that takes a lock holds none of a higher rank, which prevents deadlocks. Builds with the tag poison panic if that is
// violated, for gates that have a rank and for updates. Mutexes are held briefly, and no gate is waited for under one.
type LockRank uint8

// The ranks, in the order in which locks are taken.
const (
	unranked LockRank = iota
	Running           // the gate of a service: requests pass it; what replaces the whole state closes it
	// the gate of a catalogue: closed by one change of tables, or of databases and containers, at a time
	Definitions
	latched // an update: the store's gate, gates of definitions, keys. Updates do not nest
)

// Ranked sets the rank of a new gate and returns the gate.
func (g *Gate) Ranked(r LockRank) *Gate {
	g.rank = r
	return g
}
