package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// laggedTx is a store's transaction that remembers what the keys held which it writes, for replicas to show until they
// hear of it.
type laggedTx struct {
	*store.Tx
	was   []lag.Image
	write *lag.Write // what announces them; nil until numbers are taken, and where nothing is announced
	on    bool
}

// Set implements store.Tx.
func (t *laggedTx) Set(key, value []byte) error {
	if err := t.remember(key); err != nil {
		return err
	}
	return t.Tx.Set(key, value)
}

// Append implements store.Tx. What a log's key held is nothing.
func (t *laggedTx) Append(key, value []byte) error {
	if t.on {
		t.was = append(t.was, lag.Image{Key: key})
	}
	return t.Tx.Append(key, value)
}

// Delete implements store.Tx.
func (t *laggedTx) Delete(key []byte) error {
	if err := t.remember(key); err != nil {
		return err
	}
	return t.Tx.Delete(key)
}

func (t *laggedTx) remember(key []byte) error {
	if !t.on {
		return nil
	}
	was := lag.Image{Key: key}
	it := t.Iter(key, append(key[:len(key):len(key)], 0), false) // for Get does not find what was appended
	defer it.Close()
	if it.Next() {
		was.Found, was.Value = true, append([]byte(nil), it.Value()...)
	}
	t.was = append(t.was, was)
	return it.Close()
}

// reserve gives the transaction its place among those that replicas show, one after the other: that of its LSN, for a
// replica that shows an LSN shows all before it.
func (t *laggedTx) reserve(overlay *lag.Overlay, c *Container) {
	if t.on {
		t.write = overlay.Reserve(t.Tx, lag.Table, ContainerPrefix(c.Number))
	}
}

// announce lets the replicas of a container show what the transaction writes in their time.
func (t *laggedTx) announce() {
	if t.write != nil && len(t.was) > 0 {
		t.write.Record(t.was...)
	}
}
