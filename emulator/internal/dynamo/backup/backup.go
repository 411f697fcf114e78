package backup

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/encryption"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Backup is a copy of a table: its definition and its items. The store keeps the description as JSON. It is immutable
// once it is finished, except for Restoring.
type Backup struct {
	ID         uint32
	ARN        string
	Name       string
	Type       string // UserBackup or SystemBackup
	Created    float64
	Expires    float64            // seconds since 1970; 0: never
	Definition *engine.Definition // the table's definition at that time
	Items      int64
	Bytes      int64
	InPlace    bool // the items are still under the keys of the table, which was deleted
	Unfinished bool // items are still being copied; the next start removes such a backup

	Restoring atomic.Bool `json:"-"` // a restore from it is in progress; there can be one at a time
}

// The types of backups, as the service names them.
const (
	UserBackup   = "USER"
	SystemBackup = "SYSTEM"
)

// systemBackupRetention is how long the service keeps system backups.
const systemBackupRetention = 35 * Day

func backupKey(kind byte, id uint32) []byte {
	return store.AppendUint32([]byte{engine.SpaceBackups, kind}, id)
}

// keyPrefix returns the prefix of the keys of the backup's items.
func (b *Backup) keyPrefix() []byte {
	if b.InPlace {
		return engine.AppendTablePrefix(nil, b.Definition.ID)
	}
	return backupKey(engine.BackupItems, b.ID)
}

// findBackup returns the account's backup with that ARN, whose region may be any. (ack-api-quirks DDB-BACKUP-012,
// 2026-10-09.)
func findBackup(a *engine.Account, arn string) (*Backup, error) {
	parts := strings.SplitN(arn, ":", 6)
	region, owner, resource := parts[3], parts[4], parts[5]
	switch {
	case region != "" && region != a.Region() && !control.IsRegion(a, region):
		return nil, invalidRequest("BackupArn is not valid")
	case region == "" || owner != a.ID():
		return nil, wire.ServiceError("AccessDeniedException", "Access is denied")
	}
	if b, ok := allBackups(a)[a.ARN("dynamodb", resource)]; ok && !b.expired(a.Engine.Clock.Now()) {
		return b, nil
	}
	return nil, wire.DynamoError("BackupNotFoundException", "Backup not found: "+arn)
}

func (b *Backup) expired(now time.Time) bool {
	return b.Expires != 0 && float64(now.UnixMilli())/1000 >= b.Expires
}

// NewBackup returns the description of a new backup of a table. The service's backup ids are the time in milliseconds
// and eight random digits, or eight zeros for a system backup. Here the digits also keep the order of backups while the
// clock stands still.
func NewBackup(a *engine.Account, def *engine.Definition, name, kind string) *Backup {
	b := &Backup{ID: a.Engine.NewID(), Name: name, Type: kind, Created: a.Engine.Now(), Definition: def}
	digits := b.ID<<12 | uint32(a.Engine.Random.Next()&0xfff)
	if kind == SystemBackup {
		digits = 0
	}
	b.ARN = a.ARN("dynamodb", fmt.Sprintf("table/%s/backup/%014d-%08x", def.Name, a.Engine.Clock.Now().UnixMilli(),
		digits))
	if _, known := allBackups(a)[b.ARN]; known { // a table of that name was already deleted in this millisecond
		b.ARN = strings.TrimSuffix(b.ARN, "00000000") + fmt.Sprintf("%08x", b.ID)
	}
	return b
}

// backUpDeletedTable makes a system backup of a table that is being deleted; its items stay where they are. The table's
// gate must be closed.
func backUpDeletedTable(a *engine.Account, tx *store.Tx, t *engine.Table) error {
	b := NewBackup(a, t.Def, t.Def.Name+"$DeletedTableBackup", SystemBackup)
	b.InPlace, b.Expires = true, b.Created+systemBackupRetention.Seconds()
	b.Items, b.Bytes = t.Stats.Items.Load(), t.Stats.Bytes.Load()
	a.Engine.ScheduleRemoval()
	return PutBackup(a, tx, b)
}

// PutBackup stores a backup's description. Once the backup is finished, requests find it.
func PutBackup(a *engine.Account, tx *store.Tx, b *Backup) error {
	text, err := json.Marshal(StoredBackup{b, a.Name})
	if err != nil {
		return err
	}
	NameBackup(a.Engine.Store.Names(), a.Name, b)
	if !b.Unfinished {
		changeBackups(a, tx, func(all map[string]*Backup) { all[b.ARN] = b })
	}
	return tx.Set(backupKey(engine.BackupMeta, b.ID), text)
}

// StoredBackup is a backup as stored.
type StoredBackup struct {
	*Backup
	Account string
}

// deleteBackup removes a backup. a.DDL must be closed.
func deleteBackup(a *engine.Account, ctx context.Context, b *Backup) error {
	return a.Engine.Store.UpdateContext(ctx, store.Latch(backupKey(engine.BackupMeta, b.ID)), func(tx *store.Tx) error {
		changeBackups(a, tx, func(all map[string]*Backup) { delete(all, b.ARN) })
		return b.delete(a.Engine, tx)
	})
}

