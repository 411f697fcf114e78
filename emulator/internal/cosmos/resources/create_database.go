package resources

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// CreateDatabase creates a database.
func CreateDatabase(c *operation.Call) *wire.Error {
	return operation.Do(c, readDatabase, runCreateDatabase)
}

type databaseInput struct {
	name        string
	provisioned throughput.Provisioned // shared throughput; zero: none
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
	in.provisioned, err = r.ReadProvisioned()
	return in, err
}

func runCreateDatabase(r *operation.Run, in databaseInput) *wire.Error {
	d, err := r.Account.CreateDatabase(r.Ctx, in.name, in.provisioned)
	if err != nil {
		return r.Internal(err)
	}
	r.Database = d
	r.Charge = throughput.ChargeMetadataWrite
	r.Reply(http.StatusCreated, d.Resource())
	return nil
}
