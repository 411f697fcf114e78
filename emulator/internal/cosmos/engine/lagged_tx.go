package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// laggedTx is a store transaction that records the previous values of the keys it writes. Replicas show these until the
// write reaches them.
type laggedTx struct {
	*store.Tx
	previous []lag.Image
	pending  *lag.Write // the write that replicas receive later; nil until the LSN is assigned, and if replicas do not lag
	enabled  bool
}

// Set overrides store.Tx.
func (t *laggedTx) Set(key, value []byte) error {
	if err := t.recordPrevious(key); err != nil {
		return err
	}
	return t.Tx.Set(key, value)
}

// Append overrides store.Tx. An appended key had no previous value.
func (t *laggedTx) Append(key, value []byte) error {
	if t.enabled {
		t.previous = append(t.previous, lag.Image{Key: key})
	}
	return t.Tx.Append(key, value)
}

// Delete overrides store.Tx.
func (t *laggedTx) Delete(key []byte) error {
	if err := t.recordPrevious(key); err != nil {
		return err
	}
	return t.Tx.Delete(key)
}

func (t *laggedTx) recordPrevious(key []byte) error {
	if !t.enabled {
		return nil
	}
	previous := lag.Image{Key: key}
	it := t.Iter(key, append(key[:len(key):len(key)], 0), false) // Get does not find appended keys
	defer it.Close()
	if it.Next() {
		previous.Found, previous.Value = true, append([]byte(nil), it.Value()...)
	}
	t.previous = append(t.previous, previous)
	return it.Close()
}

// reserveOrder fixes the transaction's position in the order in which replicas receive writes. It is the order of LSNs,
// because a replica that shows an LSN shows all lower ones.
func (t *laggedTx) reserveOrder(overlay *lag.Overlay, c *Container) {
	if t.enabled {
		t.pending = overlay.Reserve(t.Tx, lag.Table, ContainerPrefix(c.Number))
	}
}

// publish passes the transaction's writes on to the replicas of the container, which show them after their lag.
func (t *laggedTx) publish() {
	if t.pending != nil && len(t.previous) > 0 {
		t.pending.Record(t.previous...)
	}
}
