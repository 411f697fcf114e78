package cosmos

import (
	"encoding/binary"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// The consistency levels differ where replicas trail the writes, in the cloud's temperament. A partition has four replicas
// there, a leader and followers, of which this model has a leader and two. Writes reach a follower in their order, so each shows
// what was there at some moment: a consistent prefix. A read of
//
//   - Strong and BoundedStaleness meets the leader: within one region, which is all there is here, the second is as the first;
//   - Session meets any replica that has come as far as the client has seen, by its session token;
//   - ConsistentPrefix and Eventual meets any.

// Consistency is a consistency level.
type Consistency string

// The consistency levels, the strongest first.
const (
	Strong           Consistency = "Strong"
	BoundedStaleness Consistency = "BoundedStaleness"
	Session          Consistency = "Session"
	ConsistentPrefix Consistency = "ConsistentPrefix"
	Eventual         Consistency = "Eventual"
)

// Consistencies are all levels, the strongest first.
func Consistencies() []Consistency {
	return []Consistency{Strong, BoundedStaleness, Session, ConsistentPrefix, Eventual}
}

// level is the consistency level of the request: its own, or the account's. It may not be stronger than the account's.
func (c *call) level() (Consistency, *Error) {
	asked := c.header("X-Ms-Consistency-Level")
	if asked == "" {
		return c.account.consistency, nil
	}
	all := Consistencies()
	strength := slices.Index(all, Consistency(asked))
	if strength < 0 {
		return "", invalidInput("The consistency level %q is none of %v.", asked, all)
	}
	if strength < slices.Index(all, c.account.consistency) {
		return "", badRequest("ConsistencyLevel %s specified in the request is invalid when service is configured with consistency level %s. Ensure the request consistency level is not stronger than the service consistency level.", asked, c.account.consistency)
	}
	return Consistency(asked), nil
}

// chooseReplica decides which replica answers the request, once its session is checked.
func (c *call) chooseReplica() *Error {
	level, err := c.level()
	if err != nil {
		return err
	}
	if err := c.checkSession(); err != nil {
		return err
	}
	if level == Strong || level == BoundedStaleness {
		c.doubled = true
		return nil
	}
	if c.replica = c.account.news.Pick(); c.stale {
		c.replica = lag.Oldest
	}
	if level == Session && c.replica != lag.Leader && c.seen > c.follower() {
		c.replica = lag.Leader
	}
	return nil
}

// view runs fn on one moment of the state, as the replica shows it that answers the request. A replica other than the leader
// shows the same moment to all views of the request.
func (c *call) view(fn func(*lag.View) error) error {
	c.pin()
	return c.account.store.View(func(r *store.Reader) error {
		v := c.moment.View(r)
		return fn(&v)
	})
}

// pin pins what the replica shows that answers the request.
func (c *call) pin() {
	if c.replica != c.pinnedAs {
		c.moment.Release()
		c.moment, c.pinnedAs = c.account.news.Pin(c.replica), c.replica
	}
}

// follower is the LSN up to which the replica that answers has come; at least that, for a write may have been deleted since.
func (c *call) follower() (lsn uint64) {
	err := c.view(func(v *lag.View) error {
		prefix := c.container.key(letterLatest, 0)
		it := v.Iter(prefix, store.PrefixEnd(prefix), true)
		defer it.Close()
		if it.Next() {
			lsn = binary.BigEndian.Uint64(it.Key()[len(prefix):])
		}
		return it.Close()
	})
	if err != nil {
		c.account.log.Error("Cosmos DB: a replica's state cannot be read", "error", err)
	}
	return lsn
}

// replicaLSN is how far the replica has come: it shows every change up to that LSN.
func (c *call) replicaLSN() uint64 {
	if c.replica == lag.Leader {
		return c.container.sequence.floor()
	}
	return c.follower()
}

// shownLSN is the LSN that the session token of a read tells, once it is read: no lower than that of anything that was shown.
func (c *call) shownLSN() uint64 {
	if c.replica == lag.Leader {
		return c.container.sequence.last()
	}
	return c.follower()
}
