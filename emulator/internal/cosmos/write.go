package cosmos

import (
	"context"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// What requests, batches, bulks and scripts do to items, each as a method of the transaction in which it is done, which counts
// what it costs.

// conditions are etags that a write asks of the item that is there; empty: it asks nothing, *: any.
type conditions struct{ match, noneMatch string }

// conditions are those of the request's headers.
func (c *call) conditions() conditions {
	return conditions{match: c.header("If-Match"), noneMatch: c.header("If-None-Match")}
}

// check holds the item that is there to the conditions. Where there is none, they are met: what needs an item says so itself.
func (w conditions) check(old *item) *Error {
	if w == (conditions{}) || old == nil {
		return nil
	}
	etag := old.etag.ETag()
	if w.match != "" && w.match != "*" && w.match != etag || w.noneMatch == "*" || w.noneMatch == etag {
		return preconditionFailed()
	}
	return nil
}

// create makes an item that is not there yet.
func (t *transaction) create(made *item) *Error {
	old, err := t.read(made.id)
	if err != nil {
		return err
	}
	if old != nil {
		return itemExists()
	}
	t.charge += chargeWrite(made)
	return t.put(made)
}

// upsert makes an item, or replaces the one that is there, which it returns.
func (t *transaction) upsert(made *item, want conditions) (old *item, err *Error) {
	if old, err = t.read(made.id); err != nil {
		return nil, err
	}
	if err := want.check(old); err != nil {
		return nil, err
	}
	if old == nil {
		t.charge += chargeWrite(made)
	} else {
		t.charge += chargeReplace(made)
	}
	return old, t.put(made)
}

// existing is the item of an id, which has to be there and as the conditions want it.
func (t *transaction) existing(id string, want conditions) (*item, *Error) {
	old, err := t.read(id)
	if err != nil {
		return nil, err
	}
	if old == nil {
		return nil, notFound(id)
	}
	return old, want.check(old)
}

// replace replaces the item of an id, and returns it as it was. The new one may have another id, which is not taken: the item
// is then found under that, as on the service (item_validation_contracts.rs of the crate azure_data_cosmos, which runs
// against live accounts).
func (t *transaction) replace(id string, made *item, want conditions) (old *item, err *Error) {
	if old, err = t.existing(id, want); err != nil {
		return nil, err
	}
	t.charge += chargeReplace(made)
	if made.id == id {
		return old, t.put(made)
	}
	other, err := t.read(made.id)
	if err != nil {
		return nil, err
	}
	if other != nil {
		return nil, itemExists()
	}
	if err := t.remove(id); err != nil {
		return nil, err
	}
	return old, t.put(made)
}

// delete removes the item of an id, and returns it.
func (t *transaction) delete(id string, want conditions) (old *item, err *Error) {
	if old, err = t.existing(id, want); err != nil {
		return nil, err
	}
	t.charge += chargeWrite(t.weighed(old))
	return old, t.remove(id)
}

// weighed is an item of the store with what its index entries cost.
func (t *transaction) weighed(old *item) *item {
	one := *old
	if v, err := doc.Parse(old.body); err == nil {
		one.indexing = t.definition.indexing.indexCharge(v)
	}
	return &one
}

// readItemToWrite is the item of a document that the request is to write, of the partition key that is returned with it.
func (c *call) readItemToWrite(v doc.Value) (*item, doc.PartitionKey, *Error) {
	key, err := c.keyOf(v)
	if err != nil {
		return nil, nil, err
	}
	def := c.container.definition.Load()
	made, err := newItem(def, v)
	if err != nil {
		return nil, nil, err
	}
	return made, key, c.applyIndexingDirective(made, def.indexing)
}

// applyIndexingDirective does what x-ms-indexing-directive says: an item that is not to be indexed is not charged for it. Queries find it all
// the same; on the service, those that go by an index alone may not.
func (c *call) applyIndexingDirective(made *item, x *Policy) *Error {
	switch directive := c.header("X-Ms-Indexing-Directive"); {
	case strings.EqualFold(directive, "Exclude"), !x.automatic && !strings.EqualFold(directive, "Include"):
		made.indexing = 0
	case directive != "" && !oneOf(directive, "Default", "Include"):
		return invalidInput("The indexing directive %q is none of Default, Include and Exclude.", directive)
	}
	return nil
}

// transact runs fn in a transaction on a logical partition, as container.write does. An error's answer too says how far the
// partition has come.
func (c *call) transact(key doc.PartitionKey, fn func(*transaction) *Error) (*transaction, *Error) {
	return c.transactBy(c.container.write, key, fn)
}

// transactScripts is transact for an fn that runs scripts, as container.writeScripts does.
func (c *call) transactScripts(key doc.PartitionKey, fn func(*transaction) *Error) (*transaction, *Error) {
	return c.transactBy(c.container.writeScripts, key, fn)
}

// writer is container.write or container.writeScripts.
type writer func(context.Context, doc.PartitionKey, func(*transaction) *Error) (*transaction, *Error)

func (c *call) transactBy(write writer, key doc.PartitionKey, fn func(*transaction) *Error) (*transaction, *Error) {
	if err := c.admit(c.container.definition.Load().key.EPK(key)); err != nil {
		return nil, err
	}
	t, err := write(c.ctx, key, fn)
	if t != nil {
		c.charge = max(t.charge, chargeRead(0))
	}
	if err != nil {
		if t != nil {
			c.setPartitionHeaders(t.epk, c.container.sequence.floor())
		}
	}
	return t, err
}

// replyWritten answers a write of an item.
func (c *call) replyWritten(status int, t *transaction, i *item) {
	c.setItemHeaders(i, t.lsn)
	c.replyItem(status, i)
}
