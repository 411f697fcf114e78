package operation

import (
	"encoding/binary"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Freshness is the minimum that a read must see: its consistency level and its session.
type Freshness struct {
	Level   wire.Consistency
	Session Session
}

// Freshness returns the freshness that the request asks for: its own consistency level, which must not be stronger than
// the account's, or else the account's.
func (r *Request) Freshness(on *engine.Container) (Freshness, *wire.Error) {
	level, err := r.level()
	if err != nil {
		return Freshness{}, err
	}
	return Freshness{Level: level, Session: r.Session(on)}, nil
}

func (r *Request) level() (wire.Consistency, *wire.Error) {
	asked := r.Header("X-Ms-Consistency-Level")
	if asked == "" {
		return r.of.Consistency, nil
	}
	all := wire.Consistencies()
	strength := slices.Index(all, wire.Consistency(asked))
	if strength < 0 {
		return "", wire.InvalidInput("The consistency level %q is none of %v.", asked, all)
	}
	if strength < slices.Index(all, r.of.Consistency) {
		return "", wire.BadRequest("ConsistencyLevel %s specified in the request is invalid when service is configured with consistency level %s. Ensure the request consistency level is not stronger than the service consistency level.", asked, r.of.Consistency)
	}
	return wire.Consistency(asked), nil
}

// ChooseReplica checks the session and chooses the replica that serves the read.
func (r *Run) ChooseReplica(want Freshness) *wire.Error {
	seen, err := r.CheckSession(want.Session)
	if err != nil {
		return err
	}
	if want.Level == wire.Strong || want.Level == wire.BoundedStaleness {
		r.Doubled = true
		return nil
	}
	if r.Replica = r.Account.News.Pick(); r.Stale {
		r.Replica = lag.Oldest
	}
	if want.Level == wire.Session && r.Replica != lag.Leader && seen > r.follower() {
		r.Replica = lag.Leader
	}
	return nil
}

// View runs fn on a snapshot, as the chosen replica shows it. With a replica other than the leader, all views of a
// request show the same state.
func (r *Run) View(fn func(*lag.View) error) error {
	r.Pin()
	return r.Account.Store.View(func(reader *store.Reader) error {
		v := r.Moment.View(reader)
		return fn(&v)
	})
}

// Pin pins the state of the chosen replica.
func (r *Run) Pin() {
	if r.Replica != r.pinnedAs {
		r.Moment.Release()
		r.Moment, r.pinnedAs = r.Account.News.Pin(r.Replica), r.Replica
	}
}

// follower returns the LSN that the chosen replica has reached. The actual LSN may be higher, because a later delete
// leaves no entry in the feed.
func (r *Run) follower() (lsn uint64) {
	err := r.View(func(v *lag.View) error {
		prefix := r.Container.Key(engine.LetterLatest, 0)
		it := v.Iter(prefix, store.PrefixEnd(prefix), true)
		defer it.Close()
		if it.Next() {
			lsn = binary.BigEndian.Uint64(it.Key()[len(prefix):])
		}
		return it.Close()
	})
	if err != nil {
		r.Account.Log.Error("Cosmos DB: a replica's state cannot be read", "error", err)
	}
	return lsn
}

// ReplicaLSN returns the LSN up to which the chosen replica shows every change.
func (r *Run) ReplicaLSN() uint64 {
	if r.Replica == lag.Leader {
		return r.Container.Sequence.Floor()
	}
	return r.follower()
}

// ShownLSN returns the LSN for the session token of a read, after the read: no lower than that of any item shown.
func (r *Run) ShownLSN() uint64 {
	if r.Replica == lag.Leader {
		return r.Container.Sequence.Last()
	}
	return r.follower()
}

// Point is Container.Point on the chosen replica.
func (r *Run) Point(identity []byte, visit func(*engine.Item) error) (found bool, err error) {
	if r.Replica == lag.Leader {
		return r.Container.Point(identity, visit)
	}
	err = r.View(func(v *lag.View) error {
		i, err := r.Container.StoredIn(v, identity)
		if found = i != nil; !found || err != nil {
			return err
		}
		return visit(i)
	})
	return found, err
}
