package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// NewItem returns the item to be written for a document. Errors: BadRequest if its partition key is not the
// transaction's.
func (t *Transaction) NewItem(body doc.Value) (*Item, *wire.Error) {
	key, err := t.Definition.Key.FromDocument(body)
	if err != nil {
		return nil, wire.BadRequest("%s", err)
	}
	if !key.Equal(t.Key) {
		return nil, wire.BadRequest("Requests originating from scripts cannot reference partition keys other than the one for which client request was submitted.")
	}
	return NewItem(t.Definition, body)
}

// AssignRID assigns a rid to a new item before the commit, because scripts use resource ids. Scripts run without a
// latch, so Number can reserve more numbers at any time.
func (t *Transaction) AssignRID(i *Item) *wire.Error {
	if i.RID != 0 {
		return nil
	}
	if err := t.Container.Sequence.reserve(); err != nil {
		return t.Container.State.Internal(err)
	}
	_, rid, err := t.Container.Sequence.assign(0, 1, nil)
	if err != nil {
		return t.Container.State.Internal(err)
	}
	i.RID = rid
	return nil
}

// The item operations of requests, batches, bulk requests and scripts. Each is a method of the transaction that it runs
// in, which adds up the charges.

// Conditions are the If-Match and If-None-Match ETags of a request; empty: no condition, *: any ETag.
type Conditions struct{ Match, NoneMatch string }

// CheckMatch returns an error if etag does not satisfy If-Match.
func (w Conditions) CheckMatch(etag string) *wire.Error {
	if w.Match != "" && w.Match != "*" && w.Match != etag {
		return wire.PreconditionFailed()
	}
	return nil
}

// NotModified reports whether the client has the current version, by its ETag.
func (w Conditions) NotModified(etag string) bool {
	return w.NoneMatch != "" && (w.NoneMatch == etag || w.NoneMatch == "*")
}

// check checks an item against the conditions. They are met if there is no item: operations that need one check that
// themselves.
func (w Conditions) check(old *Item) *wire.Error {
	if w == (Conditions{}) || old == nil {
		return nil
	}
	etag := old.ETag.ETag()
	if w.Match != "" && w.Match != "*" && w.Match != etag || w.NoneMatch == "*" || w.NoneMatch == etag {
		return wire.PreconditionFailed()
	}
	return nil
}

// Create creates an item that must not exist yet.
func (t *Transaction) Create(item *Item) *wire.Error {
	old, err := t.Read(item.ID)
	if err != nil {
		return err
	}
	if old != nil {
		return wire.ItemExists()
	}
	t.Charge += ChargeWrite(item)
	return t.Put(item)
}

// Upsert creates an item, or replaces the existing one, which it returns.
func (t *Transaction) Upsert(item *Item, conditions Conditions) (old *Item, err *wire.Error) {
	if old, err = t.Read(item.ID); err != nil {
		return nil, err
	}
	if err := conditions.check(old); err != nil {
		return nil, err
	}
	if old == nil {
		t.Charge += ChargeWrite(item)
	} else {
		t.Charge += ChargeReplace(item)
	}
	return old, t.Put(item)
}

// ReadExisting returns the item with an id, which must exist and meet the conditions.
func (t *Transaction) ReadExisting(id string, conditions Conditions) (*Item, *wire.Error) {
	old, err := t.Read(id)
	if err != nil {
		return nil, err
	}
	if old == nil {
		return nil, wire.NotFound(id)
	}
	return old, conditions.check(old)
}

// Replace replaces the item with an id and returns the previous one. The new item may have another id that is not in
// use, under which it is found from then on, as in the service (item_validation_contracts.rs of the crate
// azure_data_cosmos, which runs against live accounts).
func (t *Transaction) Replace(id string, item *Item, conditions Conditions) (old *Item, err *wire.Error) {
	if old, err = t.ReadExisting(id, conditions); err != nil {
		return nil, err
	}
	t.Charge += ChargeReplace(item)
	if item.ID == id {
		return old, t.Put(item)
	}
	other, err := t.Read(item.ID)
	if err != nil {
		return nil, err
	}
	if other != nil {
		return nil, wire.ItemExists()
	}
	if err := t.remove(id); err != nil {
		return nil, err
	}
	return old, t.Put(item)
}

// Delete deletes the item with an id, which it returns.
func (t *Transaction) Delete(id string, conditions Conditions) (old *Item, err *wire.Error) {
	if old, err = t.ReadExisting(id, conditions); err != nil {
		return nil, err
	}
	t.Charge += ChargeWrite(t.withIndexingCharge(old))
	return old, t.remove(id)
}

// withIndexingCharge returns a copy of a stored item with the cost of its index entries.
func (t *Transaction) withIndexingCharge(old *Item) *Item {
	copied := *old
	if v, err := doc.Parse(old.Body); err == nil {
		copied.IndexingCharge = t.Definition.Indexing.WriteCharge(v)
	}
	return &copied
}
