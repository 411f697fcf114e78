package store

// LockRank is the place of a lock in the order in which a goroutine takes several: running, then definitions, then
// latches, then mutexes. Who takes one holds none of a higher rank, so that nobody waits in a circle. Builds with the
// tag poison panic where that is not so, for gates that have a rank and for updates; mutexes are held for moments, and
// no gate is waited for meanwhile.
type LockRank uint8

// The ranks, in the order in which locks are taken.
const (
	unranked    LockRank = iota
	Running              // the gate of a service: requests pass it, and what replaces all of the state closes it
	Definitions          // the gate of a catalogue: closed by one change of tables, or of databases and containers, at a time
	latched              // an update: the store's gate, gates of definitions, keys. An update is not begun in another one
)

// Ranked gives a new gate its place in the order of locks, and returns it.
func (g *Gate) Ranked(r LockRank) *Gate {
	g.rank = r
	return g
}
