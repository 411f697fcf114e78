package data

import (
	"math"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
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

// collectionKey returns the partition key of an item, as an item.
func collectionKey(t *engine.Table, it item.Value) item.Value {
	partition := t.Keys.Partition().Name
	hash, _ := it.Field(partition)
	return item.NewMap(item.Entry{Name: partition, Value: hash})
}

func newCollectionMetrics(req *engine.Request, t *engine.Table, key item.Value) (*collectionMetrics, error) {
	hash, _ := key.Field(t.Keys.Partition().Name)
	m := &collectionMetrics{key: key}
	ids := []uint32{t.Def.ID}
	for _, x := range t.Indexes {
		if x.Local {
			ids = append(ids, x.ID)
		}
	}
	return m, req.Engine.Store.View(func(r *store.Reader) error {
		for _, id := range ids {
			if err := m.add(r, engine.AppendPartitionPrefix(nil, id, hash), req.Budget()); err != nil {
				return err
			}
		}
		return nil
	})
}

// add adds the entries of a partition, until the request has read as much as a page may. The rest is missing in the
// estimate: the write is committed, and cannot fail any more.
func (m *collectionMetrics) add(r *store.Reader, partition []byte, b *budget.Budget) error {
	it := r.Iter(partition, store.PrefixEnd(partition), false)
	defer it.Close()
	for it.Next() {
		entry := item.Value(it.Value())
		if b.Step(1+len(entry)/engine.ItemBytesPerStep) != nil || b.Steps() > engine.PageSteps {
			break
		}
		m.bytes += entry.ItemSize()
	}
	return it.Close()
}

// tableCollections are the item collections that the writes of a request changed, by the name of the table in the
// request.
type tableCollections map[string][]*collectionMetrics

// add adds the collection of a written item, which it counts once.
func (c tableCollections) add(req *engine.Request, name string, t *engine.Table, it item.Value) (err error) {
	if !t.HasLocalIndex() {
		return nil
	}
	var m *collectionMetrics
	key := collectionKey(t, it)
	if at := slices.IndexFunc(c[name], func(m *collectionMetrics) bool { return item.Equal(m.key, key) }); at >= 0 {
		m = c[name][at]
	} else if m, err = newCollectionMetrics(req, t, key); err != nil {
		return err
	}
	c[name] = append(c[name], m)
	return nil
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
func appendCollections(dst []byte, all tableCollections) []byte {
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
