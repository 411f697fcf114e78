package resources

import (
	"context"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// CreateDatabase makes a database.
func CreateDatabase(c *operation.Call) *wire.Error {
	v, err := c.Object()
	if err != nil {
		return err
	}
	if err := wire.CheckID(v.Field("id")); err != nil {
		return err
	}
	asked, err := c.ReadProvisioned()
	if err != nil {
		return err
	}
	all := &c.Account.Catalog
	if problem := all.Changing.Close(c.Ctx); problem != nil {
		return c.Internal(problem)
	}
	defer all.Changing.Open()
	if all.Databases[v.Field("id").Str()] != nil {
		return wire.Conflict()
	}
	d := engine.NewDatabase(all.LastDB+1, v.Field("id").Str())
	d.ETag, d.Timestamp = c.Account.Random.GUID().ETag(), c.Account.Now().Unix()
	if err := c.Account.SaveDatabase(c.Ctx, engine.Numbered(engine.MetaDatabase, d.Number), d.Record()); err != nil {
		return c.Internal(err)
	}
	all.AddDatabase(d)
	if asked.Rate() > 0 { // a new database's own, for which nobody waits
		if err := c.Account.ApplyOffer(context.Background(), c.Account.NewOffer(d.RID, d.Link(), asked)); err != nil {
			return c.Internal(err)
		}
	}
	c.Database = d
	c.Charge = throughput.ChargeMetadataWrite
	c.Reply(http.StatusCreated, d.Resource())
	return nil
}
