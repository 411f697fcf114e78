package operation

import (
	"encoding/binary"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// level is the consistency level of the request: its own, or the account's. It may not be stronger than the account's.
func (c *Call) level() (wire.Consistency, *wire.Error) {
	asked := c.Header("X-Ms-Consistency-Level")
	if asked == "" {
		return c.Account.Consistency, nil
	}
	all := wire.Consistencies()
	strength := slices.Index(all, wire.Consistency(asked))
	if strength < 0 {
		return "", wire.InvalidInput("The consistency level %q is none of %v.", asked, all)
	}
	if strength < slices.Index(all, c.Account.Consistency) {
		return "", wire.BadRequest("ConsistencyLevel %s specified in the request is invalid when service is configured with consistency level %s. Ensure the request consistency level is not stronger than the service consistency level.", asked, c.Account.Consistency)
	}
	return wire.Consistency(asked), nil
}

// ChooseReplica decides which replica answers the request, once its session is checked.
func (c *Call) ChooseReplica() *wire.Error {
	level, err := c.level()
	if err != nil {
		return err
	}
	if err := c.CheckSession(); err != nil {
		return err
	}
	if level == wire.Strong || level == wire.BoundedStaleness {
		c.Doubled = true
		return nil
	}
	if c.Replica = c.Account.News.Pick(); c.Stale {
		c.Replica = lag.Oldest
	}
	if level == wire.Session && c.Replica != lag.Leader && c.seen > c.follower() {
		c.Replica = lag.Leader
	}
	return nil
}

// View runs fn on one moment of the state, as the replica shows it that answers the request. A replica other than the leader
// shows the same moment to all views of the request.
func (c *Call) View(fn func(*lag.View) error) error {
	c.Pin()
	return c.Account.Store.View(func(r *store.Reader) error {
		v := c.Moment.View(r)
		return fn(&v)
	})
}

// Pin pins what the replica shows that answers the request.
func (c *Call) Pin() {
	if c.Replica != c.pinnedAs {
		c.Moment.Release()
		c.Moment, c.pinnedAs = c.Account.News.Pin(c.Replica), c.Replica
	}
}

// follower is the LSN up to which the replica that answers has come; at least that, for a write may have been deleted since.
func (c *Call) follower() (lsn uint64) {
	err := c.View(func(v *lag.View) error {
		prefix := c.Container.Key(engine.LetterLatest, 0)
		it := v.Iter(prefix, store.PrefixEnd(prefix), true)
		defer it.Close()
		if it.Next() {
			lsn = binary.BigEndian.Uint64(it.Key()[len(prefix):])
		}
		return it.Close()
	})
	if err != nil {
		c.Account.Log.Error("Cosmos DB: a replica's state cannot be read", "error", err)
	}
	return lsn
}

// ReplicaLSN is how far the replica has come: it shows every change up to that LSN.
func (c *Call) ReplicaLSN() uint64 {
	if c.Replica == lag.Leader {
		return c.Container.Sequence.Floor()
	}
	return c.follower()
}

// ShownLSN is the LSN that the session token of a read tells, once it is read: no lower than that of anything that was shown.
func (c *Call) ShownLSN() uint64 {
	if c.Replica == lag.Leader {
		return c.Container.Sequence.Last()
	}
	return c.follower()
}

// Point is Container.Point as the replica shows it that answers the request.
func (c *Call) Point(identity []byte, visit func(*engine.Item) error) (found bool, err error) {
	if c.Replica == lag.Leader {
		return c.Container.Point(identity, visit)
	}
	err = c.View(func(v *lag.View) error {
		i, err := c.Container.StoredIn(v, identity)
		if found = i != nil; !found || err != nil {
			return err
		}
		return visit(i)
	})
	return found, err
}
