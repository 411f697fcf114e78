package encryption

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// When the KMS key of a table becomes unusable, item requests fail once the service asks KMS for the table key again,
// the table becomes inaccessible when the service next checks it, and it is archived seven days later. A key that
// becomes usable again reverses this, except for the archival. (AWS's developer guide, "Encryption at rest usage
// notes"; ack-api-quirks, 2026-10, measured 5.5 minutes until requests fail, 13 to 75 until the status changes, and 18
// to 57 until it changes back.)
const (
	keyCacheDuration = 5 * time.Minute  // how long a table key is cached
	statusDelay      = 30 * time.Minute // until a table's status follows its key
	archivalDelay    = 7 * 24 * time.Hour
)

// Texts for a table whose key cannot be used.
const (
	archivalReason           = engine.Inaccessible
	availabilityUpdateFailed = "the availability of tables could not be updated after a change of their KMS keys"
)

// keyAvailability is the availability of a table by its KMS key.
type keyAvailability struct {
	extension *Extension
	table     uint32                // its id
	kmsError  atomic.Pointer[error] // KMS's error while items are unavailable; nil while they are available
	// The fields below are guarded by the account's DDL.
	unusableSince float64 // when the key was found unusable; 0 while it is usable
	usableSince   float64 // when the key was found usable again
}

func (k *keyAvailability) Err() error {
	if kmsError := k.kmsError.Load(); kmsError != nil {
		return KeyError(k.extension.engine, *kmsError)
	}
	return nil
}

func (k *keyAvailability) Unavailable() bool { return k.kmsError.Load() != nil }
func (k *keyAvailability) Locked() bool      { return k.extension.TableKeys.locked(k.table) }

// availabilityOf returns a table's availability; nil if its key is AWS owned.
func availabilityOf(t *engine.Table) *keyAvailability {
	k, _ := t.Availability.(*keyAvailability)
	return k
}

// inheritAvailability gives a table the availability of its previous definition; previous is nil for a table that is
// new or was just loaded.
func (p *Extension) inheritAvailability(t, previous *engine.Table) {
	switch {
	case t.Def.SSE == nil:
	case previous != nil && previous.Availability != nil:
		t.Availability = previous.Availability
	default:
		t.Availability = &keyAvailability{extension: p, table: t.Def.ID,
			unusableSince: t.Def.SSE.InaccessibleEncryptionDateTime}
	}
}

// keyTimer is the one timer for the next effect of a key's state.
type keyTimer struct {
	mu     sync.Mutex
	cancel func()
}

func (k *keyTimer) stop() { k.set(nil) }

// set cancels the timer and replaces it by one that cancel cancels; nil for none.
func (k *keyTimer) set(cancel func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.cancel != nil {
		k.cancel()
	}
	k.cancel = cancel
}

// keyRetryInterval is the time after which a failed check of the keys is repeated.
const keyRetryInterval = time.Minute

// KeysChanged is called when a key may have changed, and when a delayed effect of a change is due.
func (p *Extension) KeysChanged() { p.engine.RunIfServing(p.updateAndReschedule) }

// updateAndReschedule retries after keyRetryInterval if it fails or panics.
func (p *Extension) updateAndReschedule() {
	failed := true
	defer func() {
		if failed {
			p.timer.set(p.engine.Clock.At(p.engine.Clock.Now().Add(keyRetryInterval), p.KeysChanged))
		}
	}()
	err := p.UpdateAvailabilities()
	if failed = err != nil && !errors.Is(err, store.ErrClosed); failed {
		p.engine.Log.Error(availabilityUpdateFailed, "error", err)
	}
}

// UpdateAvailabilities makes every table follow the state of its key, also if another table cannot, and sets the timer
// for the next effect.
func (p *Extension) UpdateAvailabilities() error {
	if p.KMS == nil {
		return nil
	}
	p.timer.stop()
	next, recovered, failed := math.Inf(1), false, error(nil)
	for _, t := range p.encryptedTables() {
		due, tableRecovered, err := p.updateAvailability(t.account, t.name)
		next, recovered, failed = min(next, due), recovered || tableRecovered, errors.Join(failed, err)
	}
	if failed == nil && !math.IsInf(next, 1) {
		p.timer.set(p.engine.Clock.At(time.UnixMilli(int64(math.Ceil(next*1000))), p.KeysChanged))
	}
	if recovered {
		p.engine.Expiry.SweepAll() // items that expired while their table was unavailable
		p.engine.Replicate()       // writes of other regions meanwhile
	}
	return failed
}

type encryptedTable struct {
	account *engine.Account
	name    string
}

// encryptedTables returns the tables that are encrypted by a KMS key.
func (p *Extension) encryptedTables() (all []encryptedTable) {
	p.engine.EachAccount(func(a *engine.Account) {
		for name, t := range *a.Tables.Load() {
			if t.Availability != nil {
				all = append(all, encryptedTable{a, name})
			}
		}
	})
	return all
}

