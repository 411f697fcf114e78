package engine

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Replication makes a table a replica of a global table of version 2019.11.21. It is immutable.
type Replication struct {
	Strong   bool      `json:",omitempty"` // multi-Region strong consistency; otherwise eventual
	Replicas []Replica // in the other regions, in the order in which they joined
	Witness  string    `json:",omitempty"` // the region of the witness; empty: none
}

// Replica is the table of the same account and name in another region.
type Replica struct {
	Region string
	ID     uint32
	// Sourced is when a request in this region added the replica, in seconds since 1970; 0: a request elsewhere did.
	Sourced float64 `json:",omitempty"`
}

// Filling means that items that are older than a new replica are still being copied to it. Nobody else sees the replica
// yet.
type Filling struct {
	From   uint32               // id of the table with the items
	Stream *StreamSpecification // that begins afterwards
}

// In returns the replica in a region.
func (r *Replication) In(region string) (replica Replica, ok bool) {
	if r == nil {
		return Replica{}, false
	}
	i := slices.IndexFunc(r.Replicas, func(o Replica) bool { return o.Region == region })
	if i < 0 {
		return Replica{}, false
	}
	return r.Replicas[i], true
}

// Without returns the replication without the replica in a region; nil if no other is left.
func (r *Replication) Without(region string) *Replication {
	left := *r
	left.Replicas = slices.DeleteFunc(slices.Clone(r.Replicas), func(o Replica) bool { return o.Region == region })
	if len(left.Replicas) == 0 {
		return nil
	}
	return &left
}

// With returns the replication with another replica; r may be nil.
func (r *Replication) With(other Replica) *Replication {
	if r == nil {
		return &Replication{Replicas: []Replica{other}}
	}
	more := *r
	more.Replicas = append(slices.Clip(r.Replicas), other)
	return &more
}

// Region returns the table's region.
func (def *Definition) Region() string { return strings.SplitN(def.ARN, ":", 5)[3] }

// accountID returns the id of the table's account, from its ARN.
func (def *Definition) accountID() string { return strings.SplitN(def.ARN, ":", 6)[4] }

// replicas are the replicas of a table in the other regions.
type replicas struct {
	engine *Engine
	region string // of the table itself
	strong bool
	others []replica
}

type replica struct {
	id   uint32
	slot *tableSlot
}

// isUnavailable reports whether the replica's key is unavailable.
func (r replica) isUnavailable() bool {
	t := r.slot.table()
	return t != nil && t.unavailable()
}

// newReplicas returns the replicas of a definition, nil if it has none.
func (s *Engine) newReplicas(def *Definition) *replicas {
	if def.Replication == nil {
		return nil
	}
	r := &replicas{engine: s, region: def.Region(), strong: def.Replication.Strong}
	for _, o := range def.Replication.Replicas {
		r.others = append(r.others, replica{o.ID, s.slotOf(o.ID)})
	}
	return r
}

// Replicas returns the replicas of the table in other regions, in the order in which they joined.
func (t *Table) Replicas() (all []Located) {
	if t.replicas == nil {
		return nil
	}
	for _, o := range t.replicas.others {
		if current := o.slot.current.Load(); current != nil {
			all = append(all, *current)
		}
	}
	return all
}

// ReplicaIn returns the replica of the table in a region.
func (t *Table) ReplicaIn(region string) (replica Located, ok bool) {
	for _, o := range t.Replicas() {
		if o.Def.Region() == region {
			return o, true
		}
	}
	return Located{}, false
}

// IsStrong reports whether the table is a replica with multi-Region strong consistency.
func (t *Table) IsStrong() bool { return t.replicas != nil && t.replicas.strong }

// spread is how a change reaches the replicas of its table.
type spread struct {
	now   []*Change // in the same transaction
	later []replica // that get it through the queue
	due   int64     // when the first of these gets it, in nanoseconds since 1970; 0: not queued
}

// fromReplica is the spread of changes that come from a replica: they go to no other.
var fromReplica = new(spread)

// prepareReplicas decides how a change reaches the replicas of its table, before its transaction. A replica whose key
// is unavailable gets the change once it is available.
func (c *Change) prepareReplicas() {
	r := c.Table.replicas
	if r == nil || c.spread == fromReplica {
		return
	}
	c.spread = new(spread)
	for _, o := range r.others {
		t := o.slot.table()
		switch {
		case t == nil: // it is lost, as in a damaged folder
		case t.unavailable(), !r.strong && r.engine.PendingWrites.Lagging():
			c.spread.later = append(c.spread.later, o)
		default:
			c.spread.now = append(c.spread.now, c.repeatIn(t))
		}
	}
}

// keysElsewhere returns the keys of the item in other regions, if the table has multi-Region strong consistency.
func (c *Change) keysElsewhere() (keys [][]byte) {
	if !c.Table.IsStrong() {
		return nil
	}
	for _, o := range c.Table.replicas.others {
		keys = append(keys, replicaKey(o.id, c.Key))
	}
	return keys
}

// repeatIn returns the change that makes the item in a replica the same as in c, in the same transaction: it does not
// wait for capacity.
func (c *Change) repeatIn(t *Table) *Change {
	e := c.Table.replicas.engine
	author := c.Author
	if c.Request == nil && author == nil {
		author = t.Def.replicationAuthor(c.Table.replicas.region)
	}
	return &Change{Table: t, Key: replicaKey(t.Def.ID, c.Key), spread: fromReplica, Author: author,
		arrival: &arrival{engine: e, from: c.Table.Def.ID, written: e.Clock.Now(), forced: true,
			request: c.Request},
		Next: func(item.Value) (item.Value, error) { return c.New, nil }}
}

// replicaKey returns the key in a replica of the item that has a key in another one.
func replicaKey(table uint32, key []byte) []byte {
	dst := AppendTablePrefix(make([]byte, 0, len(key)), table)
	return append(dst, key[KeyPrefixLength:]...)
}

// replicate repeats a change, which changed an item, in the replicas.
func (c *Change) replicate(tx *store.Tx) error {
	for _, r := range c.spread.now {
		if err := r.Run(tx); err != nil {
			return err
		}
	}
	if len(c.spread.later) > 0 {
		return c.enqueue(tx)
	}
	return nil
}
