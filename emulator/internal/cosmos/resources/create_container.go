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
	definition       *engine.Definition
	conditions       engine.Conditions
	provisioned      throughput.Provisioned // dedicated throughput; zero: none
	provisionedError *wire.Error            // reported after errors in the definition
}

func readDefinition(r *operation.Request, _ *engine.Container) (in definitionInput, err *wire.Error) {
	v, err := r.Object()
	if err != nil {
		return in, err
	}
	in.conditions = r.Conditions()
	in.provisioned, in.provisionedError = r.ReadProvisioned()
	in.definition, err = engine.ParseDefinition(v)
	return in, err
}

func runCreateContainer(r *operation.Run, in definitionInput) *wire.Error {
	def := in.definition
	if err := checkNewContainer(r, def); err != nil {
		return err
	}
	if in.provisionedError != nil {
		return in.provisionedError
	}
	container, err := r.Account.CreateContainer(r.Ctx, r.Database, def, in.provisioned)
	if err != nil {
		return r.Internal(err)
	}
	r.Container = container
	r.Charge = throughput.ChargeMetadataWrite
	replyContainer(r, http.StatusCreated, container)
	return nil
}

// checkNewContainer checks rules that apply only when a container is created. Existing containers may break them.
func checkNewContainer(r *operation.Run, def *engine.Definition) *wire.Error {
	for _, path := range def.Key.Paths {
		if err := engine.CheckKeyPath(path); err != nil {
			return err
		}
	}
	if err := index.CheckBoundingBoxes(def.Resource); err != nil {
		return err
	}
	return checkEncryptionKeysExist(r, def.Resource.Field("clientEncryptionPolicy"))
}

func replyContainer(r *operation.Run, status int, container *engine.Container) {
	r.Reply(status, container.Resource())
	r.Out.Set(wire.HeaderAltContentPath, wire.AltContentPath(container.Database.Name, ""))
	r.Out.Set(wire.HeaderContentPath, container.Database.RID)
}

// checkEncryptionKeysExist rejects an encryption policy with keys that do not exist.
func checkEncryptionKeysExist(r *operation.Run, policy doc.Value) *wire.Error {
	keys := r.Database.EncryptionKeys()
	for _, included := range policy.Field("includedPaths").Elements() {
		id := included.Field("clientEncryptionKeyId").Str()
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
