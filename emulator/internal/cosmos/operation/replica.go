package operation

import (
	"encoding/binary"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// ReadConsistency is the minimum that a read must see: its consistency level and its session.
type ReadConsistency struct {
	Level   wire.Consistency
	Session Session
}

// ReadConsistency returns the consistency that the request asks for: its own consistency level, which must not be
// stronger than the account's, or else the account's.
func (r *Request) ReadConsistency(container *engine.Container) (ReadConsistency, *wire.Error) {
	level, err := r.consistencyLevel()
	if err != nil {
		return ReadConsistency{}, err
	}
	return ReadConsistency{Level: level, Session: r.Session(container)}, nil
}

func (r *Request) consistencyLevel() (wire.Consistency, *wire.Error) {
	requested := r.Header("X-Ms-Consistency-Level")
	if requested == "" {
		return r.account.Consistency, nil
	}
	all := wire.Consistencies()
	strength := slices.Index(all, wire.Consistency(requested))
	if strength < 0 {
		return "", wire.InvalidInput("The consistency level %q is none of %v.", requested, all)
	}
	if strength < slices.Index(all, r.account.Consistency) {
		return "", wire.BadRequest("ConsistencyLevel %s specified in the request is invalid when service is configured with consistency level %s. Ensure the request consistency level is not stronger than the service consistency level.",
			requested, r.account.Consistency)
	}
	return wire.Consistency(requested), nil
}

// ChooseReplica checks the session and chooses the replica that serves the read.
func (r *Run) ChooseReplica(consistency ReadConsistency) *wire.Error {
	seen, err := r.CheckSession(consistency.Session)
	if err != nil {
		return err
	}
	if consistency.Level == wire.Strong || consistency.Level == wire.BoundedStaleness {
		r.QuorumRead = true
		return nil
	}
	if r.Replica = r.Account.PendingWrites.PickReplica(); r.Stale {
		r.Replica = lag.Oldest
	}
	if consistency.Level == wire.Session && r.Replica != lag.Leader && seen > r.followerLSN() {
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
	if r.Replica != r.pinnedReplica {
		r.Moment.Release()
		r.Moment, r.pinnedReplica = r.Account.PendingWrites.Pin(r.Replica), r.Replica
	}
}

// followerLSN returns the LSN that the chosen replica has reached. The actual LSN may be higher, because a later delete
// leaves no entry in the feed.
func (r *Run) followerLSN() (lsn uint64) {
	err := r.View(func(v *lag.View) error {
		prefix := r.Container.Key(engine.LetterChangeFeed, 0)
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
	return r.followerLSN()
}

// SessionLSN returns the LSN for the session token of a read, after the read: no lower than that of any item shown.
func (r *Run) SessionLSN() uint64 {
	if r.Replica == lag.Leader {
		return r.Container.Sequence.Last()
	}
	return r.followerLSN()
}

// PointRead is Container.PointRead on the chosen replica.
func (r *Run) PointRead(identity []byte, visit func(*engine.Item) error) (found bool, err error) {
	if r.Replica == lag.Leader {
		return r.Container.PointRead(identity, visit)
	}
	err = r.View(func(v *lag.View) error {
		i, err := r.Container.ReadByIdentity(v, identity)
		if found = i != nil; !found || err != nil {
			return err
		}
		return visit(i)
	})
	return found, err
}
