package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Transaction is what one request does to one logical partition: all of it or nothing. What it reads has what it wrote.
// The partition is latched, so transactions on it run one after the other; that holds its unique keys too.
type Transaction struct {
	Ctx         context.Context // of the request
	Container   *Container
	Definition  *Definition
	Tx          *laggedTx
	Key         doc.PartitionKey
	EPK         doc.EPK
	Prefix      []byte // of the identities of its partition
	Now         int64  // in seconds since 1970
	Changes     []*Change
	ByID        map[string]*Change
	Independent bool           // its changes are none of one another's business: each has an LSN of its own
	LSN         uint64         // of all changes; where they are apart, of the last; 0: nothing was changed
	taken       uint64         // the first LSN that the sequence gave; 0: none
	Charge      float64        // of what was done, in request units
	log         *changelog.Log // of versions; nil: none are kept
	ticket      changelog.Ticket
	trims       int64 // when the versions that it wrote are no longer kept; 0: it wrote none
	due         int64 // when the first of what it wrote expires, in seconds since 1970; 0: nothing does
}

// Change is what becomes of one item.
type Change struct {
	ID     string
	stored *Item // what the store has, even where its life is over; nil: nothing
	old    *Item // what a reader sees of it; nil: nothing
	New    *Item // nil: nothing
	Dirty  bool
	lsn    uint64 // once numbers are taken
}

// Write runs fn in a transaction on a logical partition and commits what it did. An error of fn, and one of the commit
// such as a unique key that is taken, leaves everything as it was. The partition is latched while fn runs, so fn is to
// be short.
func (c *Container) Write(ctx context.Context, key doc.PartitionKey, fn func(*Transaction) *wire.Error) (*Transaction, *wire.Error) {
	for {
		t, err := c.tryWrite(ctx, key, fn)
		if !errors.Is(err, errUnlogged) {
			return t, c.State.Internal(err)
		}
	}
}

// tryWrite is write. It fails with errUnlogged, before fn, where the container keeps versions since just now.
func (c *Container) tryWrite(ctx context.Context, key doc.PartitionKey, fn func(*Transaction) *wire.Error) (*Transaction, error) {
	if err := c.Sequence.reserve(); err != nil {
		return nil, err
	}
	t := c.NewTransaction(ctx, key)
	if c.Definition.Load().Retention > 0 {
		t.beginLog()
	}
	defer t.end()
	err := c.State.Store.UpdateContext(ctx, store.Latch(t.Prefix).Within(c.Gate), func(tx *store.Tx) error {
		if err := t.start(tx); err != nil {
			return err
		}
		if t.Definition.Retention > 0 && t.log == nil {
			return errUnlogged
		}
		if err := fn(t); err != nil {
			return err
		}
		if err := t.commit(); err != nil {
			return err
		}
		t.Tx.announce()
		return nil
	})
	if err == nil {
		c.written(ctx, t)
	}
	return t, err
}

// WriteScripts is write for an fn that runs scripts, which may take seconds: it holds nobody up. fn runs on a snapshot
// and again from the beginning where somebody else wrote to the partition meanwhile, or changed the container's
// definition. Numbers are taken when fn is through, so readers of the change feed wait for no script.
func (c *Container) WriteScripts(ctx context.Context, key doc.PartitionKey, fn func(*Transaction) *wire.Error) (*Transaction, *wire.Error) {
	t := c.NewTransaction(ctx, key)
	latches := store.Latch(t.Prefix).Within(c.Gate)
	err := c.State.Store.UpdateOptimistic(ctx, latches, func(tx *store.Tx) error {
		t.end() // of a try that came to nothing
		t = c.NewTransaction(ctx, key)
		if err := t.start(tx); err != nil {
			return err
		}
		if err := fn(t); err != nil {
			return err
		}
		if err := c.Sequence.reserve(); err != nil {
			return err
		}
		if t.Definition.Retention > 0 {
			t.beginLog()
		}
		return t.commit()
	}, func(*store.Tx) error {
		t.Tx.announce()
		return nil
	})
	t.end()
	if err == nil {
		c.written(ctx, t)
	}
	return t, c.State.Internal(err)
}

