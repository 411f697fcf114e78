package backup

import (
	"cmp"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/encryption"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// RecoveryWindow returns the first and the last second to which a table with point-in-time recovery can be restored.
func RecoveryWindow(t *engine.Table, now time.Time) (earliest, latest time.Time) {
	return recoveryWindow(t.Def.Recovery, now)
}

// ViewAt calls view with a table's items as they were at the end of a second. The keys of the items are prefix and the
// rest of their keys in the table.
func ViewAt(a *engine.Account, t *engine.Table, second time.Time,
	view func(r *store.Reader, prefix []byte) error) error {
	return WithScratch(a, t, func(prefix []byte) error {
		if err := RewindTable(a, t, second, prefix); err != nil {
			return err
		}
		return a.Engine.Store.View(func(r *store.Reader) error { return view(r, prefix) })
	})
}

// WithScratch calls use with a prefix of keys for temporary copies of a table's items, which are sealed by the table's
// key. The keys are removed when use returns, or, if the process ends before, at the next start.
func WithScratch(a *engine.Account, t *engine.Table, use func(prefix []byte) error) (err error) {
	b := NewBackup(a, t.Def, t.Def.Name+"$Scratch", SystemBackup)
	keys := engine.ExtensionOf[*encryption.Extension](a.Engine)
	keys.TableKeys.SealKeySpace(t.Def.ID, b.ID)
	keys.TableKeys.InstallSealer(a.Engine.Store)
	b.Unfinished = true
	if err := a.Engine.Store.Update(store.Latch(backupKey(engine.BackupMeta, b.ID)), func(tx *store.Tx) error {
		return PutBackup(a, tx, b)
	}); err != nil {
		return err
	}
	defer func() { // also if use panics
		a.Engine.Store.Names().Forget(b.keyPrefix())
		err = cmp.Or(err, a.Engine.Store.Update(store.Latch(b.keyPrefix()), b.delete))
	}()
	return use(b.keyPrefix())
}
