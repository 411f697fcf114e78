package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// Item is the item of a document that is to be written in the transaction.
func (t *Transaction) Item(body doc.Value) (*Item, *wire.Error) {
	key, err := t.Definition.Key.Of(body)
	if err != nil {
		return nil, wire.BadRequest("%s", err)
	}
	if !key.Equal(t.Key) {
		return nil, wire.BadRequest("Requests originating from scripts cannot reference partition keys other than the one for which client request was submitted.")
	}
	return NewItem(t.Definition, body)
}

// Number gives an item that is new its number before the commit: scripts go by resource ids. No latch is held while
// they run, so numbers can be had for as many as there are.
func (t *Transaction) Number(i *Item) *wire.Error {
	if i.RID != 0 {
		return nil
	}
	if err := t.Container.Sequence.reserve(); err != nil {
		return t.Container.State.Internal(err)
	}
	_, rid, err := t.Container.Sequence.take(0, 1, nil)
	if err != nil {
		return t.Container.State.Internal(err)
	}
	i.RID = rid
	return nil
}

// What requests, batches, bulks and scripts do to items, each as a method of the transaction in which it is done, which
// counts what it costs.

// conditions are etags that a write asks of the item that is there; empty: it asks nothing, *: any.
type Conditions struct{ Match, NoneMatch string }

// CheckMatch refuses an etag that is not the one that the write asks for.
func (w Conditions) CheckMatch(etag string) *wire.Error {
	if w.Match != "" && w.Match != "*" && w.Match != etag {
		return wire.PreconditionFailed()
	}
	return nil
}

// Unchanged reports whether the client has what there is, by its etag.
func (w Conditions) Unchanged(etag string) bool {
	return w.NoneMatch != "" && (w.NoneMatch == etag || w.NoneMatch == "*")
}

// check holds the item that is there to the conditions. Where there is none, they are met: what needs an item says so
// itself.
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

// Create makes an item that is not there yet.
func (t *Transaction) Create(made *Item) *wire.Error {
	old, err := t.Read(made.ID)
	if err != nil {
		return err
	}
	if old != nil {
		return wire.ItemExists()
	}
	t.Charge += ChargeWrite(made)
	return t.Put(made)
}

// Upsert makes an item, or replaces the one that is there, which it returns.
func (t *Transaction) Upsert(made *Item, want Conditions) (old *Item, err *wire.Error) {
	if old, err = t.Read(made.ID); err != nil {
		return nil, err
	}
	if err := want.check(old); err != nil {
		return nil, err
	}
	if old == nil {
		t.Charge += ChargeWrite(made)
	} else {
		t.Charge += ChargeReplace(made)
	}
	return old, t.Put(made)
}

// Existing is the item of an id, which has to be there and as the conditions want it.
func (t *Transaction) Existing(id string, want Conditions) (*Item, *wire.Error) {
	old, err := t.Read(id)
	if err != nil {
		return nil, err
	}
	if old == nil {
		return nil, wire.NotFound(id)
	}
	return old, want.check(old)
}

// Replace replaces the item of an id, and returns it as it was. The new one may have another id, which is not taken:
// the item is then found under that, as on the service (item_validation_contracts.rs of the crate azure_data_cosmos,
// which runs against live accounts).
func (t *Transaction) Replace(id string, made *Item, want Conditions) (old *Item, err *wire.Error) {
	if old, err = t.Existing(id, want); err != nil {
		return nil, err
	}
	t.Charge += ChargeReplace(made)
	if made.ID == id {
		return old, t.Put(made)
	}
	other, err := t.Read(made.ID)
	if err != nil {
		return nil, err
	}
	if other != nil {
		return nil, wire.ItemExists()
	}
	if err := t.remove(id); err != nil {
		return nil, err
	}
	return old, t.Put(made)
}

// Delete removes the item of an id, and returns it.
func (t *Transaction) Delete(id string, want Conditions) (old *Item, err *wire.Error) {
	if old, err = t.Existing(id, want); err != nil {
		return nil, err
	}
	t.Charge += ChargeWrite(t.weighed(old))
	return old, t.remove(id)
}

// weighed is an item of the store with what its index entries cost.
func (t *Transaction) weighed(old *Item) *Item {
	one := *old
	if v, err := doc.Parse(old.Body); err == nil {
		one.Indexing = t.Definition.Indexing.WriteCharge(v)
	}
	return &one
}
