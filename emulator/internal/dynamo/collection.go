package dynamo

import (
	"math"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// collectionMetrics is how large the items of one partition key are, together with their entries in local
// indexes.
type collectionMetrics struct {
	key   item.Value // the partition key, as an item
	bytes int
}

func (a *account) collectionMetrics(t *table, it item.Value) (*collectionMetrics, error) {
	hash, _ := it.Field(t.keys.hash.name)
	m := &collectionMetrics{key: item.NewMap(item.Entry{Name: t.keys.hash.name, Value: hash})}
	ids := []uint32{t.def.ID}
	for _, x := range t.indexes {
		if x.local {
			ids = append(ids, x.id)
		}
	}
	return m, a.service.store.View(func(r *store.Reader) error {
		for _, id := range ids {
			if err := m.add(r, appendPartition(nil, id, hash)); err != nil {
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

// appendJSON writes the metrics; the size is told as bounds in whole gigabytes, as the service does.
func (m *collectionMetrics) appendJSON(dst []byte) []byte {
	low := math.Floor(float64(m.bytes) / (1 << 30))
	dst = m.key.AppendItem(append(dst, `{"ItemCollectionKey":`...))
	dst = appendFloat(append(dst, `,"SizeEstimateRangeGB":[`...), low)
	dst = appendFloat(append(dst, ','), low+1)
	return append(dst, "]}"...)
}

// appendCount writes a whole number.
func appendCount(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }

// appendCollections writes ItemCollectionMetrics by table.
func appendCollections(dst []byte, all map[string][]*collectionMetrics) []byte {
	dst = append(dst, `,"ItemCollectionMetrics":{`...)
	for i, name := range sortedKeys(all) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonwrite.AppendString(dst, name), `:[`...)
		for j, m := range all[name] {
			if j > 0 {
				dst = append(dst, ',')
			}
			dst = m.appendJSON(dst)
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}
