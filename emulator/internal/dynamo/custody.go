package dynamo

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// When a customer's key cannot be used any more, requests for the items of its tables fail as soon as the service asks KMS for
// the table key again, the table is found inaccessible when the service checks it, and archived seven days later. What becomes
// usable again heals the table. (AWS's developer guide, "Encryption at rest usage notes"; ack-api-quirks, 2026-10, measured
// 5.5 minutes until requests fail, 13 to 75 until the state changes, and 18 to 57 until it changes back.)
const (
	keyCached     = 5 * time.Minute  // a table key is not asked for again before
	keyNoticed    = 30 * time.Minute // until a table's state follows that of its key
	archivedAfter = 7 * 24 * time.Hour
)

// The states of a table whose key cannot be used.
const (
	inaccessible   = "INACCESSIBLE_ENCRYPTION_CREDENTIALS"
	archived       = "ARCHIVED"
	sealedForLong  = inaccessible // the reason of an archival
	keyCheckFailed = "the state of a table could not follow that of its key"
)

// custody is what is known of the customer's key of a table.
type custody struct {
	refusal atomic.Pointer[error] // of KMS, while items cannot be read and written; nil while they can
	// The rest is guarded by the account's ddl.
	failed float64 // when the key was found unusable; 0 while it is usable
	healed float64 // when it was found usable again
}

// refuse is the error of requests for the items of a table whose key cannot be used.
func (t *table) refuse(a *account) error {
	if t.custody == nil {
		return nil
	}
	if refusal := t.custody.refusal.Load(); refusal != nil {
		return a.keyError(*refusal)
	}
	return nil
}

// refused says whether the table's key cannot be used.
func (t *table) refused() bool { return t.custody != nil && t.custody.refusal.Load() != nil }

// keep has a table's custody go on under a new definition; former is nil for a table that was not there.
func (t *table) keep(former *table) {
	if t.def.SSE == nil {
		return
	}
	if former != nil && former.custody != nil {
		t.custody = former.custody
		return
	}
	t.custody = &custody{failed: t.def.SSE.InaccessibleEncryptionDateTime}
}

// keyChecks is the one timer of what follows from the state of keys.
type keyChecks struct {
	mu     sync.Mutex
	cancel func()
}

func (k *keyChecks) stop() { k.set(nil) }

// set replaces the timer by one that cancel cancels; nil for none.
func (k *keyChecks) set(cancel func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.cancel != nil {
		k.cancel()
	}
	k.cancel = cancel
}

// checkKeys is called when a key may have changed, or when something falls due after one did.
func (s *Service) checkKeys() {
	s.whileServing(func() {
		if err := s.followKeys(); err != nil && !errors.Is(err, store.ErrClosed) {
			s.log.Error(keyCheckFailed, "error", err)
		}
	})
}

// followKeys has every table follow the state of its key, and waits for what comes next.
func (s *Service) followKeys() error {
	if s.keys == nil {
		return nil
	}
	s.keyChecks.stop()
	next, healed := math.Inf(1), false
	for _, t := range s.encryptedTables() {
		due, well, err := t.account.followKey(t.name)
		if err != nil {
			return err
		}
		next, healed = min(next, due), healed || well
	}
	if !math.IsInf(next, 1) {
		s.keyChecks.set(s.clock.At(time.UnixMilli(int64(math.Ceil(next*1000))), s.checkKeys))
	}
	if healed {
		s.expiry.SweepAll() // what fell due meanwhile
	}
	return nil
}

type encryptedTable struct {
	account *account
	name    string
}

// encryptedTables are those that are encrypted by a customer's key.
func (s *Service) encryptedTables() (all []encryptedTable) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.accounts {
		for name, t := range *a.tables.Load() {
			if t.custody != nil {
				all = append(all, encryptedTable{a, name})
			}
		}
	}
	return all
}

// followKey has one table follow its key. It gives when it is to be called again, and whether the table has just become
// accessible.
func (a *account) followKey(name string) (due float64, healed bool, err error) {
	if err := a.ddl.Close(context.Background()); err != nil {
		return math.Inf(1), false, err
	}
	defer a.ddl.Open()
	t, err := a.namedTable(name)
	if err != nil || t.custody == nil { // deleted or changed meanwhile
		return math.Inf(1), false, nil
	}
	now := a.now()
	if refused := a.keys.CheckTableKey(a.name, t.def.SSE.KMSMasterKeyArn); refused != nil {
		due, err = a.followFailure(t, now, refused)
		return due, false, err
	}
	return a.followHealing(t, now)
}

