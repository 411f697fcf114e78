package cosmos

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// createContainer makes a container in a database.
func (c *call) createContainer() *Error {
	v, err := c.object()
	if err != nil {
		return err
	}
	def, err := parseDefinition(v)
	if err != nil {
		return err
	}
	def.etag, def.ts = c.s.random.guid().etag(), c.s.now().Unix()
	all, d := &c.s.catalog, c.database
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.byRID[d.rid] != d {
		return ownerNotFound()
	}
	if d.containers[def.resource.Field("id").Str()] != nil {
		return conflict()
	}
	one, problem := newContainer(c.s, d, all.lastColl+1, d.ordinal+1, def)
	if problem != nil {
		return c.internal(problem)
	}
	if problem := c.s.saveContainer(one); problem != nil {
		return c.internal(problem)
	}
	all.lastColl++
	d.add(one)
	c.container = one
	c.charge = chargeMetadataWrite
	c.replyContainer(http.StatusCreated, one)
	return nil
}

// saveContainer writes a new container, and that its database gave it a number which no other one gets.
func (s *Service) saveContainer(one *container) error {
	d := *one.database
	d.ordinal = one.ordinal
	return s.store.Update(store.Latches{}, func(tx *store.Tx) error {
		if err := tx.Set(numbered(metaDatabase, d.number), d.record()); err != nil {
			return err
		}
		return tx.Set(numbered(metaContainer, one.number), one.record(one.definition.Load()))
	})
}

func (c *call) replyContainer(status int, one *container) {
	c.reply(status, one.resource())
	c.out.set("X-Ms-Alt-Content-Path", "dbs/"+one.database.name)
	c.out.set("X-Ms-Content-Path", one.database.rid)
}
