package dynamo

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
func (def *definition) logged() (i images, ok bool) {
	if s := def.Stream; s != nil {
		i = images{old: showsOld(s.ViewType), new: showsNew(s.ViewType), keys: true}
	}
	if def.Recovery != nil {
		i.old = true // to wind a table back takes what was there, and no more
	}
	return i, i.keys || i.old
}

// showsOld and showsNew say what a stream of that view shows of an item.
func showsOld(view string) bool { return view == "OLD_IMAGE" || view == "NEW_AND_OLD_IMAGES" }
func showsNew(view string) bool { return view == "NEW_IMAGE" || view == "NEW_AND_OLD_IMAGES" }

// openLog finds the log of a table that has one.
func (s *Service) openLog(t *table) (err error) {
	var logged bool
	if t.images, logged = t.def.logged(); logged {
		t.log, err = s.logs.Open(t.def.ID)
		s.keepRemoving()
	}
	return err
}

// itemPrefix is the length of what stands before the hash in the key of an item: the space and the table.
const itemPrefix = 1 + 4

// record appends the change to the table's log. What leaves an item as it was is no change.
func (c *change) record(tx *store.Tx) error {
	if c.table.log == nil || c.old != nil && c.new != nil && item.Equal(c.old, c.new) {
		return nil
	}
	r := changelog.Record{Kind: changelog.Modify, ByService: c.by == nil, Key: c.key[itemPrefix:]}
	if c.table.images.old {
		r.Old = c.old
	}
	if c.table.images.new {
		r.New = c.new
	}
	switch {
	case c.old == nil:
		r.Kind = changelog.Insert
	case c.new == nil:
		r.Kind = changelog.Remove
	}
	if c.table.images.keys && r.Old == nil && r.New == nil {
		if r.Kind == changelog.Remove {
			r.Old = c.table.keys.of(c.old)
		} else {
			r.New = c.table.keys.of(c.new)
		}
	}
	_, err := c.table.log.Append(tx, &r)
	return err
}

// tickets are the tickets that a transaction holds of the logs it may write to.
type tickets []changelog.Ticket

// beginAll takes a ticket of the log of each table that changes are of. It must be given back whatever comes of them.
func beginAll(changes []*change) (all tickets) {
	var before *table
	for _, c := range changes {
		if c != nil && c.table != before && c.table.log != nil {
			all = append(all, c.table.log.Begin())
			before = c.table
		}
	}
	return all
}

func (w tickets) end() {
	for _, ticket := range w {
		ticket.End()
	}
}

// changeLog has a table's log follow a change of its definition; from is nil for a new table, to for one that goes. Nobody else
// is within the table's gate. It gives what becomes of the account's streams.
func (a *account) changeLog(tx *store.Tx, from, to *table) (map[string]*stream, error) {
	if to != nil && to.def.Recovery != nil && to.def.Recovery.Since == 0 {
		var err error
		if to.def.Recovery.Since, err = to.log.Mark(tx); err != nil {
			return nil, err
		}
	}
	streams, err := a.changeStreams(tx, from, to)
	if err == nil && from != nil && from.log != nil && (to == nil || to.log == nil) {
		err = from.dropLog(tx, streams)
	}
	return streams, err
}