// delete removes a backup from the store and, once that is committed, what is in memory for its keys: until then its
// items need the key of their table.
func (b *Backup) delete(e *engine.Engine, tx *store.Tx) error {
	tx.OnCommit(func() {
		e.Store.Names().Forget(b.keyPrefix())
		engine.ExtensionOf[*encryption.Extension](e).TableKeys.ForgetKeySpace(b.ID)
	})
	if err := tx.Delete(backupKey(engine.BackupMeta, b.ID)); err != nil {
		return err
	}
	return tx.DeleteRange(b.keyPrefix(), store.PrefixEnd(b.keyPrefix()))
}

// loadBackups loads all backups from the store, and removes those that a process left unfinished.
func (p *Extension) loadBackups() error {
	prefix := []byte{engine.SpaceBackups, engine.BackupMeta}
	var unfinished []*Backup
	err := p.Engine.Store.View(func(r *store.Reader) error {
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for it.Next() {
			b := StoredBackup{Backup: new(Backup)}
			if err := json.Unmarshal(it.Value(), &b); err != nil {
				return fmt.Errorf("the description of a backup cannot be read: %w", err)
			}
			p.Engine.ReserveID(b.ID)
			p.Engine.ReserveID(b.Definition.ID)
			if b.Unfinished {
				unfinished = append(unfinished, b.Backup)
				continue
			}
			allBackups(p.Engine.EnsureAccount(b.Account))[b.ARN] = b.Backup
			engine.ExtensionOf[*encryption.Extension](p.Engine).TableKeys.SealKeySpace(b.Definition.ID, b.ID)
			NameBackup(p.Engine.Store.Names(), b.Account, b.Backup)
			p.Engine.ScheduleRemoval()
		}
		return it.Close()
	})
	if err != nil || unfinished == nil {
		return err
	}
	return p.Engine.Store.Update(store.Latch(prefix), func(tx *store.Tx) error {
		for _, b := range unfinished {
			if err := b.delete(p.Engine, tx); err != nil {
				return err
			}
		}
		return nil
	})
}

// removeExpiredBackups removes the expired backups, and returns when the next one expires; zero for never. a.DDL must
// be closed.
func removeExpiredBackups(a *engine.Account) (next time.Time, err error) {
	now := a.Engine.Clock.Now()
	for _, b := range allBackups(a) {
		switch {
		case b.expired(now) && !b.Restoring.Load():
			if err := deleteBackup(a, context.Background(), b); err != nil {
				return next, err
			}
		case b.Expires != 0:
			next = engine.Earlier(next, time.UnixMilli(int64(b.Expires*1000)))
		}
	}
	return next, nil
}

// isBackupARN reports whether arn has the form of a backup's ARN.
func isBackupARN(arn string) bool {
	parts := strings.SplitN(arn, ":", 6)
	if len(parts) != 6 || parts[0] != "arn" {
		return false
	}
	resource := strings.Split(parts[5], "/")
	return len(resource) == 4 && resource[0] == "table" && resource[2] == "backup"
}

// checkBackupARN returns an error unless arn has the form of a backup's ARN, of the partition and the service. (The
// second message: ack-api-quirks DDB-BACKUP-012, 2026-10-09.)
func checkBackupARN(arn string) error {
	if !isBackupARN(arn) {
		return wire.ValidationError("Invalid Backup ARN")
	}
	if !strings.HasPrefix(arn, "arn:aws:dynamodb:") {
		return invalidRequest("BackupArn is not valid")
	}
	return nil
}

// CopyItems copies everything under the prefix from, as the Reader sees it, to the prefix to. write writes a key;
// visit, which may be nil, is called with each item.
func CopyItems(e *engine.Engine, r *store.Reader, from, to []byte, write func(tx *store.Tx, key, value []byte) error,
	visit func(item.Value)) error {
	var key []byte // put copies it
	return forEachChunk(e, r, from, func(tx *store.Tx, old, value []byte) error {
		if visit != nil {
			visit(value)
		}
		key = append(append(key[:0], to...), old[len(from):]...)
		return write(tx, key, value)
	})
}

// forEachChunk visits every key under a prefix, as the Reader sees it, in many transactions of limited size, at the
// pace of all work on much data. Nobody else may write the keys that visit writes. Errors: also the end of the engine's
// work.
func forEachChunk(e *engine.Engine, r *store.Reader, prefix []byte, visit func(tx *store.Tx, key,
	value []byte) error) error {
	lo, hi := prefix, store.PrefixEnd(prefix)
	return e.EachStep(e.WorkContext(), func() (more bool, err error) {
		err = e.Store.Update(store.Latch(prefix), func(tx *store.Tx) error {
			it := r.Iter(lo, hi, false)
			defer it.Close()
			for size := 0; it.Next(); {
				if size > engine.StepBytes {
					lo, more = bytes.Clone(it.Key()), true
					break
				}
				value := it.Value()
				if value == nil { // unreadable; Close returns the error
					break
				}
				size += len(it.Key()) + len(value)
				if err := visit(tx, it.Key(), value); err != nil {
					return err
				}
			}
			return it.Close()
		})
		return more, err
	})
}

// NameBackup names the keys of a backup, for messages about damage.
func NameBackup(n *store.Names, account string, b *Backup) {
	n.Set(b.keyPrefix(), store.Part, fmt.Sprintf("backup %q of table %q%s", b.Name, b.Definition.Name,
		engine.AccountSuffix(account)))
}
