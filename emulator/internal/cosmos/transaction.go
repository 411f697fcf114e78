package cosmos

import (
	"context"
	"encoding/binary"
	"errors"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// transaction is what one request does to one logical partition: all of it or nothing. What it reads has what it wrote. The
// partition is latched, so transactions on it run one after the other; that holds its unique keys too.
type transaction struct {
	ctx         context.Context // of the request
	container   *container
	definition  *definition
	tx          *laggedTx
	key         doc.PartitionKey
	epk         doc.EPK
	prefix      []byte // of the identities of its partition
	now         int64  // in seconds since 1970
	changes     []*change
	byID        map[string]*change
	independent bool           // its changes are none of one another's business: each has an LSN of its own
	lsn         uint64         // of all changes; where they are apart, of the last; 0: nothing was changed
	taken       uint64         // the first LSN that the sequence gave; 0: none
	charge      float64        // of what was done, in request units
	log         *changelog.Log // of versions; nil: none are kept
	ticket      changelog.Ticket
	trims       int64 // when the versions that it wrote are no longer kept; 0: it wrote none
	due         int64 // when the first of what it wrote expires, in seconds since 1970; 0: nothing does
}

// change is what becomes of one item.
type change struct {
	id     string
	stored *item // what the store has, even where its life is over; nil: nothing
	old    *item // what a reader sees of it; nil: nothing
	new    *item // nil: nothing
	dirty  bool
	lsn    uint64 // once numbers are taken
}

// write runs fn in a transaction on a logical partition and commits what it did. An error of fn, and one of the commit such
// as a unique key that is taken, leaves everything as it was. The partition is latched while fn runs, so fn is to be short.
func (c *container) write(ctx context.Context, key doc.PartitionKey, fn func(*transaction) *Error) (*transaction, *Error) {
	for {
		t, err := c.tryWrite(ctx, key, fn)
		if !errors.Is(err, errUnlogged) {
			return t, c.state.internal(err)
		}
	}
}

// tryWrite is write. It fails with errUnlogged, before fn, where the container keeps versions since just now.
func (c *container) tryWrite(ctx context.Context, key doc.PartitionKey, fn func(*transaction) *Error) (*transaction, error) {
	if err := c.sequence.reserve(); err != nil {
		return nil, err
	}
	t := c.newTransaction(ctx, key)
	if c.definition.Load().retention > 0 {
		t.beginLog()
	}
	defer t.end()
	err := c.state.store.UpdateContext(ctx, store.Latch(t.prefix).Within(c.gate), func(tx *store.Tx) error {
		if err := t.start(tx); err != nil {
			return err
		}
		if t.definition.retention > 0 && t.log == nil {
			return errUnlogged
		}
		if err := fn(t); err != nil {
			return err
		}
		if err := t.commit(); err != nil {
			return err
		}
		t.tx.announce()
		return nil
	})
	if err == nil {
		c.written(ctx, t)
	}
	return t, err
}

// writeScripts is write for an fn that runs scripts, which may take seconds: it holds nobody up. fn runs on a snapshot and
// again from the beginning where somebody else wrote to the partition meanwhile, or changed the container's definition. Numbers
// are taken when fn is through, so readers of the change feed wait for no script.
func (c *container) writeScripts(ctx context.Context, key doc.PartitionKey, fn func(*transaction) *Error) (*transaction, *Error) {
	t := c.newTransaction(ctx, key)
	latches := store.Latch(t.prefix).Within(c.gate)
	err := c.state.store.UpdateOptimistic(ctx, latches, func(tx *store.Tx) error {
		t.end() // of a try that came to nothing
		t = c.newTransaction(ctx, key)
		if err := t.start(tx); err != nil {
			return err
		}
		if err := fn(t); err != nil {
			return err
		}
		if err := c.sequence.reserve(); err != nil {
			return err
		}
		if t.definition.retention > 0 {
			t.beginLog()
		}
		return t.commit()
	}, func(*store.Tx) error {
		t.tx.announce()
		return nil
	})
	t.end()
	if err == nil {
		c.written(ctx, t)
	}
	return t, c.state.internal(err)
}

func (c *container) newTransaction(ctx context.Context, key doc.PartitionKey) *transaction {
	epk := c.definition.Load().key.EPK(key)
	return &transaction{ctx: ctx, container: c, key: key, epk: epk, prefix: c.partitionPrefix(epk, key)}
}

// start begins the transaction in a state of the store.
func (t *transaction) start(tx *store.Tx) error {
	if t.container.gone.Load() {
		return ownerNotFound()
	}
	t.tx, t.definition, t.now = &laggedTx{Tx: tx, on: t.container.state.news.Recording()}, t.container.definition.Load(), t.container.state.now().Unix()
	tx.OnCommit(t.count)
	return nil
}

// beginLog lets the transaction append to the log of versions, whose readers wait for it from now on.
func (t *transaction) beginLog() {
	t.log = t.container.log
	t.ticket = t.log.Begin()
}

// end gives back what others wait for: once the transaction is committed and durable, or came to nothing.
func (t *transaction) end() {
	t.ticket.End()
	if t.taken != 0 {
		t.container.sequence.done(t.taken)
	}
	t.ticket, t.taken = changelog.Ticket{}, 0
}

// written does what follows a transaction that was committed.
func (c *container) written(ctx context.Context, t *transaction) {
	c.state.expiry.Notice(t.due)
	c.state.trimming.Notice(t.trims)
	if problem := c.splitFull(ctx, t.epk); problem != nil && ctx.Err() == nil { // what was written is there all the same
		c.state.log.Error("Cosmos DB: a full partition cannot be split", "error", problem)
	}
}

// internal is call.internal where there is no call.
func (s *state) internal(err error) *Error {
	if err == nil {
		return nil
	}
	var own *Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, store.ErrConflict):
		return retryWith()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded): // nobody reads the answer
		return unavailable()
	}
	if text, ok := store.Unavailable(err); ok { // which is logged where it happens
		return storageUnavailable(text)
	}
	s.log.Error("Cosmos DB: something failed for a reason of the emulator's own", "error", err)
	return internalError()
}

