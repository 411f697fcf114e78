package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// An account with continuous backup keeps, in a second log of each container, the image of each item before each
// change: so that the container can be shown, and restored, as it was at any moment of the last days.

// historyLogBits are set in the numbers of the logs with images.
const historyLogBits = keyspace.CosmosHistoryLog

// backupKey is the key of the position where the continuous backup begins.
const backupKey = string(rune(Space)) + string(rune(keyspace.CosmosBackup))

// BackupSlack is how much longer images are kept than they can be read: for reads in progress.
const BackupSlack = time.Hour

// identityAt is the index, in a key, of what follows the prefix of a container's identities.
const identityAt = letterAt + 1

// loadBackup reads since when the account has continuous backup. It begins now if the account had none, and is dropped
// if it is off.
func (s *State) loadBackup() error {
	s.BackupSince = 0
	if err := s.Store.Get([]byte(backupKey), func(value []byte, ok bool) error {
		if ok && len(value) == 8 {
			s.BackupSince = changelog.Position(binary.BigEndian.Uint64(value))
		}
		return nil
	}); err != nil {
		return err
	}
	switch {
	case s.BackupPeriod == 0 && s.BackupSince != 0:
		s.BackupSince = 0
		return s.Store.Update(store.Latch([]byte(backupKey)), func(tx *store.Tx) error {
			logs := changelog.Prefix(historyLogBits)[:2] // no container number reaches the second byte
			return errors.Join(tx.Delete([]byte(backupKey)), tx.DeleteRange(logs, store.PrefixEnd(logs)))
		})
	case s.BackupPeriod != 0 && s.BackupSince == 0:
		s.BackupSince = changelog.At(s.Now()) - 1 // a change of this moment is after it
		return s.Store.Update(store.Latch([]byte(backupKey)), func(tx *store.Tx) error {
			return tx.Set([]byte(backupKey), binary.BigEndian.AppendUint64(nil, uint64(s.BackupSince)))
		})
	}
	return nil
}

// openHistory opens the log with images of a container; nil if the account has no continuous backup.
func (s *State) openHistory(number uint32) (*changelog.Log, error) {
	if s.BackupPeriod == 0 {
		return nil, nil
	}
	return s.logs.Open(number | historyLogBits)
}

// IdentitiesPrefix returns the prefix of the keys of all identities of the container. The rest of a key is the key of
// records in History.
func (c *Container) IdentitiesPrefix() []byte { return c.Key(letterIdentity, 0) }

// HistoryKey returns the key in History of an identity: what follows IdentitiesPrefix.
func HistoryKey(identity []byte) []byte { return identity[identityAt:] }

// logHistory appends the images of the changed items to the log with images, consecutively.
func (t *Transaction) logHistory() error {
	if t.Container.History == nil {
		return nil
	}
	var all []*changelog.Record
	author := authorOf(t.Ctx)
	for _, change := range t.Changes {
		if change.changed() {
			all = append(all, t.historyRecord(change, author))
		}
	}
	due := t.Now + int64((t.Container.State.BackupPeriod+BackupSlack)/time.Second)
	if t.trimDue == 0 || due < t.trimDue {
		t.trimDue = due
	}
	_, err := t.Container.History.Append(t.Tx.Tx, all...)
	return err
}

// historyRecord returns the record of a change, with the image before it.
func (t *Transaction) historyRecord(change *Change, author []byte) *changelog.Record {
	r := &changelog.Record{Kind: changelog.Modify, Key: HistoryKey(t.identity(change.ID)), Author: author}
	switch {
	case change.stored == nil:
		r.Kind = changelog.Insert
		return r
	case change.New == nil:
		r.Kind, r.ByService = changelog.Remove, change.old == nil
	}
	r.Old = change.stored.appendTo(binary.BigEndian.AppendUint64(nil, change.stored.RID))
	return r
}

// ReadImage parses an image in History. The item aliases the image.
func ReadImage(image []byte) (*Item, error) {
	if len(image) < 8 {
		return nil, ErrItem
	}
	return ReadItem(binary.BigEndian.Uint64(image), image[8:])
}

// DedicatedThroughput returns the throughput of the container's own; zero: it shares that of its database.
func (c *Container) DedicatedThroughput() throughput.Provisioned {
	if o := c.State.Catalog.ownOffer(c.RID); o != nil {
		return o.Provisioned
	}
	return throughput.Provisioned{}
}

// authorKey is the context key of the author of a request's changes.
type authorKey struct{}

// WithAuthor returns a context for a request whose changes a user makes with an operation.
func WithAuthor(ctx context.Context, user, operation string) context.Context {
	return context.WithValue(ctx, authorKey{}, changelog.AppendAuthor(nil, user, operation))
}

// authorOf returns the author of a request's changes, nil for those of the service itself.
func authorOf(ctx context.Context) []byte {
	author, _ := ctx.Value(authorKey{}).([]byte)
	return author
}
