package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// images is what a table's log keeps of an item besides its key in the store.
type images struct {
	old, new bool
	keys     bool // the attributes of the key, where there is no image: whoever reads a stream is told of them
}

// logged is what is to be logged of a table's changes; ok is false where nothing is.
func (def *Definition) logged() (i images, ok bool) {
	if s := def.Stream; s != nil {
		i = images{old: ShowsOld(s.ViewType), new: ShowsNew(s.ViewType), keys: true}
	}
	if def.Recovery != nil {
		i.old = true // to wind a table back takes what was there, and no more
	}
	return i, i.keys || i.old
}

// ShowsOld reports whether a stream of that view shows an item as it was before a change.
func ShowsOld(view string) bool { return view == "OLD_IMAGE" || view == "NEW_AND_OLD_IMAGES" }

// ShowsNew reports whether a stream of that view shows an item as it is after a change.
func ShowsNew(view string) bool { return view == "NEW_IMAGE" || view == "NEW_AND_OLD_IMAGES" }

// openLog finds the log of a table that has one.
func (s *Engine) openLog(t *Table) (err error) {
	var logged bool
	if t.images, logged = t.Def.logged(); logged {
		t.Log, err = s.Logs.Open(t.Def.ID)
		s.KeepRemoving()
	}
	return err
}

// itemPrefix is the length of what stands before the hash in the key of an item: the space and the table.
const itemPrefix = 1 + 4

// record appends the change to the table's log. What leaves an item as it was is no change.
func (c *Change) record(tx *store.Tx) error {
	if c.Table.Log == nil || c.Old != nil && c.New != nil && item.Equal(c.Old, c.New) {
		return nil
	}
	r := changelog.Record{Kind: changelog.Modify, ByService: c.By == nil, Key: c.Key[itemPrefix:]}
	if c.Table.images.old {
		r.Old = c.Old
	}
	if c.Table.images.new {
		r.New = c.New
	}
	switch {
	case c.Old == nil:
		r.Kind = changelog.Insert
	case c.New == nil:
		r.Kind = changelog.Remove
	}
	if c.Table.images.keys && r.Old == nil && r.New == nil {
		if r.Kind == changelog.Remove {
			r.Old = c.Table.Keys.Of(c.Old)
		} else {
			r.New = c.Table.Keys.Of(c.New)
		}
	}
	_, err := c.Table.Log.Append(tx, &r)
	return err
}

// tickets are the tickets that a transaction holds of the logs it may write to.
type tickets []changelog.Ticket

// BeginAll takes a ticket of the log of each table that changes are of. It must be given back whatever comes of them.
func BeginAll(changes []*Change) (all tickets) {
	var before *Table
	for _, c := range changes {
		if c != nil && c.Table != before && c.Table.Log != nil {
			all = append(all, c.Table.Log.Begin())
			before = c.Table
		}
	}
	return all
}

func (w tickets) End() {
	for _, ticket := range w {
		ticket.End()
	}
}
