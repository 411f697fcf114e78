package engine

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// Transaction is one request's reads and writes of one logical partition, all or nothing. Reads see the transaction's
// own writes. The partition is latched, so its transactions run one after the other, which also makes checks of unique
// keys safe.
type Transaction struct {
	Ctx            context.Context // of the request
	Container      *Container
	Definition     *Definition
	Tx             *laggedTx
	Key            doc.PartitionKey
	EPK            doc.EPK
	IdentityPrefix []byte // of the keys of the partition's identities
	Now            int64  // in Unix seconds
	Changes        []*Change
	byID           map[string]*Change // of Changes; nil: there are few
	Independent    bool               // the changes are independent of one another: each has its own LSN
	LSN            uint64             // of all changes; if they are independent, of the last one; 0: nothing changed
	firstLSN       uint64             // the first LSN taken from the sequence; 0: none
	Charge         float64            // of the operations so far, in request units
	log            *changelog.Log     // of versions; nil: none are kept
	ticket         changelog.Ticket
	historyTicket  changelog.Ticket // of the container's History
	trimDue        int64            // when the versions that it wrote may be trimmed, in Unix seconds; 0: it wrote none
	expiryDue      int64            // when the first item that it wrote expires, in Unix seconds; 0: none expires
}

// Change is the change of one item.
type Change struct {
	ID     string
	stored *Item // the stored item, even if it has expired; nil: none
	old    *Item // the item as a reader sees it before the change; nil: none
	New    *Item // the item after the change; nil: none
	Dirty  bool
	lsn    uint64 // assigned on commit
}

// NewTransaction returns a transaction on a logical partition; start begins it.
func (c *Container) NewTransaction(ctx context.Context, key doc.PartitionKey) *Transaction {
	epk := c.Definition.Load().Key.EPK(key)
	return &Transaction{Ctx: ctx, Container: c, Key: key, EPK: epk, IdentityPrefix: c.IdentityPrefix(epk, key)}
}

// Read returns the item with an id, or nil.
func (t *Transaction) Read(id string) (*Item, *wire.Error) {
	change, err := t.changeOf(id)
	if err != nil {
		return nil, t.Container.State.Internal(err)
	}
	return change.New, nil
}

// Savepoint returns a savepoint for RollbackTo.
func (t *Transaction) Savepoint() []Change {
	saved := make([]Change, len(t.Changes))
	for i, change := range t.Changes {
		saved[i] = *change
	}
	return saved
}

// RollbackTo rolls the changes back to a savepoint.
func (t *Transaction) RollbackTo(saved []Change) {
	for i, change := range t.Changes {
		if i < len(saved) {
			*change = saved[i]
		} else {
			change.New, change.Dirty = change.old, false
		}
	}
}

// changeOf returns the change of the item with an id, which it reads from the store the first time.
func (t *Transaction) changeOf(id string) (*Change, error) {
	if change := t.Change(id); change != nil {
		return change, nil
	}
	stored, err := t.Container.readStored(&t.Tx.Reader, t.identity(id))
	if err != nil {
		return nil, err
	}
	change := &Change{ID: id, stored: stored}
	if stored != nil && !stored.Expired(t.Definition.DefaultTTL, t.Now) {
		change.old, change.New = stored, stored
	}
	t.Changes = append(t.Changes, change)
	t.indexChanges()
	return change, nil
}

// fewChanges is the number of changes up to which they are found without a map.
const fewChanges = 4

// Change returns the change of the item with an id; nil if the transaction has not read the item.
func (t *Transaction) Change(id string) *Change {
	if t.byID != nil {
		return t.byID[id]
	}
	for _, change := range t.Changes {
		if change.ID == id {
			return change
		}
	}
	return nil
}

// indexChanges adds the last change to the map, which it makes when there are no longer few.
func (t *Transaction) indexChanges() {
	if t.byID != nil {
		last := t.Changes[len(t.Changes)-1]
		t.byID[last.ID] = last
		return
	}
	if len(t.Changes) > fewChanges {
		t.byID = make(map[string]*Change, 2*len(t.Changes))
		for _, change := range t.Changes {
			t.byID[change.ID] = change
		}
	}
}

// identity returns the key that holds the rid of an item.
func (t *Transaction) identity(id string) []byte {
	return append(t.IdentityPrefix[:len(t.IdentityPrefix):len(t.IdentityPrefix)], id...)
}

// changed reports whether the change modifies the store.
func (c *Change) changed() bool { return c.Dirty && (c.stored != nil || c.New != nil) }