// updateAvailability makes one table follow its key. It returns when to call it again, and whether the table has just
// become available.
func (p *Extension) updateAvailability(a *engine.Account, name string) (due float64, recovered bool, err error) {
	if err := a.DDL.Close(context.Background()); err != nil {
		return math.Inf(1), false, err
	}
	defer a.DDL.Open()
	t, err := a.NamedTable(name)
	if err != nil || availabilityOf(t) == nil { // deleted or changed since it was listed
		return math.Inf(1), false, nil
	}
	now := a.Engine.Now()
	if kmsError := p.KMS.CheckTableKey(a.Name, t.Def.SSE.KMSMasterKeyArn); kmsError != nil {
		due, err = p.keyFailed(a, t, now, kmsError)
		return due, false, err
	}
	return p.keyRecovered(a, t, now)
}

// effectTime returns the time d after since; without States, effects are immediate and it returns since.
func (p *Extension) effectTime(since float64, d time.Duration) float64 {
	if !p.engine.States {
		return since
	}
	return since + d.Seconds()
}

func (p *Extension) keyFailed(a *engine.Account, t *engine.Table, now float64,
	kmsError error) (due float64, err error) {
	c := availabilityOf(t)
	if c.unusableSince == 0 {
		c.unusableSince, c.usableSince = now, 0
	}
	if due = p.effectTime(c.unusableSince, keyCacheDuration); due <= now || p.TableKeys.locked(t.Def.ID) {
		c.kmsError.Store(&kmsError)
		due = math.Inf(1)
	}
	since := t.Def.SSE.InaccessibleEncryptionDateTime
	switch at := p.effectTime(c.unusableSince, statusDelay); {
	case t.Def.Archival != nil:
	case since != 0 && since+archivalDelay.Seconds() <= now:
		def := t.Def.Clone()
		def.Archival = &engine.ArchivalSummary{ArchivalDateTime: now, ArchivalReason: archivalReason}
		_, err = a.Publish(context.Background(), def, nil)
	case since != 0:
		due = min(due, since+archivalDelay.Seconds())
	case at <= now:
		due = min(due, now+archivalDelay.Seconds())
		err = p.publishInaccessible(a, t, now)
	default:
		due = min(due, at)
	}
	return due, err
}

func (p *Extension) keyRecovered(a *engine.Account, t *engine.Table, now float64) (due float64,
	recovered bool, err error) {
	c := availabilityOf(t)
	if t.Def.Archival != nil { // permanently: only its backup can be restored
		if c.kmsError.Load() == nil {
			kmsError := error(&archivedTable{t.Def.Name})
			c.kmsError.Store(&kmsError)
		}
		return math.Inf(1), false, nil
	}
	if c.unusableSince != 0 {
		c.unusableSince, c.usableSince = 0, now
	}
	if p.TableKeys.locked(t.Def.ID) {
		if t, err = p.unlock(a, t); err != nil {
			return math.Inf(1), false, err
		}
	}
	recovered = c.kmsError.Swap(nil) != nil
	if t.Def.SSE.InaccessibleEncryptionDateTime == 0 {
		return math.Inf(1), recovered, nil
	}
	if due = p.effectTime(c.usableSince, statusDelay); due > now {
		return due, recovered, nil
	}
	return math.Inf(1), recovered, p.publishInaccessible(a, t, 0)
}

// publishInaccessible marks the table as inaccessible since the time at, or as accessible again if at is 0.
func (p *Extension) publishInaccessible(a *engine.Account, t *engine.Table, at float64) error {
	def := t.Def.Clone()
	sse := *def.SSE
	sse.InaccessibleEncryptionDateTime = at
	def.SSE = &sse
	_, err := a.Publish(context.Background(), def, nil)
	return err
}

// unlock decrypts a table key that could not be decrypted when the table was loaded. Then it does the work that had to
// wait: it counts the items, and finishes what was in progress.
func (p *Extension) unlock(a *engine.Account, t *engine.Table) (*engine.Table, error) {
	if err := p.decryptKey(t.Def.ID); err != nil {
		return t, err
	}
	p.TableKeys.InstallSealer(a.Engine.Store)
	if err := a.Engine.CountAgain(t); err != nil {
		return t, err
	}
	return a.FinishWork(context.Background(), t)
}

// archivedTable is the error for the items of an archived table. The text is not AWS's.
type archivedTable struct{ name string }

func (e *archivedTable) Error() string { return e.name + " is archived" }

// Exception makes it look like an exception of KMS.
func (e *archivedTable) Exception() (name, message string) {
	return "KMSInvalidStateException", "The key of table " + e.name +
		" was inaccessible for more than seven days, and the table is archived."
}
