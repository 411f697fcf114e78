package engine

import (
	"cmp"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// openLog opens the log of a table that has one.
func (s *Engine) openLog(t *Table) (err error) {
	var logged bool
	if t.logImages, logged = t.Def.logImages(); logged {
		t.Log, err = s.Logs.Open(t.Def.ID)
		s.ScheduleRemoval()
	}
	return err
}

// appendToLog appends the change to the table's log. A write that leaves the item as it was is not recorded.
func (c *Change) appendToLog(tx *store.Tx) error {
	if c.Table.Log == nil || c.Old != nil && c.New != nil && item.Equal(c.Old, c.New) {
		return nil
	}
	r := changelog.Record{Kind: changelog.Modify, ByService: c.Request == nil && c.spread != fromReplica,
		Key: c.Key[KeyPrefixLength:]}
	if c.Table.logImages.old {
		r.Old = c.Old
	}
	if c.Table.logImages.new {
		r.New = c.New
	}
	switch {
	case c.Old == nil:
		r.Kind = changelog.Insert
	case c.New == nil:
		r.Kind = changelog.Remove
	}
	if c.Table.logImages.keys && r.Old == nil && r.New == nil {
		if r.Kind == changelog.Remove {
			r.Old = c.Table.Keys.Extract(c.Old)
		} else {
			r.New = c.Table.Keys.Extract(c.New)
		}
	}
	var author [128]byte
	if c.Table.logImages.author {
		r.Author = c.appendAuthor(author[:0])
	}
	c.captured = c.capturedUnits()
	_, err := c.Table.Log.Append(tx, &r)
	return err
}

// appendAuthor appends who made the change: the principal or, without identities, the access key. It appends nothing
// for changes of the service itself, and for those that reach a replica later.
func (c *Change) appendAuthor(dst []byte) []byte {
	by := c.Request
	if by == nil && c.arrival != nil {
		by = c.arrival.request
	}
	if by == nil {
		return dst
	}
	return changelog.AppendAuthor(dst, cmp.Or(by.Event.Principal, by.Event.AccessKey), by.Event.Operation)
}

// tickets are the tickets that a transaction holds for the logs it may write to.
type tickets []changelog.Ticket

func (w tickets) End() {
	for _, ticket := range w {
		ticket.End()
	}
}
