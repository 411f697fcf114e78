package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// images is which images a table's log records of an item, besides its key in the store.
type images struct {
	old, new bool
	keys     bool // the key attributes, where there is no image: stream records contain them
}

// logged returns what to log of the table's changes; ok is false if nothing.
func (def *Definition) logged() (i images, ok bool) {
	if s := def.Stream; s != nil {
		i = images{old: ShowsOld(s.ViewType), new: ShowsNew(s.ViewType), keys: true}
	}
	if def.Recovery != nil {
		i.old = true // undoing a change needs the old image only
	}
	return i, i.keys || i.old
}

// ShowsOld reports whether a stream with that view type contains old images.
func ShowsOld(view string) bool { return view == "OLD_IMAGE" || view == "NEW_AND_OLD_IMAGES" }

// ShowsNew reports whether a stream with that view type contains new images.
func ShowsNew(view string) bool { return view == "NEW_IMAGE" || view == "NEW_AND_OLD_IMAGES" }

// openLog opens the log of a table that has one.
func (s *Engine) openLog(t *Table) (err error) {
	var logged bool
	if t.images, logged = t.Def.logged(); logged {
		t.Log, err = s.Logs.Open(t.Def.ID)
		s.KeepRemoving()
	}
	return err
}

// itemPrefix is the length of what precedes the hash in the key of an item: the space and the table id.
const itemPrefix = 1 + 4

// record appends the change to the table's log. A write that leaves the item as it was is not recorded.
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

// tickets are the tickets that a transaction holds for the logs it may write to.
type tickets []changelog.Ticket

// BeginAll takes a ticket for the log of each table that is changed. The caller must End them whether or not the
// changes succeed.
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
