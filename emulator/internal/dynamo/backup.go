package dynamo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// backup is a copy of a table: its definition and its items. The store keeps what it is in JSON. It does not change.
type backup struct {
	ID         uint32
	ARN        string
	Name       string
	Type       string // userBackup or systemBackup
	Created    float64
	Expires    float64     // seconds since 1970; 0: never
	Definition *definition // of the table, as it was
	Items      int64
	Bytes      int64
	InPlace    bool // the items are where the table had them, which is gone
	Unfinished bool // the copy is under way; who finds it so at the start removes it

	restoring atomic.Bool // into a table: one at a time
}

// The types of backups, as the service names them.
const (
	userBackup   = "USER"
	systemBackup = "SYSTEM"
)

// systemBackupLife is for how long the service keeps what it backed up by itself.
const systemBackupLife = 35 * day

// In the store a backup is under its space, a letter for its description or its items, and its id; an item has behind it the end of the key
// that it had in its table.
const (
	backupMeta  = keyspace.BackupDescription
	backupItems = keyspace.BackupItems
)

func backupKey(kind byte, id uint32) []byte {
	return store.AppendUint32([]byte{spaceBackups, kind}, id)
}

// space is what the keys of the backup's items begin with.
func (b *backup) space() []byte {
	if b.InPlace {
		return appendSpace(nil, b.Definition.ID)
	}
	return backupKey(backupItems, b.ID)
}

// backup finds a backup by its ARN.
func (a *account) backup(arn string) (*backup, error) {
	if owner, _ := accountOfBackup(arn); owner != a.id() {
		return nil, serviceError("AccessDeniedException", "Access is denied")
	}
	if b, ok := (*a.backups.Load())[arn]; ok && !b.expired(a.service.clock.Now()) {
		return b, nil
	}
	return nil, dynamoError("BackupNotFoundException", "Backup not found: "+arn)
}

func (b *backup) expired(now time.Time) bool {
	return b.Expires != 0 && float64(now.UnixMilli())/1000 >= b.Expires
}

// newBackup describes a backup of a table that is made now. The service's own ids of backups are their times in milliseconds
// and eight random digits, or zeros where it makes one by itself. Here the digits tell the order too, where the clock stands still.
func (a *account) newBackup(def *definition, name, kind string) *backup {
	b := &backup{ID: a.service.newID(), Name: name, Type: kind, Created: a.service.now(), Definition: def}
	digits := b.ID<<12 | uint32(a.service.random.Next()&0xfff)
	if kind == systemBackup {
		digits = 0
	}
	b.ARN = a.arn("dynamodb", fmt.Sprintf("table/%s/backup/%014d-%08x", def.Name, a.service.clock.Now().UnixMilli(), digits))
	if _, known := (*a.backups.Load())[b.ARN]; known { // a table of the name was deleted in this millisecond before
		b.ARN = strings.TrimSuffix(b.ARN, "00000000") + fmt.Sprintf("%08x", b.ID)
	}
	return b
}

// keepDeleted makes a backup of a table that is being deleted, out of the items where they are. All keys must be latched.
func (a *account) keepDeleted(tx *store.Tx, t *table) error {
	b := a.newBackup(t.def, t.def.Name+"$DeletedTableBackup", systemBackup)
	b.InPlace, b.Expires = true, b.Created+systemBackupLife.Seconds()
	b.Items, b.Bytes = t.stats.items.Load(), t.stats.bytes.Load()
	a.service.keepRemoving()
	return a.putBackup(tx, b)
}

// putBackup stores what a backup is, and lets it be found once it is finished.
func (a *account) putBackup(tx *store.Tx, b *backup) error {
	text, err := json.Marshal(storedBackup{b, a.name})
	if err != nil {
		return err
	}
	nameBackup(a.service.store.Names(), a.name, b)
	if !b.Unfinished {
		all := maps.Clone(*a.backups.Load())
		all[b.ARN] = b
		a.backups.Store(&all)
	}
	return tx.Set(backupKey(backupMeta, b.ID), text)
}

// storedBackup is a backup as the store has it.
type storedBackup struct {
	*backup
	Account string
}

// dropBackup removes a backup. a.ddl must be closed.
func (a *account) dropBackup(ctx context.Context, b *backup) error {
	return a.service.store.UpdateContext(ctx, store.Latch(backupKey(backupMeta, b.ID)), func(tx *store.Tx) error {
		all := maps.Clone(*a.backups.Load())
		delete(all, b.ARN)
		a.backups.Store(&all)
		a.service.store.Names().Forget(b.space())
		return b.erase(tx)
	})
}