// NewTransaction returns a transaction on a logical partition that has not begun.
func (c *Container) NewTransaction(ctx context.Context, key doc.PartitionKey) *Transaction {
	epk := c.Definition.Load().Key.EPK(key)
	return &Transaction{Ctx: ctx, Container: c, Key: key, EPK: epk, Prefix: c.PartitionPrefix(epk, key)}
}

// start begins the transaction in a state of the store.
func (t *Transaction) start(tx *store.Tx) error {
	if t.Container.Gone.Load() {
		return wire.OwnerNotFound()
	}
	t.Tx, t.Definition, t.Now = &laggedTx{Tx: tx, on: t.Container.State.News.Recording()}, t.Container.Definition.Load(), t.Container.State.Now().Unix()
	tx.OnCommit(t.count)
	return nil
}

// beginLog lets the transaction append to the log of versions, whose readers wait for it from now on.
func (t *Transaction) beginLog() {
	t.log = t.Container.Log
	t.ticket = t.log.Begin()
}

// end gives back what others wait for: once the transaction is committed and durable, or came to nothing.
func (t *Transaction) end() {
	t.ticket.End()
	if t.taken != 0 {
		t.Container.Sequence.done(t.taken)
	}
	t.ticket, t.taken = changelog.Ticket{}, 0
}

// written does what follows a transaction that was committed.
func (c *Container) written(ctx context.Context, t *Transaction) {
	c.State.Expiry.Notice(t.due)
	c.State.trimming.Notice(t.trims)
	if problem := c.splitFull(ctx, t.EPK); problem != nil && ctx.Err() == nil { // what was written is there all the same
		c.State.Log.Error("Cosmos DB: a full partition cannot be split", "error", problem)
	}
}

// Internal is Call.Internal where there is no call.
func (s *State) Internal(err error) *wire.Error {
	if err == nil {
		return nil
	}
	var own *wire.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, store.ErrConflict):
		return wire.RetryWith()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded): // nobody reads the answer
		return wire.Unavailable()
	}
	if text, ok := store.Unavailable(err); ok { // which is logged where it happens
		return wire.StorageUnavailable(text)
	}
	s.Log.Error("Cosmos DB: something failed for a reason of the emulator's own", "error", err)
	return wire.InternalError()
}

// Read is the item of an id; nil where there is none.
func (t *Transaction) Read(id string) (*Item, *wire.Error) {
	one, err := t.find(id)
	if err != nil {
		return nil, t.Container.State.Internal(err)
	}
	return one.New, nil
}

// Put makes an item what is there under its id, unless a unique key of it is taken. Its rid and lsn are given at the
// commit; its time and etag here.
func (t *Transaction) Put(i *Item) *wire.Error {
	one, err := t.find(i.ID)
	if err != nil {
		return t.Container.State.Internal(err)
	}
	if err := checkKeyValues(t.Key); err != nil {
		return err
	}
	if err := t.checkUnique(i); err != nil {
		return err
	}
	i.EPK, i.Timestamp, i.ETag = t.EPK, t.Now, t.Container.State.Random.GUID()
	if one.New != nil {
		i.RID = one.New.RID
	}
	one.New, one.Dirty = i, true
	return nil
}

// Save is what a transaction has come to: its changes, to go back to.
func (t *Transaction) Save() []Change {
	saved := make([]Change, len(t.Changes))
	for i, one := range t.Changes {
		saved[i] = *one
	}
	return saved
}

// Restore goes back to what save gave.
func (t *Transaction) Restore(saved []Change) {
	for i, one := range t.Changes {
		if i < len(saved) {
			*one = saved[i]
		} else {
			one.New, one.Dirty = one.old, false
		}
	}
}

// remove removes the item of an id, which is to be there.
func (t *Transaction) remove(id string) *wire.Error {
	one, err := t.find(id)
	if err != nil {
		return t.Container.State.Internal(err)
	}
	one.New, one.Dirty = nil, true
	return nil
}

