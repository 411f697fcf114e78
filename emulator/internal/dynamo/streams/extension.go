package streams

import (
	"maps"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Extension begins and ends streams when the definitions of tables change.
type Extension struct {
	engine.BaseExtension
	Engine *engine.Engine
}

// accountStreams are the readable streams of an account, by ARN, including those of tables that no longer exist.
type accountStreams = engine.ByARN[Stream]

func (*Extension) NewState() engine.ExtensionState { return engine.NewByARN[Stream]() }

// allStreams returns an account's streams by ARN. The map is immutable.
func allStreams(a *engine.Account) map[string]*Stream {
	return engine.StateOf[*accountStreams](a).All()
}

// setStreams replaces the streams of an account. The map must not change afterwards.
func setStreams(a *engine.Account, all map[string]*Stream) {
	engine.StateOf[*accountStreams](a).Replace(all)
}

// showStreams replaces the streams of an account before a transaction is committed. If that fails, it puts them back.
func showStreams(a *engine.Account, tx *store.Tx, all map[string]*Stream) {
	previous := allStreams(a)
	tx.OnAbort(func() { setStreams(a, previous) })
	setStreams(a, all)
}

func (p *Extension) AfterTablesLoad() error { return p.loadStreams() }

// PrepareChange ends the stream of the old definition and begins that of the new one. It removes the table's log if
// nothing needs it any more.
func (*Extension) PrepareChange(a *engine.Account, from, to *engine.Table) (engine.Writes, error) {
	return func(tx *store.Tx) error {
		streams, err := changeStreams(a, tx, from, to)
		if err != nil {
			return err
		}
		begun := maps.Clone(streams) // seen before the table that names it; an end is seen when it is committed
		maps.Copy(begun, allStreams(a))
		showStreams(a, tx, begun)
		tx.OnCommit(func() { setStreams(a, streams) })
		if from != nil && from.Log != nil && (to == nil || to.Log == nil) {
			return dropLog(from, to, tx, streams)
		}
		return nil
	}, nil
}

func (*Extension) RemoveExpired(a *engine.Account) (next time.Time, err error) {
	return next, removeExpiredStreams(a)
}

func (*Extension) ExtendLogRetention(a *engine.Account, periods map[*changelog.Log]time.Duration) {
	for _, st := range allStreams(a) {
		periods[st.Log] = max(periods[st.Log], streamRetention)
	}
}

// removeExpiredStreams removes the streams that have no readable records left, and the logs that nothing else needs.
func removeExpiredStreams(a *engine.Account) error {
	all, expired := maps.Clone(allStreams(a)), []*Stream{}
	var gates []*store.Gate
	for arn, st := range all {
		if st.expired(horizon(a.Engine)) {
			expired = append(expired, st)
			gates = append(gates, a.Engine.GateOf(st.Table))
			delete(all, arn)
		}
	}
	if len(expired) == 0 {
		return nil
	}
	err := a.Engine.Store.Update(store.Latch().Alone(gates...), func(tx *store.Tx) error {
		showStreams(a, tx, all)
		retained := a.LogRetention() // without that of the expired streams
		for _, st := range expired {
			if err := tx.Delete(StreamKey(a, st.ARN)); err != nil {
				return err
			}
			if _, ok := retained[st.Log]; ok {
				continue
			}
			if err := removeLog(tx, st.Log, a.Engine.Published(st.Table)); err != nil {
				return err
			}
		}
		return nil
	})
	for _, st := range expired {
		a.Engine.ForgetGate(st.Table)
	}
	return err
}

// dropLog removes the log of a table that becomes to if no stream reads it, in a transaction that closes the table's
// gate.
func dropLog(from, to *engine.Table, tx *store.Tx, streams map[string]*Stream) error {
	for _, st := range streams {
		if st.Table == from.Def.ID {
			return nil
		}
	}
	return removeLog(tx, from.Log, to)
}

// removeLog removes the changes in the log of a table; nil: the table does not exist any more.
func removeLog(tx *store.Tx, log *changelog.Log, of *engine.Table) error {
	if of == nil {
		return log.Retire(tx)
	}
	return log.Drop(tx)
}