// read is the item of an id; nil where there is none.
func (t *transaction) read(id string) (*item, *Error) {
	one, err := t.find(id)
	if err != nil {
		return nil, t.container.state.internal(err)
	}
	return one.new, nil
}

// put makes an item what is there under its id, unless a unique key of it is taken. Its rid and lsn are given at the commit;
// its time and etag here.
func (t *transaction) put(i *item) *Error {
	one, err := t.find(i.id)
	if err != nil {
		return t.container.state.internal(err)
	}
	if err := checkKeyValues(t.key); err != nil {
		return err
	}
	if err := t.checkUnique(i); err != nil {
		return err
	}
	i.epk, i.ts, i.etag = t.epk, t.now, t.container.state.random.GUID()
	if one.new != nil {
		i.rid = one.new.rid
	}
	one.new, one.dirty = i, true
	return nil
}

// save is what a transaction has come to: its changes, to go back to.
func (t *transaction) save() []change {
	saved := make([]change, len(t.changes))
	for i, one := range t.changes {
		saved[i] = *one
	}
	return saved
}

// restore goes back to what save gave.
func (t *transaction) restore(saved []change) {
	for i, one := range t.changes {
		if i < len(saved) {
			*one = saved[i]
		} else {
			one.new, one.dirty = one.old, false
		}
	}
}

// remove removes the item of an id, which is to be there.
func (t *transaction) remove(id string) *Error {
	one, err := t.find(id)
	if err != nil {
		return t.container.state.internal(err)
	}
	one.new, one.dirty = nil, true
	return nil
}

