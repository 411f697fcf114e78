package cosmos

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// createDatabase makes a database.
func (c *call) createDatabase() *Error {
	v, err := c.object()
	if err != nil {
		return err
	}
	if err := checkID(v.Field("id")); err != nil {
		return err
	}
	asked, err := c.askedThroughput()
	if err != nil {
		return err
	}
	all := &c.s.catalog
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.databases[v.Field("id").Str()] != nil {
		return conflict()
	}
	d := newDatabase(all.lastDB+1, v.Field("id").Str())
	d.etag, d.ts = c.s.random.guid().etag(), c.s.now().Unix()
	if err := c.s.save(numbered(metaDatabase, d.number), d.record()); err != nil {
		return c.internal(err)
	}
	all.add(d)
	if asked.rate() > 0 {
		if err := c.s.provide(c.s.newOffer(d.rid, d.link(), asked)); err != nil {
			return c.internal(err)
		}
	}
	c.database = d
	c.charge = chargeMetadataWrite
	c.reply(http.StatusCreated, d.resource())
	return nil
}

// save writes one thing of the catalogue.
func (s *Service) save(key, value []byte) error {
	return s.store.Update(store.Latch(key), func(tx *store.Tx) error { return tx.Set(key, value) })
}
