package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// The highest numbers that databases, containers and offers ever had are stored with each of them that is created, so
// that a resource id is never used again: clients keep what they know of a container by its resource id.

func highestKey() []byte { return metaKey(keyspace.CatalogHighest, nil) }

// storeHighest stores the highest numbers, in the transaction that stores a resource with these numbers. Zero stands
// for a resource that is not new, and nil for no offer. The catalogue is being changed.
func (c *Catalog) storeHighest(tx *store.Tx, database, container uint32, offer *Offer) error {
	highest := [...]uint32{max(c.lastDatabase, database), max(c.lastContainer, container), c.lastOffer}
	if offer != nil {
		highest[2] = max(highest[2], offer.number)
	}
	var numbers []doc.Value
	for _, n := range highest {
		numbers = append(numbers, doc.Number(float64(n)))
	}
	return tx.Set(highestKey(), doc.Append(nil, doc.Array(numbers...)))
}

// loadHighest raises the highest numbers of the existing resources to those stored. An older version stored none.
func (c *Catalog) loadHighest(r *store.Reader) error {
	value, ok, err := r.Get(highestKey())
	if !ok || err != nil {
		return err
	}
	v, err := doc.Parse(value)
	for i, last := range []*uint32{&c.lastDatabase, &c.lastContainer, &c.lastOffer} {
		*last = max(*last, uint32(v.At(i).Float()))
	}
	return err
}