// erase removes what the store has of a backup.
func (b *backup) erase(tx *store.Tx) error {
	if err := tx.Delete(backupKey(backupMeta, b.ID)); err != nil {
		return err
	}
	return tx.DeleteRange(b.space(), store.PrefixEnd(b.space()))
}

// loadBackups takes all backups from the store, and removes those that a process left unfinished. s.mu must be held.
func (s *Service) loadBackups() error {
	prefix := []byte{spaceBackups, backupMeta}
	var unfinished []*backup
	err := s.store.View(func(r *store.Reader) error {
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for it.Next() {
			b := storedBackup{backup: new(backup)}
			if err := json.Unmarshal(it.Value(), &b); err != nil {
				return fmt.Errorf("the description of a backup cannot be read: %w", err)
			}
			s.nextID = max(s.nextID, b.ID, b.Definition.ID)
			if b.Unfinished {
				unfinished = append(unfinished, b.backup)
				continue
			}
			(*s.loading(b.Account).backups.Load())[b.ARN] = b.backup
			s.tableKeys.sealBackup(b.backup)
			nameBackup(s.store.Names(), b.Account, b.backup)
			s.keepRemoving()
		}
		return it.Close()
	})
	if err != nil || unfinished == nil {
		return err
	}
	return s.store.Update(store.Latch(prefix), func(tx *store.Tx) error {
		for _, b := range unfinished {
			if err := b.erase(tx); err != nil {
				return err
			}
		}
		return nil
	})
}

// removeBackups removes the backups whose time has come, and gives that of the next. a.ddl must be closed.
func (a *account) removeBackups() (next time.Time, err error) {
	now := a.service.clock.Now()
	for _, b := range *a.backups.Load() {
		switch {
		case b.expired(now):
			if err := a.dropBackup(context.Background(), b); err != nil {
				return next, err
			}
		case b.Expires != 0:
			next = sooner(next, time.UnixMilli(int64(b.Expires*1000)))
		}
	}
	return next, nil
}

// accountOfBackup is the account that is in the ARN of a backup.
func accountOfBackup(arn string) (account string, ok bool) {
	parts := strings.SplitN(arn, ":", 6)
	if len(parts) != 6 || parts[0] != "arn" || parts[2] != "dynamodb" {
		return "", false
	}
	resource := strings.Split(parts[5], "/")
	return parts[4], len(resource) == 4 && resource[0] == "table" && resource[2] == "backup"
}

// checkBackupARN refuses what is no ARN of a backup.
func checkBackupARN(arn string) error {
	if _, ok := accountOfBackup(arn); !ok {
		return validationError("Invalid Backup ARN")
	}
	return nil
}

// copyItems copies what lies under one prefix to another one, as a Reader sees it. put sets a key, and seen, which may be
// nil, is called with each item.
func (s *Service) copyItems(r *store.Reader, from, to []byte, put func(tx *store.Tx, key, value []byte) error, seen func(item.Value)) error {
	var key []byte // put copies it
	return s.inChunks(r, from, func(tx *store.Tx, old, value []byte) error {
		if seen != nil {
			seen(value)
		}
		key = append(append(key[:0], to...), old[len(from):]...)
		return put(tx, key, value)
	})
}

// stepsOf is what the copying of a value counts in a budget.
func stepsOf(value []byte) int { return 64 + len(value)/16 }

// inChunks visits every key under a prefix, as a Reader sees it, in many transactions that write for it, none of them large.
// What they write must be nobody else's.
func (s *Service) inChunks(r *store.Reader, prefix []byte, visit func(tx *store.Tx, key, value []byte) error) error {
	work := s.longWork(context.Background())
	defer work.Close()
	lo, hi := prefix, store.PrefixEnd(prefix)
	for lo != nil {
		err := s.store.Update(store.Latch(prefix), func(tx *store.Tx) error {
			it := r.Iter(lo, hi, false)
			defer it.Close()
			lo = nil
			for size := 0; it.Next(); {
				if size > backfillBytes {
					lo = bytes.Clone(it.Key())
					break
				}
				value := it.Value()
				if value == nil { // it cannot be read: Close says why
					break
				}
				size += len(it.Key()) + len(value)
				_ = work.Step(stepsOf(value)) // it has no limit
				if err := visit(tx, it.Key(), value); err != nil {
					return err
				}
			}
			work.EndTurn() // the commit may wait for the disk
			return it.Close()
		})
		if err != nil {
			return err
		}
		s.store.Settle(context.Background())
	}
	return nil
}
