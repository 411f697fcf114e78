package transfer

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// The changes of a range of time are compacted on the disk, one entry for each item, because they may not fit in
// memory. The log holds the image before each change. So the image of an item at the start of the range is that before
// its first change in the range, and the image at the end is that before its first change after the range, or else the
// current item.

// The byte after the prefix of the scratch keys. The rest is the rest of the item's key.
const (
	scratchOld  byte = iota // the kind of the first change in the range, and the image before it
	scratchTime             // the position of the last change in the range
	scratchNew              // the same as scratchOld of the first change after the range
)

// exportChanges exports the changes of a table in a range of time, from one snapshot.
func (p *Extension) exportChanges(ctx context.Context, a *engine.Account, x *Export, t *engine.Table,
	f *exportFiles) error {
	from, to := changelog.At(timeOf(x.From)), changelog.At(timeOf(x.To))
	x.Billed = minBilledIncrement
	for t.Log.Floor() < to-1 { // a write that began before the end of the range is not committed yet
		if err := ctx.Err(); err != nil {
			return err
		}
		time.Sleep(time.Millisecond)
	}
	return backup.WithScratch(a, t, func(prefix []byte) error {
		return p.Engine.Store.View(func(r *store.Reader) error {
			if err := t.CheckCurrent(); err != nil {
				return err
			}
			s := scratch{p.Engine, r, prefix, 0}
			err := s.record(ctx, t.Log, from, to)
			if err != nil {
				return err
			}
			x.Billed = max(x.Billed, s.size)
			w := newRecordWriter(x)
			if err := f.next(); err != nil {
				return err
			}
			return s.each(ctx, t, func(c *change) error { return f.write(w.change(c, x.View == bothImages)) })
		})
	})
}

// scratch compacts changes.
type scratch struct {
	engine *engine.Engine
	reader *store.Reader // of the table and its log
	prefix []byte
	size   int64 // bytes of the changes in the range
}

// record writes the scratch keys of the changes. Of several changes of an item, the last one that is written wins: the
// oldest if the log is read backward.
func (s *scratch) record(ctx context.Context, log *changelog.Log, from, to changelog.Position) error {
	image := func(kind byte) func(tx *store.Tx, p changelog.Position, r changelog.Record) error {
		return func(tx *store.Tx, _ changelog.Position, r changelog.Record) error {
			value := []byte{byte(r.Kind)}
			if r.Kind != changelog.Insert {
				value = append(value, r.Old...)
			}
			return tx.Set(s.key(kind, r.Key), value)
		}
	}
	if err := s.pass(ctx, log, to, math.MaxUint64, true, image(scratchNew)); err != nil {
		return err
	}
	if err := s.pass(ctx, log, from, to-1, true, image(scratchOld)); err != nil {
		return err
	}
	return s.pass(ctx, log, from, to-1, false, func(tx *store.Tx, p changelog.Position, r changelog.Record) error {
		s.size += int64(len(r.Key) + len(r.Old))
		return tx.Set(s.key(scratchTime, r.Key), binary.BigEndian.AppendUint64(nil, uint64(p)))
	})
}

func (s *scratch) key(kind byte, rest []byte) []byte {
	return append(append(append(make([]byte, 0, 64), s.prefix...), kind), rest...)
}

// pass visits the changes between two positions, both inclusive, in transactions of limited size.
func (s *scratch) pass(ctx context.Context, log *changelog.Log, from, to changelog.Position, backward bool,
	visit func(tx *store.Tx, p changelog.Position, r changelog.Record) error) error {
	return s.engine.EachStep(ctx, func() (more bool, err error) {
		err = s.engine.Store.Update(store.Latch(s.prefix), func(tx *store.Tx) error {
			size := 0
			return log.Read(s.reader, from, to, backward, func(p changelog.Position, r changelog.Record) (bool, error) {
				if size > engine.StepBytes {
					if more = true; backward {
						to = p
					} else {
						from = p
					}
					return false, nil
				}
				size += len(r.Key) + len(r.Old)
				return true, visit(tx, p, r)
			})
		})
		return more, err
	})
}

// each visits the items that changed, in the order of their keys. An item that was inserted and deleted in the range is
// not among them (AWS, "DynamoDB table export output format").
func (s *scratch) each(ctx context.Context, t *engine.Table, visit func(*change) error) error {
	return s.engine.Store.View(func(written *store.Reader) error {
		step, err := newFileStep(ctx, s.engine)
		if err != nil {
			return err
		}
		defer step.work.Close()
		prefix := s.key(scratchOld, nil)
		it := written.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for it.Next() {
			c, err := s.changeOf(written, t, it.Key()[len(prefix):], it.Value())
			if err != nil {
				return err
			}
			if c.old != nil || c.new != nil {
				if err := visit(c); err != nil {
					return err
				}
			}
			if err := step.handled(len(c.old) + len(c.new)); err != nil {
				return err
			}
		}
		return it.Close()
	})
}

func (s *scratch) changeOf(written *store.Reader, t *engine.Table, rest, old []byte) (*change, error) {
	c := new(change)
	position, err := get(written, s.key(scratchTime, rest))
	if err != nil {
		return nil, err
	}
	c.last = changelog.Position(binary.BigEndian.Uint64(position))
	image, err := get(written, s.key(scratchNew, rest))
	switch {
	case err == nil && len(image) > 0:
		image = image[1:]
	case err == nil:
		image, err = get(s.reader, append(engine.AppendTablePrefix(nil, t.Def.ID), rest...))
	}
	if err != nil {
		return nil, err
	}
	if len(image) > 0 {
		c.new = item.Value(image)
		c.key = t.Keys.Extract(c.new)
	}
	if len(old) > 1 {
		c.old = item.Value(old[1:])
		c.key = t.Keys.Extract(c.old)
	}
	return c, nil
}

// get returns a copy of the value of a key, nil if there is none. Unlike Reader.Get, it holds no memory of the store
// until the Reader ends.
func get(r *store.Reader, key []byte) ([]byte, error) {
	it := r.Iter(key, append(bytes.Clone(key), 0), false)
	defer it.Close()
	var value []byte
	if it.Next() {
		value = bytes.Clone(it.Value())
	}
	return value, it.Close()
}