// find is what becomes of the item of an id.
func (t *Transaction) find(id string) (*Change, error) {
	if one := t.ByID[id]; one != nil {
		return one, nil
	}
	stored, err := t.Container.stored(&t.Tx.Reader, t.identity(id))
	if err != nil {
		return nil, err
	}
	one := &Change{ID: id, stored: stored}
	if stored != nil && !stored.Expired(t.Definition.DefaultTTL, t.Now) {
		one.old, one.New = stored, stored
	}
	if t.ByID == nil {
		t.ByID = map[string]*Change{}
	}
	t.ByID[id] = one
	t.Changes = append(t.Changes, one)
	return one, nil
}

// identity is the key of an item's identity.
func (t *Transaction) identity(id string) []byte {
	return append(t.Prefix[:len(t.Prefix):len(t.Prefix)], id...)
}

// changed reports whether a change is one of the store.
func (one *Change) changed() bool { return one.Dirty && (one.stored != nil || one.New != nil) }

// commit writes what changed.
func (t *Transaction) commit() error {
	if err := t.take(); err != nil || t.LSN == 0 {
		return err
	}
	if err := t.writeUnique(); err != nil {
		return err
	}
	for _, one := range t.Changes {
		if one.changed() {
			if err := t.apply(one); err != nil {
				return err
			}
		}
	}
	return t.keepVersions()
}

// take takes the numbers of what changed, and gives each new item its own.
func (t *Transaction) take() error {
	changed, made := 0, 0
	for _, one := range t.Changes {
		if one.changed() {
			changed++
			if one.New != nil && one.New.RID == 0 {
				made++
			}
		}
	}
	if changed == 0 {
		return nil
	}
	n := 1
	if t.Independent {
		n = changed
	}
	lsn, rid, err := t.Container.Sequence.take(n, made, func() { t.Tx.reserve(t.Container.State.News, t.Container) })
	if err != nil {
		return err
	}
	t.taken, t.LSN = lsn, lsn+uint64(n-1)
	for _, one := range t.Changes {
		if !one.changed() {
			continue
		}
		if one.lsn = lsn; t.Independent {
			lsn++
		}
		if one.New == nil {
			continue
		}
		one.New.LSN, one.New.shared = one.lsn, changed > n
		if one.New.RID == 0 {
			one.New.RID = rid
			rid++
		}
	}
	return nil
}

// apply writes one change.
func (t *Transaction) apply(one *Change) error {
	if one.stored != nil {
		if err := t.Tx.Delete(t.Container.latestKey(one.stored)); err != nil {
			return err
		}
		if one.New == nil || one.New.RID != one.stored.RID {
			if err := t.Tx.Delete(t.Container.ItemKey(one.stored.RID)); err != nil {
				return err
			}
		}
	}
	if one.New == nil {
		if err := t.Tx.Delete(t.identity(one.ID)); err != nil {
			return err
		}
	} else if err := t.set(one); err != nil {
		return err
	}
	if err := t.updateExpiry(one); err != nil {
		return err
	}
	return t.indexChange(one)
}

// set writes an item that is new, or that replaces another.
func (t *Transaction) set(one *Change) error {
	i := one.New
	rid := binary.BigEndian.AppendUint64(nil, i.RID)
	if err := t.Tx.Set(t.Container.ItemKey(i.RID), i.appendTo(make([]byte, 0, itemHeader+len(i.EPK)+len(i.ID)+len(i.Body)))); err != nil {
		return err
	}
	if one.stored == nil || one.stored.RID != i.RID {
		if err := t.Tx.Set(t.identity(one.ID), rid); err != nil {
			return err
		}
	}
	return t.Tx.Append(t.Container.latestKey(i), rid)
}

// AppendInt appends a number in decimal.
func AppendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }

// Clear removes items of the partition, some at once; more says that there may be others.
func (t *Transaction) Clear(some int) (more bool, err *wire.Error) {
	ids, problem := t.Container.idsOf(&t.Tx.Reader, t.Prefix, some)
	if problem != nil {
		return false, t.Container.State.Internal(problem)
	}
	for _, id := range ids {
		one, problem := t.find(id)
		if problem != nil {
			return false, t.Container.State.Internal(problem)
		}
		one.New, one.Dirty = nil, true
	}
	return len(ids) == some, nil
}
