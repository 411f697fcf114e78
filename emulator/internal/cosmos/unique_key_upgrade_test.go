package cosmos

import (
	"bytes"
	"crypto/sha256"
	"net/http"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// uniqueEntriesOf returns the prefix of the unique key entries of a partition, and the entries.
func (d *testService) uniqueEntriesOf(t *testing.T, key string) (prefix []byte, entries [][]byte) {
	t.Helper()
	c, pk := d.Catalog.Container("db", "c"), doc.PartitionKey{doc.String(key)}
	prefix = c.IdentityPrefix(c.Definition.Load().Key.EPK(pk), pk)
	prefix[len(c.Key(keyspace.ContainerUniqueKey, 0))-1] = keyspace.ContainerUniqueKey
	if err := d.store.View(func(r *store.Reader) error {
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		for it.Next() {
			entries = append(entries, bytes.Clone(it.Key()))
		}
		return it.Close()
	}); err != nil {
		t.Fatal(err)
	}
	return prefix, entries
}

// TestUniqueKeysOfOlderVersionsAreFound replaces the entry of an item by the one that an earlier version stored: the
// hash of all digits of an integer beyond 2^53.
func TestUniqueKeysOfOlderVersionsAreFound(t *testing.T) {
	t.Parallel()
	d := procedures(t, nil)
	const digits = "1234567890123456789"
	create := func(id string, want int) {
		t.Helper()
		if w := d.send(t, http.MethodPost, "/dbs/db/colls/c/docs\npk: [\"a\"]\n"+
			`{"id":"`+id+`","pk":"a","u":`+digits+`}`); w.Code != want {
			t.Error(id, w.Code, w.Body)
		}
	}
	create("1", http.StatusCreated)
	prefix, _ := d.uniqueEntriesOf(t, "a")
	former := sha256.Sum256(append([]byte{byte(len(digits))}, digits...))
	if err := d.store.Update(store.Latch(prefix), func(tx *store.Tx) error {
		if err := tx.DeleteRange(prefix, store.PrefixEnd(prefix)); err != nil {
			return err
		}
		return tx.Set(append(append(bytes.Clone(prefix), 0), former[:]...), []byte("1"))
	}); err != nil {
		t.Fatal(err)
	}
	create("2", http.StatusConflict)
	d.mustSend(t, http.MethodDelete, "/dbs/db/colls/c/docs/1\npk: [\"a\"]")
	if _, left := d.uniqueEntriesOf(t, "a"); len(left) > 0 {
		t.Errorf("%d entries of a deleted item are left", len(left))
	}
	create("2", http.StatusCreated)
}
