package resources

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// CreateContainer creates a container in a database.
func CreateContainer(c *operation.Call) *wire.Error {
	return operation.Do(c, readDefinition, runCreateContainer)
}

type definitionInput struct {
	definition *engine.Definition
	want       engine.Conditions
	asked      throughput.Provisioned // dedicated throughput; zero: none
	askedError *wire.Error            // reported after errors in the definition
}

func readDefinition(r *operation.Request, _ *engine.Container) (in definitionInput, err *wire.Error) {
	v, err := r.Object()
	if err != nil {
		return in, err
	}
	in.want = r.Conditions()
	in.asked, in.askedError = r.ReadProvisioned()
	in.definition, err = engine.ParseDefinition(v)
	return in, err
}

func runCreateContainer(r *operation.Run, in definitionInput) *wire.Error {
	def := in.definition
	if err := checkNew(r, def); err != nil {
		return err
	}
	if in.askedError != nil {
		return in.askedError
	}
	one, err := r.Account.CreateContainer(r.Ctx, r.Database, def, in.asked)
	if err != nil {
		return r.Internal(err)
	}
	r.Container = one
	r.Charge = throughput.ChargeMetadataWrite
	replyContainer(r, http.StatusCreated, one)
	return nil
}

// checkNew checks rules that apply only when a container is created. Existing containers may break them.
func checkNew(r *operation.Run, def *engine.Definition) *wire.Error {
	for _, path := range def.Key.Paths {
		if err := engine.CheckKeyPath(path); err != nil {
			return err
		}
	}
	if err := index.CheckBoxes(def.Resource); err != nil {
		return err
	}
	return checkEncryptedWith(r, def.Resource.Field("clientEncryptionPolicy"))
}

func replyContainer(r *operation.Run, status int, one *engine.Container) {
	r.Reply(status, one.Resource())
	r.Out.Set("x-ms-alt-content-path", "dbs/"+one.Database.Name)
	r.Out.Set(wire.HeaderOwner, one.Database.RID)
}

// checkEncryptedWith rejects an encryption policy with keys that do not exist.
func checkEncryptedWith(r *operation.Run, policy doc.Value) *wire.Error {
	keys := r.Database.EncryptionKeys()
	for _, one := range policy.Field("includedPaths").Elements() {
		id := one.Field("clientEncryptionKeyId").Str()
		found, err := r.FindChild(keys, id)
		if err != nil {
			return err
		}
		if found == nil {
			return wire.InvalidInput("ClientEncryptionKey with id '[%s]' does not exist.", id)
		}
	}
	return nil
}
