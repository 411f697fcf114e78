package history

import (
	"context"
	"encoding/json"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/pointintime"
)

// restore creates a container with the settings of another one and its items as they were at a moment. They get new
// system properties. The container is hidden until all items are there: if the restore fails, or the emulator is killed
// meanwhile, nothing is left of it.
func (r *request) restore() ([]byte, error) {
	at, err := r.moments.At("at", r.At)
	if err != nil {
		return nil, err
	}
	items, err := r.fillNew("Restore", func(to *engine.Container) (int, error) { return r.copyItems(at, to) })
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{"container": r.NewContainer, "at": pointintime.TimeText(at), "items": items})
}

// fillNew creates the new container, with the settings and the throughput of the other one and the items that an
// operation copies, and returns their number. It is hidden until then. An error or a panic leaves nothing of it.
func (r *request) fillNew(operation string, copyItems func(to *engine.Container) (int, error)) (items int, err error) {
	from := r.container
	def, wireErr := engine.ParseDefinition(from.Definition.Load().Resource.With("id", doc.String(r.NewContainer)))
	if wireErr != nil {
		return 0, wireErr
	}
	to, err := r.account.BeginRestore(r.ctx, from.Database, def, from.DedicatedThroughput())
	if err != nil {
		return 0, err
	}
	complete := false
	defer func() {
		if !complete { // also after a panic
			_ = r.account.DeleteContainer(context.WithoutCancel(r.ctx), to) // the first error is what matters
		}
	}()
	r.ctx = engine.WithAuthor(r.ctx, "primary key", operation) // the console acts with the account's key
	items, err = copyItems(to)
	if err == nil {
		err = r.ctx.Err()
	}
	if err == nil {
		err = r.account.EndRestore(r.ctx, to)
	}
	complete = err == nil
	return items, err
}

// copyItems copies the items as they were at a moment to a new container, and returns their number.
func (r *request) copyItems(at changelog.Position, to *engine.Container) (items int, err error) {
	var lo []byte
	for {
		batch, next, err := r.readBatch(at, lo)
		if err != nil {
			return items, err
		}
		if err := r.write(to, batch); err != nil {
			return items, err
		}
		items += len(batch)
		if next == "" {
			return items, nil
		}
		if lo, err = pointintime.ParseKeyToken(next); err != nil {
			return items, err
		}
		r.renewWork()
	}
}

// readBatch returns documents as they were at a moment, from a key on, and the token of the next batch.
func (r *request) readBatch(at changelog.Position, lo []byte) (batch []doc.Value, next string, err error) {
	p, size := &page{request: r, limit: r.WriteBatch}, 0
	next, err = p.visitItems(at, lo, nil, func(i *engine.Item) error {
		v, err := doc.Parse(i.Body)
		batch, size = append(batch, v), size+len(i.Body)
		if p.count++; size >= pageBytes {
			p.limit = p.count // the page is full
		}
		return err
	})
	return batch, next, err
}

// write writes documents to a container, at the pace of all work on much data.
func (r *request) write(to *engine.Container, batch []doc.Value) error {
	if len(batch) == 0 {
		return nil
	}
	_, err := r.work.Pace(func() (more bool, err error) { return true, to.RestoreItems(r.ctx, batch) })
	return err
}
