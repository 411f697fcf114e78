package cosmos

import (
	"context"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// createDatabase makes a database.
func createDatabase(c *call) *Error {
	v, err := c.object()
	if err != nil {
		return err
	}
	if err := checkID(v.Field("id")); err != nil {
		return err
	}
	asked, err := c.readProvisioned()
	if err != nil {
		return err
	}
	all := &c.account.catalog
	if problem := all.changing.Close(c.ctx); problem != nil {
		return c.internal(problem)
	}
	defer all.changing.Open()
	if all.databases[v.Field("id").Str()] != nil {
		return conflict()
	}
	d := newDatabase(all.lastDB+1, v.Field("id").Str())
	d.etag, d.ts = c.account.random.GUID().ETag(), c.account.now().Unix()
	if err := c.account.saveDatabase(c.ctx, numbered(metaDatabase, d.number), d.record()); err != nil {
		return c.internal(err)
	}
	all.addDatabase(d)
	if asked.rate() > 0 { // a new database's own, for which nobody waits
		if err := c.account.applyOffer(context.Background(), c.account.newOffer(d.rid, d.link(), asked)); err != nil {
			return c.internal(err)
		}
	}
	c.database = d
	c.charge = chargeMetadataWrite
	c.reply(http.StatusCreated, d.resource())
	return nil
}

// saveDatabase writes one thing of the catalogue.
func (s *state) saveDatabase(ctx context.Context, key, value []byte) error {
	return s.store.UpdateContext(ctx, store.Latch(key), func(tx *store.Tx) error { return tx.Set(key, value) })
}
