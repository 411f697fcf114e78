package history

import (
	"encoding/json"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// clone creates a container with the settings and the throughput of another one and, unless WithoutItems is set, its
// items as of one moment, while they are written to. They get new system properties. The container is hidden until it
// is complete, as a restored one.
func (r *request) clone() ([]byte, error) {
	items, err := r.fillNew("Clone", func(to *engine.Container) (int, error) {
		if r.WithoutItems {
			return 0, nil
		}
		return r.cloneItems(to)
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{"container": r.NewContainer, "items": items})
}

// cloneItems copies the items of the container as of now, and returns their number.
func (r *request) cloneItems(to *engine.Container) (items int, err error) {
	err = r.account.Store.View(func(reader *store.Reader) error {
		if r.container.Deleted.Load() {
			return wire.NotFound(r.Container)
		}
		prefix := r.container.IdentitiesPrefix()
		it := reader.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for more := true; more; {
			batch, size := []doc.Value(nil), 0
			for len(batch) < r.WriteBatch && size < pageBytes {
				if more = it.Next(); !more {
					break
				}
				if err := r.readRow(reader, it.Value(), func(i *engine.Item) error {
					v, err := doc.Parse(i.Body)
					batch, size = append(batch, v), size+len(i.Body)
					return err
				}); err != nil {
					return err
				}
			}
			if err := r.write(to, batch); err != nil {
				return err
			}
			items += len(batch)
			r.progress(int64(items))
			r.renewWork()
		}
		return it.Close()
	})
	return items, err
}
