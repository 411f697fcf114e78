package data

import (
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// collectionMetrics is the size of an item collection: the items with one partition key and their entries in local
// indexes.
type collectionMetrics struct {
	key   item.Value // the partition key, as an item
	bytes int
}

func newCollectionMetrics(a *engine.Account, t *engine.Table, it item.Value) (*collectionMetrics, error) {
	partition := t.Keys.Partition().Name
	hash, _ := it.Field(partition)
	m := &collectionMetrics{key: item.NewMap(item.Entry{Name: partition, Value: hash})}
	ids := []uint32{t.Def.ID}
	for _, x := range t.Indexes {
		if x.Local {
			ids = append(ids, x.ID)
		}
	}
	return m, a.Engine.Store.View(func(r *store.Reader) error {
		for _, id := range ids {
			if err := m.add(r, engine.AppendPartitionPrefix(nil, id, hash)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (m *collectionMetrics) add(r *store.Reader, partition []byte) error {
	it := r.Iter(partition, store.PrefixEnd(partition), false)
	defer it.Close()
	for it.Next() {
		m.bytes += item.Value(it.Value()).ItemSize()
	}
	return it.Close()
}

// AppendJSON writes the metrics, with the size as bounds in whole gigabytes, as the service does.
func (m *collectionMetrics) AppendJSON(dst []byte) []byte {
	low := math.Floor(float64(m.bytes) / (1 << 30))
	dst = m.key.AppendItem(append(dst, `{"ItemCollectionKey":`...))
	dst = wire.AppendFloat(append(dst, `,"SizeEstimateRangeGB":[`...), low)
	dst = wire.AppendFloat(append(dst, ','), low+1)
	return append(dst, "]}"...)
}

// appendCollections writes ItemCollectionMetrics by table.
func appendCollections(dst []byte, all map[string][]*collectionMetrics) []byte {
	dst = append(dst, `,"ItemCollectionMetrics":{`...)
	for i, name := range wire.SortedKeys(all) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonwrite.AppendString(dst, name), `:[`...)
		for j, m := range all[name] {
			if j > 0 {
				dst = append(dst, ',')
			}
			dst = m.AppendJSON(dst)
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}
