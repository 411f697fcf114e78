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
	return operation.Do(c, readDatabase, runCreateDatabase)
}

type databaseInput struct {
	name  string
	asked throughput.Provisioned // its own; zero: it has none
}

func readDatabase(r *operation.Request, _ *engine.Container) (in databaseInput, err *wire.Error) {
	v, err := r.Object()
	if err != nil {
		return in, err
	}
	if err := wire.CheckID(v.Field("id")); err != nil {
		return in, err
	}
	in.name = v.Field("id").Str()
	in.asked, err = r.ReadProvisioned()
	return in, err
}

func runCreateDatabase(r *operation.Run, in databaseInput) *wire.Error {
	all := &r.Account.Catalog
	if problem := all.Changing.Close(r.Ctx); problem != nil {
		return r.Internal(problem)
	}
	defer all.Changing.Open()
	if all.Databases[in.name] != nil {
		return wire.Conflict()
	}
	d := engine.NewDatabase(all.LastDB+1, in.name)
	d.ETag, d.Timestamp = r.Account.Random.GUID().ETag(), r.Account.Now().Unix()
	if err := r.Account.SaveDatabase(r.Ctx, engine.Numbered(engine.MetaDatabase, d.Number), d.Record()); err != nil {
		return r.Internal(err)
	}
	all.AddDatabase(d)
	if in.asked.Rate() > 0 { // a new database's own, for which nobody waits
		if err := r.Account.ApplyOffer(context.Background(), r.Account.NewOffer(d.RID, d.Link(), in.asked)); err != nil {
			return r.Internal(err)
		}
	}
	r.Database = d
	r.Charge = throughput.ChargeMetadataWrite
	r.Reply(http.StatusCreated, d.Resource())
	return nil
}
