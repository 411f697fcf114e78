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

// keyAvailability is what is known of the customer's key of a table.
type keyAvailability struct {
	refusal atomic.Pointer[error] // of KMS, while items cannot be read and written; nil while they can
	// The rest is guarded by the account's ddl.
	failed float64 // when the key was found unusable; 0 while it is usable
	healed float64 // when it was found usable again
}

// available is the error of requests for the items of a table whose key cannot be used.
func (t *table) available(a *account) error {
	if t.keyAvailability == nil {
		return nil
	}
	if refusal := t.keyAvailability.refusal.Load(); refusal != nil {
		return a.service.keyError(*refusal)
	}
	return nil
}

// refused says whether the table's key cannot be used.
func (t *table) refused() bool {
	return t.keyAvailability != nil && t.keyAvailability.refusal.Load() != nil
}

// inheritAvailability has a table's custody go on under a new definition; former is nil for a table that was not there.
func (t *table) inheritAvailability(former *table) {
	if t.def.SSE == nil {
		return
	}
	if former != nil && former.keyAvailability != nil {
		t.keyAvailability = former.keyAvailability
		return
	}
	t.keyAvailability = &keyAvailability{failed: t.def.SSE.InaccessibleEncryptionDateTime}
}

// keyTimer is the one timer of what follows from the state of keys.
type keyTimer struct {
	mu     sync.Mutex
	cancel func()
}

func (k *keyTimer) stop() { k.set(nil) }

// set replaces the timer by one that cancel cancels; nil for none.
func (k *keyTimer) set(cancel func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.cancel != nil {
		k.cancel()
	}
	k.cancel = cancel
}

// keyRetry is the time after which the keys are looked at again when that failed.
const keyRetry = time.Minute

// keysChanged is called when a key may have changed, or when something falls due after one did.
func (s *Service) keysChanged() { s.whileServing(s.followKeys) }

// followKeys tries again after keyRetry when it fails or panics.
func (s *Service) followKeys() {
	failed := true
	defer func() {
		if failed {
			s.keyTimer.set(s.clock.At(s.clock.Now().Add(keyRetry), s.keysChanged))
		}
	}()
	err := s.updateAvailabilities()
	if failed = err != nil && !errors.Is(err, store.ErrClosed); failed {
		s.log.Error(keyCheckFailed, "error", err)
	}
}

// updateAvailabilities has every table follow the state of its key, and waits for what comes next.
func (s *Service) updateAvailabilities() error {
	if s.keys == nil {
		return nil
	}
	s.keyTimer.stop()
	next, healed := math.Inf(1), false
	for _, t := range s.encryptedTables() {
		due, well, err := t.account.updateAvailability(t.name)
		if err != nil {
			return err
		}
		next, healed = min(next, due), healed || well
	}
	if !math.IsInf(next, 1) {
		s.keyTimer.set(s.clock.At(time.UnixMilli(int64(math.Ceil(next*1000))), s.keysChanged))
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
			if t.keyAvailability != nil {
				all = append(all, encryptedTable{a, name})
			}
		}
	}
	return all
}

// updateAvailability has one table follow its key. It gives when it is to be called again, and whether the table has just become
// accessible.
func (a *account) updateAvailability(name string) (due float64, healed bool, err error) {
	if err := a.ddl.Close(context.Background()); err != nil {
		return math.Inf(1), false, err
	}
	defer a.ddl.Open()
	t, err := a.namedTable(name)
	if err != nil || t.keyAvailability == nil { // deleted or changed meanwhile
		return math.Inf(1), false, nil
	}
	now := a.service.now()
	if refused := a.service.keys.CheckTableKey(a.name, t.def.SSE.KMSMasterKeyArn); refused != nil {
		due, err = a.keyFailed(t, now, refused)
		return due, false, err
	}
	return a.keyRecovered(t, now)
}

// after is a time that much later, at once where the emulator is strict.
func (s *Service) after(since float64, d time.Duration) float64 {
	if !s.states {
		return since
	}
	return since + d.Seconds()
}

func (a *account) keyFailed(t *table, now float64, refused error) (due float64, err error) {
	c := t.keyAvailability
	if c.failed == 0 {
		c.failed, c.healed = now, 0
	}
	if due = a.service.after(c.failed, keyCached); due <= now || a.service.tableKeys.locked(t.def.ID) {
		c.refusal.Store(&refused)
		due = math.Inf(1)
	}
	since := t.def.SSE.InaccessibleEncryptionDateTime
	switch at := a.service.after(c.failed, keyNoticed); {
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

func (a *account) keyRecovered(t *table, now float64) (due float64, healed bool, err error) {
	c := t.keyAvailability
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
	if a.service.tableKeys.locked(t.def.ID) {
		if t, err = a.unlock(t); err != nil {
			return math.Inf(1), false, err
		}
	}
	healed = c.refusal.Swap(nil) != nil
	if t.def.SSE.InaccessibleEncryptionDateTime == 0 {
		return math.Inf(1), healed, nil
	}
	if due = a.service.after(c.healed, keyNoticed); due > now {
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
	if err := a.service.openKey(t.def.ID); err != nil {
		return t, err
	}
	a.service.tableKeys.installSealer(a.service.store)
	for id, counted := range t.allStats() {
		counted.items.Store(0)
		counted.bytes.Store(0)
		if err := a.service.count(id, counted); err != nil {
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
