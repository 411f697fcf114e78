package backup

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Extension records where point-in-time recovery begins, and backs up tables that are deleted with it enabled.
type Extension struct {
	engine.BaseExtension
	Engine *engine.Engine
}

// accountBackups are the backups of an account, by ARN.
type accountBackups = engine.ByARN[Backup]

func (*Extension) NewState() engine.ExtensionState { return engine.NewByARN[Backup]() }

// allBackups returns an account's backups by ARN. The map is immutable.
func allBackups(a *engine.Account) map[string]*Backup {
	return engine.StateOf[*accountBackups](a).All()
}

// changeBackups changes the backups of an account once the transaction is committed.
func changeBackups(a *engine.Account, tx *store.Tx, change func(all map[string]*Backup)) {
	tx.OnCommit(func() { engine.StateOf[*accountBackups](a).Change(change) })
}

func (p *Extension) AfterTablesLoad() error { return p.loadBackups() }

// PrepareChange marks in the log where point-in-time recovery begins, and backs up a table that is deleted with it
// enabled.
func (*Extension) PrepareChange(a *engine.Account, from, to *engine.Table) (engine.Writes, error) {
	switch {
	case to == nil && from.Def.Recovery != nil:
		return func(tx *store.Tx) error { return backUpDeletedTable(a, tx, from) }, nil
	case to != nil && to.Def.Recovery != nil && to.Def.Recovery.Since == 0:
		return func(tx *store.Tx) (err error) {
			to.Def.Recovery.Since, err = to.Log.Mark(tx)
			return err
		}, nil
	}
	return nil, nil
}

func (*Extension) RemoveExpired(a *engine.Account) (next time.Time, err error) {
	return removeExpiredBackups(a)
}

func (*Extension) ExtendLogRetention(a *engine.Account, periods map[*changelog.Log]time.Duration) {
	for _, t := range *a.Tables.Load() {
		if t.Def.Recovery != nil {
			periods[t.Log] = max(periods[t.Log], recoveryPeriod(t.Def.Recovery))
		}
	}
}

// Bytes returns the size of all user backups. System backups are free.
func (p *Extension) Bytes() (sum int64) {
	p.Engine.EachAccount(func(a *engine.Account) {
		for _, b := range allBackups(a) {
			if b.Type == UserBackup {
				sum += b.Bytes
			}
		}
	})
	return sum
}