// find is what becomes of the item of an id.
func (t *transaction) find(id string) (*change, error) {
	if one := t.byID[id]; one != nil {
		return one, nil
	}
	stored, err := t.container.stored(&t.tx.Reader, t.identity(id))
	if err != nil {
		return nil, err
	}
	one := &change{id: id, stored: stored}
	if stored != nil && !stored.expired(t.definition.defaultTTL, t.now) {
		one.old, one.new = stored, stored
	}
	if t.byID == nil {
		t.byID = map[string]*change{}
	}
	t.byID[id] = one
	t.changes = append(t.changes, one)
	return one, nil
}

// identity is the key of an item's identity.
func (t *transaction) identity(id string) []byte {
	return append(t.prefix[:len(t.prefix):len(t.prefix)], id...)
}

// changed says that a change is one of the store.
func (one *change) changed() bool { return one.dirty && (one.stored != nil || one.new != nil) }

// commit writes what changed.
func (t *transaction) commit() error {
	if err := t.take(); err != nil || t.lsn == 0 {
		return err
	}
	if err := t.writeUnique(); err != nil {
		return err
	}
	for _, one := range t.changes {
		if one.changed() {
			if err := t.apply(one); err != nil {
				return err
			}
		}
	}
	return t.keepVersions()
}

// take takes the numbers of what changed, and gives each new item its own.
func (t *transaction) take() error {
	changed, made := 0, 0
	for _, one := range t.changes {
		if one.changed() {
			changed++
			if one.new != nil && one.new.rid == 0 {
				made++
			}
		}
	}
	if changed == 0 {
		return nil
	}
	n := 1
	if t.independent {
		n = changed
	}
	lsn, rid, err := t.container.sequence.take(n, made, func() { t.tx.reserve(t.container.state.news, t.container) })
	if err != nil {
		return err
	}
	t.taken, t.lsn = lsn, lsn+uint64(n-1)
	for _, one := range t.changes {
		if !one.changed() {
			continue
		}
		if one.lsn = lsn; t.independent {
			lsn++
		}
		if one.new == nil {
			continue
		}
		one.new.lsn, one.new.shared = one.lsn, changed > n
		if one.new.rid == 0 {
			one.new.rid = rid
			rid++
		}
	}
	return nil
}

// apply writes one change.
func (t *transaction) apply(one *change) error {
	if one.stored != nil {
		if err := t.tx.Delete(t.container.latestKey(one.stored)); err != nil {
			return err
		}
		if one.new == nil || one.new.rid != one.stored.rid {
			if err := t.tx.Delete(t.container.itemKey(one.stored.rid)); err != nil {
				return err
			}
		}
	}
	if one.new == nil {
		if err := t.tx.Delete(t.identity(one.id)); err != nil {
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

// set writes an item that is new, or in another's place.
func (t *transaction) set(one *change) error {
	i := one.new
	rid := binary.BigEndian.AppendUint64(nil, i.rid)
	if err := t.tx.Set(t.container.itemKey(i.rid), i.appendTo(make([]byte, 0, itemHeader+len(i.epk)+len(i.id)+len(i.body)))); err != nil {
		return err
	}
	if one.stored == nil || one.stored.rid != i.rid {
		if err := t.tx.Set(t.identity(one.id), rid); err != nil {
			return err
		}
	}
	return t.tx.Append(t.container.latestKey(i), rid)
}

func appendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }

// clear removes items of the partition, some at once; more says that there may be others.
func (t *transaction) clear(some int) (more bool, err *Error) {
	ids, problem := t.container.idsOf(&t.tx.Reader, t.prefix, some)
	if problem != nil {
		return false, t.container.state.internal(problem)
	}
	for _, id := range ids {
		one, problem := t.find(id)
		if problem != nil {
			return false, t.container.state.internal(problem)
		}
		one.new, one.dirty = nil, true
	}
	return len(ids) == some, nil
}
