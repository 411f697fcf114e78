package backup

import (
	"cmp"
	"context"
	"time"

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
	end, err := beginFilling(context.Background(), a, t, b)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, end()) }() // also if use panics
	return use(b.keyPrefix())
}