// after is a time that much later, at once where the emulator is strict.
func (s *Service) after(since float64, d time.Duration) float64 {
	if !s.states {
		return since
	}
	return since + d.Seconds()
}

func (a *account) followFailure(t *table, now float64, refused error) (due float64, err error) {
	c := t.custody
	if c.failed == 0 {
		c.failed, c.healed = now, 0
	}
	if due = a.after(c.failed, keyCached); due <= now || a.vault.locked(t.def.ID) {
		c.refusal.Store(&refused)
		due = math.Inf(1)
	}
	since := t.def.SSE.InaccessibleEncryptionDateTime
	switch at := a.after(c.failed, keyNoticed); {
	case t.def.Archival != nil:
	case since != 0 && since+archivedAfter.Seconds() <= now:
		def := t.def.clone()
		def.Archival = &archivalSummary{now, sealedForLong}
		_, err = a.publish(context.Background(), def, nil)
	case since != 0:
		due = min(due, since+archivedAfter.Seconds())
	case at <= now:
		due = min(due, now+archivedAfter.Seconds())
		err = a.publishInaccessible(t, now)
	default:
		due = min(due, at)
	}
	return due, err
}

func (a *account) followHealing(t *table, now float64) (due float64, healed bool, err error) {
	c := t.custody
	if t.def.Archival != nil { // for good: only its backup can be restored
		if c.refusal.Load() == nil {
			gone := error(&archivedTable{t.def.Name})
			c.refusal.Store(&gone)
		}
		return math.Inf(1), false, nil
	}
	if c.failed != 0 {
		c.failed, c.healed = 0, now
	}
	if a.vault.locked(t.def.ID) {
		if t, err = a.unlock(t); err != nil {
			return math.Inf(1), false, err
		}
	}
	healed = c.refusal.Swap(nil) != nil
	if t.def.SSE.InaccessibleEncryptionDateTime == 0 {
		return math.Inf(1), healed, nil
	}
	if due = a.after(c.healed, keyNoticed); due > now {
		return due, healed, nil
	}
	return math.Inf(1), healed, a.publishInaccessible(t, 0)
}

// publishInaccessible has the table be found inaccessible at that time, or, at 0, accessible again.
func (a *account) publishInaccessible(t *table, at float64) error {
	def := t.def.clone()
	sse := *def.SSE
	sse.InaccessibleEncryptionDateTime = at
	def.SSE = &sse
	_, err := a.publish(context.Background(), def, nil)
	return err
}

// unlock opens a table's key that could not be opened when the table was loaded, and does what had to wait for it: its
// items are counted, and what was under way is finished.
func (a *account) unlock(t *table) (*table, error) {
	if err := a.openKey(t.def.ID); err != nil {
		return t, err
	}
	a.vault.lay(a.store)
	for id, counted := range t.allStats() {
		counted.items.Store(0)
		counted.bytes.Store(0)
		if err := a.count(id, counted); err != nil {
			return t, err
		}
	}
	return a.finish(t)
}

// allStats are the counts of a table and its indexes by their ids.
func (t *table) allStats() map[uint32]*stats {
	all := map[uint32]*stats{t.def.ID: t.stats}
	for _, x := range t.indexes {
		all[x.id] = x.stats
	}
	return all
}

// archivedTable is what keeps the items of an archived table from being read and written. The text is not AWS's.
type archivedTable struct{ name string }

func (e *archivedTable) Error() string { return e.name + " is archived" }

// Exception makes it a refusal as KMS's.
func (e *archivedTable) Exception() (name, message string) {
	return "KMSInvalidStateException", "The key of table " + e.name + " was inaccessible for more than seven days, and the table is archived."
}

// status is the state of a table that nothing is under way with.
func (t *table) status() string {
	switch {
	case t.def.Archival != nil:
		return archived
	case t.def.SSE != nil && t.def.SSE.InaccessibleEncryptionDateTime != 0:
		return inaccessible
	}
	return active
}
