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

// level is the consistency level of the request: its own, or the account's. It may not be stronger than the account's.
func (c *call) level() (Consistency, *Error) {
	asked := c.head("X-Ms-Consistency-Level")
	if asked == "" {
		return c.s.consistency, nil
	}
	all := Consistencies()
	strength := slices.Index(all, Consistency(asked))
	if strength < 0 {
		return "", invalidInput("The consistency level %q is none of %v.", asked, all)
	}
	if strength < slices.Index(all, c.s.consistency) {
		return "", badRequest("ConsistencyLevel %s specified in the request is invalid when service is configured with consistency level %s. Ensure the request consistency level is not stronger than the service consistency level.", asked, c.s.consistency)
	}
	return Consistency(asked), nil
}

// readFrom decides which replica answers the request, once its session is checked.
func (c *call) readFrom() *Error {
	level, err := c.level()
	if err != nil {
		return err
	}
	if err := c.checkSession(); err != nil {
		return err
	}
	if level == Strong || level == BoundedStaleness {
		c.doubles = true
		return nil
	}
	if c.replica = c.s.news.Pick(); c.verdict.Stale {
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
	return c.s.store.View(func(r *store.Reader) error {
		v := c.moment.View(r)
		return fn(&v)
	})
}

// pin pins what the replica shows that answers the request.
func (c *call) pin() {
	if c.replica != c.pinnedAs {
		c.moment.Release()
		c.moment, c.pinnedAs = c.s.news.Pin(c.replica), c.replica
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
		c.s.log.Error("Cosmos DB: a replica's state cannot be read", "error", err)
	}
	return lsn
}

// reached is how far the replica has come: it shows every change up to that LSN.
func (c *call) reached() uint64 {
	if c.replica == lag.Leader {
		return c.container.sequence.floor()
	}
	return c.follower()
}

// shown is the LSN that the session token of a read tells, once it is read: no lower than that of anything that was shown.
func (c *call) shown() uint64 {
	if c.replica == lag.Leader {
		return c.container.sequence.last()
	}
	return c.follower()
}

// newsTx is a store's transaction that remembers what the keys held which it writes, for replicas to show until they hear of
// it.
type newsTx struct {
	*store.Tx
	was   []lag.Image
	write *lag.Write // what announces them; nil until numbers are taken, and where nothing is announced
	on    bool
}

// Set implements store.Tx.
func (t *newsTx) Set(key, value []byte) error {
	if err := t.remember(key); err != nil {
		return err
	}
	return t.Tx.Set(key, value)
}

// Append implements store.Tx. What a log's key held is nothing.
func (t *newsTx) Append(key, value []byte) error {
	if t.on {
		t.was = append(t.was, lag.Image{Key: key})
	}
	return t.Tx.Append(key, value)
}

// Delete implements store.Tx.
func (t *newsTx) Delete(key []byte) error {
	if err := t.remember(key); err != nil {
		return err
	}
	return t.Tx.Delete(key)
}

func (t *newsTx) remember(key []byte) error {
	if !t.on {
		return nil
	}
	was := lag.Image{Key: key}
	it := t.Iter(key, append(key[:len(key):len(key)], 0), false) // for Get does not find what was appended
	defer it.Close()
	if it.Next() {
		was.Found, was.Value = true, append([]byte(nil), it.Value()...)
	}
	t.was = append(t.was, was)
	return it.Close()
}

// reserve gives the transaction its place among those that replicas show, one after the other: that of its LSN, for a replica
// that shows an LSN shows all before it.
func (t *newsTx) reserve(overlay *lag.Overlay, c *container) {
	if t.on {
		t.write = overlay.Reserve(t.Tx, lag.Table, containerPrefix(c.number))
	}
}

// announce lets the replicas of a container show what the transaction writes in their time.
func (t *newsTx) announce() {
	if t.write != nil && len(t.was) > 0 {
		t.write.Record(t.was...)
	}
}
